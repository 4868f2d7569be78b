import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createSlackAdapter } from "../../adapters/slack/index.ts";
import type { Post, Receipt } from "../../src/chat/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { wire } from "./harness.ts";

const says = (text: string, more: Partial<Post> = {}): Post => ({ text, notify: true, ...more });
const idIn = (receipt: Receipt | undefined) => (receipt?.outcome === "delivered" ? receipt.messageId : "none");

describe("a post", () => {
  it("is standard Markdown with a dim line, buttons and a list beneath, and words for notifications", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    const post = says("# Plan\n\n| a | b |\n|---|---|\n| **1** | 2 |\n\n- [x] done", {
      footer: "Milo · 48 s",
      buttons: [
        [
          { label: "Approve", token: "t1", style: "primary" },
          { label: "Deny", token: "t2", style: "danger" },
        ],
        [{ label: "Later", token: "t3" }],
      ],
      selects: [
        {
          label: "Who answers",
          options: [
            { label: "Milo", token: "m", current: true, description: "Software" },
            { label: "Penny", token: "p" },
          ],
        },
      ],
    });
    await adapter.post({ channel: dm }, post, "key");
    const [message] = slack.fromBot(dm);
    expect(message?.blocks.map(({ type }) => type)).toEqual(["markdown", "section", "actions", "actions", "context"]);
    expect(message?.blocks[0]).toMatchObject({
      text: expect.stringMatching(/^# Plan\n\n\| a \| b \|\n[\s\S]*\*\*1\*\*[\s\S]*\[x\] done$/u),
    });
    expect(message?.buttons.map(({ label, value, style }) => [label, value, style])).toEqual([
      ["Approve", "t1", "primary"],
      ["Deny", "t2", "danger"],
      ["Later", "t3", undefined],
    ]);
    expect(message?.selects).toMatchObject([
      { initial: "Milo", options: [{ value: "m", description: "Software" }, { value: "p" }] },
    ]);
    expect(message?.source).toBe("Plan\n\na | b\n1 | 2\n\n☑ done");
    expect(message?.metadata).toEqual({ event_type: "shipmate_post", event_payload: { key: "key" } });
    expect(slack.calls("chat.postMessage")[0]?.payload).toMatchObject({ unfurl_links: "false", unfurl_media: "false" });
  });

  it("stands under the teammate's name and picture where Slack was allowed to show them, else beneath the name", async () => {
    await using wired = await wire({ start: false });
    await using plain = await wire({ start: false, slack: { customize: false } });
    for (const picture of ["https://a.example/milo.png", ":ship:", "🚢"]) {
      await wired.adapter.post(
        { channel: wired.dm },
        says("hi", { persona: { name: "Milo <!here>", picture } }),
        picture.slice(0, 20),
      );
    }
    expect(wired.slack.fromBot(wired.dm).map(({ author, text }) => [author.name, author.icon, text])).toEqual([
      ["Milo !here", "https://a.example/milo.png", "hi"],
      ["Milo !here", ":ship:", "hi"],
      ["Milo !here", ":ship:", "hi"],
    ]);
    await plain.adapter.post({ channel: plain.dm }, says("hi", { persona: { name: "Milo*" } }), "k");
    expect(plain.slack.fromBot(plain.dm)).toMatchObject([{ author: { name: "Shipmate" }, text: "**Milo\\***\n\nhi" }]);
    await plain.adapter.post({ channel: plain.dm }, says("ho", { persona: { name: "Milo", unwritten: true } }), "k2");
    expect(plain.slack.fromBot(plain.dm).at(-1)?.text).toBe("ho");
    expect((await plain.adapter.connect()).notes).toEqual([expect.stringContaining("chat:write.customize")]);
  });

  it("F-49 notifies nobody, whatever stands in its words, its code, its name or its footer", async () => {
    await using wired = await wire({ start: false });
    const { slack, adapter } = wired;
    const nasty = `<!channel> <!here|x> <@${slack.ada}> @channel <!subteam^S1> &lt;!everyone&gt; \\<!here> \`<!here>\` **<@${slack.ada}>**`;
    const text = `${nasty}\n\n\`\`\`\n${nasty}\n\`\`\`\n\n| ${nasty} |\n|---|\n| ${nasty} |\n\n> ${nasty}\n\n[${nasty}](https://a.example)`;
    const post = says(text, { footer: nasty, persona: { name: nasty }, buttons: [[{ label: nasty, token: "t" }]] });
    expect(await adapter.post({ channel: slack.general }, post, "k1")).toMatchObject({ outcome: "delivered" });
    // The same words without blocks.
    slack.faults.reject("chat.postMessage", "invalid_blocks");
    expect(await adapter.post({ channel: slack.general }, post, "k2")).toMatchObject({ outcome: "delivered" });
    for (const message of slack.fromBot(slack.general)) {
      expect(message.pings).toEqual([]);
      // Plain text in buttons and footers is not read as mark-up; Markdown is, and so is the text beside the blocks.
      const read = message.blocks.flatMap((block) =>
        block.type === "markdown" && "text" in block ? [block.text] : [],
      );
      expect([...read, message.source].join("\n")).not.toMatch(/<[@!#]/u);
    }
    expect(slack.fromBot(slack.general)).toHaveLength(2);
  });

  it("F-42 is sent once more without mark-up when Slack cannot read it, with its buttons, and no oftener", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    slack.faults.reject("chat.postMessage", "invalid_blocks");
    const post = says("the **deploy** went fine", { buttons: [[{ label: "Go", token: "t" }]], footer: "Milo · 3 s" });
    expect(await adapter.post({ channel: dm }, post, "k")).toMatchObject({ outcome: "delivered" });
    expect(slack.fromBot(dm)).toMatchObject([{ text: "the deploy went fine\nMilo · 3 s", buttons: [{ label: "Go" }] }]);
    slack.faults.reject("chat.postMessage", "invalid_blocks", { times: 9 });
    expect(await adapter.post({ channel: dm }, post, "k")).toMatchObject({
      outcome: "failed",
      error: { kind: "rejected" },
    });
    expect(slack.calls("chat.postMessage")).toHaveLength(4);
  });

  it("a change takes the buttons away, also where it can only be plain", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    const id = idIn(
      await adapter.post({ channel: dm }, says("Milo asks", { buttons: [[{ label: "Go", token: "t" }]] }), "k"),
    );
    slack.faults.reject("chat.update", "invalid_blocks");
    expect(await adapter.edit?.({ channel: dm }, id, says("**Approved** by Ada"))).toEqual({
      outcome: "delivered",
      messageId: id,
    });
    expect(slack.fromBot(dm)).toMatchObject([{ text: "Approved by Ada", buttons: [] }]);
  });

  it("F-46 goes to its thread, and a link opens it there", async () => {
    await using wired = await wire({ start: false });
    const { slack, adapter } = wired;
    const root = slack.say(slack.ada, slack.general, "root");
    const there = { channel: slack.general, thread: root.ts };
    const id = idIn(await adapter.post(there, says("an answer"), "k"));
    expect(slack.message({ channel: slack.general, ts: id })).toMatchObject({ threadTs: root.ts });
    for (const [address, ts] of [
      [there, id],
      [there, root.ts],
    ] as const) {
      const link = adapter.link?.(address, ts);
      const real = slack.permalink({ channel: slack.general, ts });
      expect(link?.split("?")[0]).toBe(real.split("?")[0]);
    }
    expect(adapter.link?.(there, id)).toContain(`?thread_ts=${root.ts}`);
    expect(adapter.link?.(there, "response:1")).toBeUndefined();
  });
});

describe("what else is shown", () => {
  it("one reaction of ours stands on a message, the newest", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    const said = slack.say(slack.ada, dm, "deploy");
    slack.react(slack.ada, said, "eyes");
    const shown = () =>
      slack
        .message(said)
        ?.reactions.filter(({ users }) => users.includes(slack.botUserId))
        .map(({ name }) => name);
    for (const [reaction, name] of [
      ["received", "eyes"],
      ["received", "eyes"],
      ["failed", "x"],
      ["done", "white_check_mark"],
      ["stopped", "black_square_for_stop"],
    ] as const) {
      expect(await adapter.react?.({ channel: dm }, said.ts, reaction)).toMatchObject({ outcome: "delivered" });
      expect(shown()).toEqual([name]);
    }
  });

  it("a reaction replaces what an earlier process showed, also when the message is tried again", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    const said = slack.say(slack.ada, dm, "deploy");
    await adapter.react?.({ channel: dm }, said.ts, "failed");
    const { botToken, appToken, url: apiUrl } = slack;
    await expect.poll(() => Date.now()).toBeGreaterThan(Number(said.ts) * 1000);
    const later = createSlackAdapter({ botToken, appToken, apiUrl }, adapterDeps());
    await later.connect();
    expect(await later.react?.({ channel: dm }, said.ts, "received")).toMatchObject({ outcome: "delivered" });
    expect(slack.message(said)?.reactions.map(({ name }) => name)).toEqual(["eyes"]);
    await later.stop();
  });

  it("F-41 the status line stands in its thread and goes", async () => {
    await using wired = await wire({ start: false });
    const { slack, dm, adapter } = wired;
    const said = slack.say(slack.ada, dm, "deploy");
    const there = { channel: dm, thread: said.ts };
    await adapter.status?.(there, "is working · 42 s");
    expect(slack.status(dm, said.ts)).toEqual({ text: "is working · 42 s", loading: ["Working · 42 s"] });
    await adapter.status?.(there, null);
    expect(slack.status(dm, said.ts)).toBeUndefined();
    expect(await adapter.status?.({ channel: dm }, "is working")).toMatchObject({ outcome: "delivered" });
    slack.faults.rateLimit("assistant.threads.setStatus", { retryAfter: 2 });
    expect(await adapter.status?.(there, "is working")).toMatchObject({
      error: { kind: "rate_limited", retryAfterMs: 2000 },
    });
  });

  it("a file goes to its thread with its words; what cannot be sent is told, and nothing is half there", async () => {
    await using wired = await wire({ start: false });
    const { slack, adapter } = wired;
    const root = slack.say(slack.ada, slack.general, "root");
    const there = { channel: slack.general, thread: root.ts };
    const folder = await mkdtemp(join(tmpdir(), "shipmate-slack-"));
    const path = join(folder, "report.csv");
    await writeFile(path, "day,visits\n1,42\n");
    const file = { path, name: "../report.csv", caption: "The *report* <!channel>" };
    const id = idIn(await adapter.upload?.(there, file, "k"));
    expect(slack.message({ channel: slack.general, ts: id })).toMatchObject({
      threadTs: root.ts,
      files: [{ name: "report.csv" }],
      pings: [],
    });
    await writeFile(join(folder, "empty"), "");
    expect(await adapter.upload?.(there, { path: join(folder, "empty"), name: "empty" }, "k")).toMatchObject({
      error: { kind: "rejected" },
    });
    expect(await adapter.upload?.(there, { path: join(folder, "absent"), name: "absent" }, "k")).toMatchObject({
      error: { kind: "rejected" },
    });
    slack.faults.serverError("files.getUploadURLExternal");
    expect(await adapter.upload?.(there, file, "k")).toMatchObject({
      outcome: "failed",
      error: { kind: "unavailable" },
    });
    slack.faults.loseResponseAfterEffect("files.completeUploadExternal");
    expect(await adapter.upload?.(there, file, "k")).toMatchObject({ outcome: "unknown" });
    await rm(folder, { recursive: true });
  });

  it("F-46 the past of a long thread is its end, and of a place that is gone none", async () => {
    await using wired = await wire({ start: false });
    const { slack, adapter } = wired;
    const root = slack.say(slack.ada, slack.general, "root");
    for (let n = 0; n < 250; n += 1) slack.say(slack.ada, slack.general, `line ${n}`, { thread: root.ts });
    const last = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> well?`, { thread: root.ts });
    const signal = AbortSignal.timeout(15_000);
    const past = await adapter.history?.({ channel: slack.general, thread: root.ts }, last.ts, 3, signal);
    expect(past?.map(({ text }) => text)).toEqual(["line 247", "line 248", "line 249"]);
    await expect(adapter.history?.({ channel: "C404" }, last.ts, 3, signal)).rejects.toThrow();
    await expect(adapter.history?.({ channel: slack.general }, last.ts, 3, AbortSignal.abort())).rejects.toThrow();
  });
});
