import { describe, expect, it } from "vitest";
import { DownloadError, type InboundEvent } from "../../src/chat/index.ts";
import { type Wired, wire } from "./harness.ts";

const eventually = <T>(probe: () => T) => expect.poll(probe, { timeout: 15_000, interval: 5 });

/** The first `count` events, once they are there. */
async function heard({ events }: Wired, count = 1): Promise<InboundEvent[]> {
  await eventually(() => events.length).toBeGreaterThanOrEqual(count);
  return events;
}

describe("what is said in Slack", () => {
  it("a direct message is addressed to us, and a thread of its own", async () => {
    await using wired = await wire();
    const { slack, dm } = wired;
    const said = slack.say(slack.ada, dm, "hello");
    expect(await heard(wired)).toEqual([
      {
        kind: "message",
        key: `${slack.teamId}:${dm}:${said.ts}`,
        place: { channel: dm, kind: "dm", thread: said.ts },
        author: expect.objectContaining({ id: slack.ada, name: "Ada", isBot: false }),
        messageId: said.ts,
        text: "hello",
        sentAt: new Date(Math.round(Number(said.ts) * 1000)),
        addressed: "direct",
        files: [],
      },
    ]);
  });

  it.each(["message", "app_mention"] as const)(
    "F-01 a mention is one event, also when Slack sends its %s first",
    async (first) => {
      await using wired = await wire();
      const { slack } = wired;
      const said = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> deploy, please`, { first });
      slack.say(slack.ada, slack.general, "and now something else");
      const events = await heard(wired, 2);
      expect(slack.envelopes("app_mention")).toHaveLength(1);
      await slack.waitFor(() => slack.envelopes().every(({ ackedAfterMs }) => ackedAfterMs !== undefined));
      expect(events).toMatchObject([
        {
          key: `${slack.teamId}:${slack.general}:${said.ts}`,
          text: "deploy, please",
          addressed: "mention",
          place: { channel: slack.general, kind: "channel", thread: said.ts, title: "#general" },
        },
        { text: "and now something else", addressed: "ambient" },
      ]);
      expect(events).toHaveLength(2);
      expect(events[1]?.place.thread).toBeUndefined();
    },
  );

  it("our name alone is a call, and nothing at all is none", async () => {
    await using wired = await wire();
    const { slack } = wired;
    slack.say(slack.ada, slack.general, `<@${slack.botUserId}>`);
    slack.say(slack.ada, slack.general, "talk");
    expect(await heard(wired, 2)).toMatchObject([
      { text: "", addressed: "mention" },
      { text: "talk", addressed: "ambient" },
    ]);
  });

  it("a follow-up carries its thread, and a reply beneath something of ours is one to us", async () => {
    await using wired = await wire();
    const { slack, adapter } = wired;
    const root = slack.say(slack.ada, slack.general, "mere talk");
    slack.say(slack.ada, slack.general, "more of it", { thread: root.ts });
    const ours = await adapter.post({ channel: slack.general }, { text: "The report", notify: true }, "k");
    const id = ours.outcome === "delivered" ? ours.messageId : "";
    slack.say(slack.ada, slack.general, "thanks", { thread: id });
    const ben = slack.person("Ben");
    slack.say(slack.ada, slack.general, `<@${ben}> look`, { thread: id });
    const events = await heard(wired, 4);
    expect(
      events.map((event) => (event.kind === "message" ? [event.text, event.addressed, event.place.thread] : event)),
    ).toEqual([
      ["mere talk", "ambient", undefined],
      ["more of it", "ambient", root.ts],
      ["thanks", "reply", id],
      ["@Ben look", "ambient", id],
    ]);
    expect(events[3]).toMatchObject({ mentionsOthers: true });
  });

  it("a group conversation is a group, and a private channel a channel", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const group = slack.group([slack.ada, slack.person("Ben")]);
    const hidden = slack.channel("secrets", { private: true });
    slack.say(slack.ada, group, "hello all");
    slack.say(slack.ada, hidden, "psst");
    const events = await heard(wired, 2);
    const places = Object.fromEntries(events.map(({ place }) => [place.channel, place]));
    expect(places[group]).toEqual({ channel: group, kind: "group" });
    expect(places[hidden]).toEqual({ channel: hidden, kind: "channel", title: "#secrets" });
  });

  it("names, channels, links and characters are told as people see them", async () => {
    await using wired = await wire();
    const { slack, dm } = wired;
    const ben = slack.person("Ben");
    slack.say(
      slack.ada,
      dm,
      `<@${ben}> in <#${slack.general}>: <https://a.example/?x=1&amp;y=2|the page>, <https://b.example> <!here> a &lt; b &amp; c`,
    );
    expect(await heard(wired)).toMatchObject([
      {
        text: "@Ben in #general: [the page](https://a.example/?x=1&y=2), https://b.example @here a < b & c",
        mentionsOthers: true,
      },
    ]);
  });

  it("code, quotations and lists keep their form", async () => {
    await using wired = await wire();
    const { slack, dm } = wired;
    slack.say(slack.ada, dm, "look:\n```\nif (a < b) {\n  go();\n}\n```\nwell?");
    slack.say(slack.ada, dm, "a list", {
      blocks: [
        {
          type: "rich_text",
          elements: [
            {
              type: "rich_text_section",
              elements: [
                { type: "text", text: "Two " },
                { type: "text", text: "things", style: { bold: true } },
              ],
            },
            {
              type: "rich_text_list",
              style: "ordered",
              elements: [
                {
                  type: "rich_text_section",
                  elements: [
                    { type: "text", text: "run " },
                    { type: "text", text: "npm test", style: { code: true } },
                  ],
                },
                { type: "rich_text_section", elements: [{ type: "link", url: "https://a.example", text: "read" }] },
              ],
            },
            {
              type: "rich_text_list",
              style: "bullet",
              indent: 1,
              elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "inner" }] }],
            },
            { type: "rich_text_quote", elements: [{ type: "text", text: "said\nbefore" }] },
          ],
        },
      ],
    });
    const events = await heard(wired, 2);
    expect(events).toMatchObject([
      { text: "look:\n\n```\nif (a < b) {\n  go();\n}\n```\n\nwell?" },
      { text: "Two **things**\n\n1. run `npm test`\n2. [read](https://a.example)\n   - inner\n\n> said\n> before" },
    ]);
  });

  it("/me, a reply shown in the channel and another bot are messages; our own are not", async () => {
    await using wired = await wire();
    const { slack, adapter } = wired;
    const robot = slack.person("Robot", { bot: true });
    slack.say(slack.ada, slack.general, "waves", { subtype: "me_message" });
    const root = slack.say(slack.ada, slack.general, "root");
    slack.say(slack.ada, slack.general, "for all", { thread: root.ts, broadcast: true });
    await adapter.post({ channel: slack.general }, { text: "ours", notify: true, persona: { name: "Milo" } }, "k");
    slack.say(robot, slack.general, "beep");
    const events = await heard(wired, 4);
    expect(events).toMatchObject([
      { text: "waves" },
      { text: "root" },
      { text: "for all", place: { thread: root.ts } },
      { text: "beep", author: { isBot: true } },
    ]);
    expect(events).toHaveLength(4);
  });

  it("F-10 a change of the words is an edit, a preview of a link is none, and a deletion is told", async () => {
    await using wired = await wire();
    const { slack, dm } = wired;
    const said = slack.say(slack.ada, dm, "see https://a.example");
    slack.unfurl(said);
    slack.edit(slack.ada, said, "see <https://b.example>");
    slack.deleteMessage(slack.ada, said);
    const events = await heard(wired, 3);
    expect(events).toMatchObject([
      { kind: "message", messageId: said.ts },
      { kind: "edit", messageId: said.ts, text: "see https://b.example", place: { channel: dm, thread: said.ts } },
      { kind: "deletion", messageId: said.ts, place: { channel: dm } },
    ]);
    expect(events).toHaveLength(3);
    expect(new Set(events.map(({ key }) => key)).size).toBe(3);
  });

  it("the root of a thread that is deleted is a deletion, too", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const root = slack.say(slack.ada, slack.general, "root");
    slack.say(slack.ada, slack.general, "reply", { thread: root.ts });
    slack.deleteMessage(slack.ada, root);
    const events = await heard(wired, 3);
    expect(events[2]).toMatchObject({ kind: "deletion", messageId: root.ts });
  });

  it("what we change and remove ourselves is no news", async () => {
    await using wired = await wire();
    const { slack, dm, adapter, events } = wired;
    const sent = await adapter.post({ channel: dm }, { text: "working", notify: false }, "k");
    const id = sent.outcome === "delivered" ? sent.messageId : "";
    await adapter.edit?.({ channel: dm }, id, { text: "done", notify: false });
    await adapter.remove?.({ channel: dm }, id);
    slack.say(slack.ada, dm, "and?");
    await heard(wired);
    expect(events).toMatchObject([{ text: "and?" }]);
  });

  it("files come with names and kinds; what lives elsewhere is a line of text", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    const bytes = Buffer.from("a picture");
    slack.say(slack.ada, dm, "look", {
      files: [
        { name: "../../plan.png", bytes, mime: "image/png" },
        { name: "Budget", external: true },
      ],
    });
    const [event] = await heard(wired);
    expect(event).toMatchObject({
      text: expect.stringMatching(/^look\n\nBudget/u),
      files: [{ name: "plan.png", kind: "photo" }],
    });
    const file = event?.kind === "message" ? event.files[0] : undefined;
    // Only the id, as a message shortcut carries it.
    for (const id of [file?.id ?? "", file?.id.split(" ")[0] ?? ""]) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of (await adapter.download?.({ id }, AbortSignal.timeout(5_000))) ?? [])
        chunks.push(chunk);
      expect(Buffer.concat(chunks)).toEqual(bytes);
    }
  });

  it("F-09 a file that cannot be had is a DownloadError, and its address elsewhere gets no token", async () => {
    await using wired = await wire();
    const { slack, dm, adapter } = wired;
    slack.say(slack.ada, dm, "look", { files: [{ name: "plan.pdf", bytes: Buffer.from("x") }] });
    const [event] = await heard(wired);
    const id = event?.kind === "message" ? (event.files[0]?.id ?? "") : "";
    const fetching = async (file: string) => {
      const stream = await adapter.download?.({ id: file }, AbortSignal.timeout(5_000));
      for await (const _ of stream ?? []);
    };
    const restore = slack.faults.missingScope("files:read");
    await expect(fetching(id)).rejects.toBeInstanceOf(DownloadError);
    restore();
    await expect(fetching("F404")).rejects.toMatchObject({ kind: "gone" });
    const { host } = new URL(slack.url);
    for (const elsewhere of [
      "https://evil.example/x",
      `https://${host}/x`,
      "https://slack.com.evil.example/x",
      "no address",
    ]) {
      await expect(fetching(`F1 ${elsewhere}`)).rejects.toMatchObject({
        kind: "unavailable",
        message: expect.stringContaining("not at Slack"),
      });
    }
  });

  it("a message shared into another is a quotation; shared alone it is somebody else's word", async () => {
    await using wired = await wire();
    const { slack, dm } = wired;
    const shared = {
      is_share: true,
      author_id: "U0BEN",
      author_name: "Ben",
      text: "the &lt;build&gt; broke",
      channel_id: slack.general,
      ts: "1790000000.000100",
    };
    const base = { type: "message", channel: dm, channel_type: "im", user: slack.ada, attachments: [shared] };
    slack.deliver({ ...base, text: "look at this", ts: "1790000001.000100", event_ts: "1790000001.000100" });
    slack.deliver({ ...base, text: "", ts: "1790000002.000100", event_ts: "1790000002.000100" });
    const events = await heard(wired, 2);
    expect(events).toMatchObject([
      { text: "look at this", quote: { text: "the <build> broke", authorName: "Ben", fromUs: false } },
      { text: "the <build> broke", forwardedFrom: "Ben" },
    ]);
  });

  it("we hear that we were taken into a channel and out of it, and by whom", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const team = slack.channel("team", { botIn: false });
    slack.invite(slack.ada, team);
    slack.join(slack.person("Ben"), slack.general);
    slack.kick(slack.ada, team);
    slack.deliver({ type: "channel_archive", channel: slack.general, user: slack.ada, event_ts: "1790000009.000100" });
    await eventually(() => wired.events.filter(({ kind }) => kind === "membership").length).toBeGreaterThanOrEqual(3);
    expect(wired.events).toContainEqual(
      expect.objectContaining({
        kind: "membership",
        change: "added",
        author: expect.objectContaining({ id: slack.ada }),
      }),
    );
    const removed = wired.events.filter((event) => event.kind === "membership" && event.change === "removed");
    expect(new Set(removed.map(({ place }) => place.channel))).toEqual(new Set([team, slack.general]));
  });

  it("a name that cannot be had is the id, and joining notices are nothing", async () => {
    await using wired = await wire();
    const { slack, dm, events } = wired;
    slack.faults.reject("users.info", "user_not_found", { times: 10 });
    slack.deliver({
      type: "message",
      subtype: "channel_join",
      channel: slack.general,
      user: slack.ada,
      ts: "1.1",
      event_ts: "1.1",
      text: "joined",
    });
    slack.say(slack.ada, dm, "hello");
    await heard(wired);
    expect(events).toMatchObject([{ author: { id: slack.ada, name: slack.ada } }]);
  });

  it("a message full of names does not make us ask Slack for thousands", async () => {
    await using wired = await wire();
    const { slack } = wired;
    const names = Array.from({ length: 3_000 }, (_, at) => `<@U${at}X>`).join(" ");
    slack.say(slack.ada, slack.general, `<@${slack.botUserId}> ${names}`);
    await heard(wired);
    expect(slack.calls("users.info").length).toBeLessThan(60);
  });

  it("an event of a shape nobody foresaw is acknowledged and stops nothing", async () => {
    await using wired = await wire();
    const { slack, dm, warnings } = wired;
    slack.deliver({ type: "message", channel: dm, channel_type: "im", user: 7, ts: { odd: true }, event_ts: "1.1" });
    slack.say(slack.ada, dm, "still here");
    expect(await heard(wired)).toMatchObject([{ text: "still here" }]);
    expect(warnings.join()).toContain("could not be read");
    await slack.waitFor(() => slack.envelopes("message").every(({ ackedAfterMs }) => ackedAfterMs !== undefined));
  });
});
