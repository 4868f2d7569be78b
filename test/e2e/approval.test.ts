import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { addFile, call, gate, say, shell, waitFor } from "../fakes/model/index.ts";
import type { ChatTarget, SeenMessage } from "../fakes/telegram/index.ts";
import type { ShipmateProcess } from "../support/shipmate.ts";
import { createWorld, type World } from "../support/world.ts";

let world: World;
let shipmate: ShipmateProcess;
beforeAll(async () => {
  world = await createWorld();
  shipmate = await world.start();
  await world.claim();
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const escalated = (command: string) =>
  shell(command, { escalated: true, justification: "the test wants to see it run" });
const card = (chat: ChatTarget, text: string, button = "Approve"): Promise<SeenMessage> =>
  world.telegram.waitForMessage(
    chat,
    (message) =>
      message.text.includes(text) &&
      labels(message)
        .flat()
        .some((label) => label.startsWith(button)),
  );
const answer = (chat: ChatTarget, text: string): Promise<SeenMessage> =>
  world.telegram.waitForMessage(chat, (message) => message.text.includes(text));
const now = (message: SeenMessage): SeenMessage | undefined =>
  world.telegram.chat(message.chat).messages.find((each) => each.id === message.id);
const labels = (message: SeenMessage) => message.keyboard.map((row) => row.map((button) => button.text));

describe("a command that needs a person's word", () => {
  it("runs after Approve, and the card says who decided", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([escalated("echo it-$((20+22))-ran")], [say("It ran.")]);

    telegram.say(ada, ada, "run it");
    const asked = await card(ada, "echo it-$((20+22))-ran");
    expect(asked.text).toMatch(/^Milo asks: run a command\n/);
    expect(asked.text).toContain("because the test wants to see it run");
    expect(asked.silent).toBe(false);
    expect(labels(asked)).toEqual([["Approve", "Deny"], ["For this task"], ["Stop"]]);
    const press = telegram.press(ada, asked, "Approve");
    await answer(ada, "It ran.");

    expect(press.answer()).toBeDefined();
    expect(model.requests.at(-1)?.lastOutput).toContain("it-42-ran");
    expect(now(asked)?.text).toMatch(/Approved by Ada · \d\d:\d\d/);
    expect(now(asked)?.keyboard).toEqual([]);
  });

  it("does not run after Deny, and the teammate goes on", async () => {
    const { telegram, model, home } = world;
    const { ada } = telegram;
    const made = join(home, "never-made");
    model.enqueue([escalated(`touch ${made}`)], [say("Then not.")]);

    telegram.say(ada, ada, "touch it");
    telegram.press(ada, await card(ada, "never-made"), "Deny");
    await answer(ada, "Then not.");

    expect(existsSync(made)).toBe(false);
    expect(model.requests.at(-1)?.lastOutput).toMatch(/rejected/i);
    expect((await answer(ada, "never-made")).text).toContain("Denied by Ada");
  });

  it("ends the task after Stop on its card", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([escalated("echo stopped-here")], [say("Never said.")]);

    telegram.say(ada, ada, "run and regret");
    const asked = await card(ada, "stopped-here");
    telegram.press(ada, asked, "Stop");
    await telegram.waitForMessage(ada, (message) => message.text === "Stopped by Ada.");

    expect(now(asked)?.text).toContain("Stopped by Ada");
    expect(model.requests).toHaveLength(1);
  });

  it("asks once for the same command within a task after For this task", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([escalated("echo for-$((1+1))-task")], [escalated("echo for-$((1+1))-task")], [say("Both ran.")]);

    telegram.say(ada, ada, "twice please");
    const asked = await card(ada, "for-$((1+1))-task");
    telegram.press(ada, asked, "For this task");
    await answer(ada, "Both ran.");

    expect(model.requests.at(-1)?.lastOutput).toContain("for-2-task");
    expect(now(asked)?.text).toMatch(/Approved for this task by Ada/);
    expect(telegram.chat(ada).fromBot.filter((each) => each.text.includes("for-$((1+1))-task"))).toHaveLength(1);
  });

  it("asks nobody after Always, until the rule is revoked in /rules", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const asks = () => telegram.chat(ada).fromBot.filter((each) => each.text.includes("run a command\n\nuname -s"));
    model.enqueue([escalated("uname -s")], [say("First time.")]);
    telegram.say(ada, ada, "what system is this?");
    const asked = await card(ada, "uname -s");
    expect(asked.text).toContain('"Always" allows every command that begins with: uname -s');
    telegram.press(ada, asked, "Always: uname -s");
    await answer(ada, "First time.");
    expect(now(asked)?.text).toContain('Approved by Ada, from now on always for "uname -s"');

    telegram.say(ada, ada, "/new");
    await answer(ada, "A fresh conversation with Milo");
    model.enqueue([escalated("uname -s")], [say("Second time.")]);
    telegram.say(ada, ada, "and now?");
    await answer(ada, "Second time.");
    expect(model.requests.at(-1)?.lastOutput).toContain("Linux");
    expect(asks()).toHaveLength(1);

    telegram.say(ada, ada, "/rules");
    const rules = await card(ada, "Milo may do this without asking", "Revoke");
    expect(rules.text).toContain("uname -s");
    const revoked = telegram.press(ada, rules, "Revoke: uname -s");
    await telegram.waitFor(() => revoked.answer()?.text === "Revoked. I ask again from now on.");
    await telegram.waitFor(() => now(rules)?.text === "Nothing is allowed for good: I ask each time.");
    expect(now(rules)?.keyboard).toEqual([]);

    telegram.say(ada, ada, "/new");
    await telegram.waitFor(() => telegram.chat(ada).fromBot.filter((m) => m.text.includes("A fresh")).length === 2);
    model.enqueue([escalated("uname -s")], [say("Third time.")]);
    telegram.say(ada, ada, "and after that?");
    await telegram.waitFor(() => asks().length === 2);
    telegram.press(ada, await card(ada, "uname -s"), "Deny");
    await answer(ada, "Third time.");
  });

  it("is shown without the secrets in it", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const key = "sk-abcdefghijklmnop1234567890";
    model.enqueue([escalated(`curl -H "Authorization: Bearer ${key}" http://127.0.0.1:9/pay`)], [say("No pay.")]);

    telegram.say(ada, ada, "pay");
    const asked = await card(ada, "/pay");
    telegram.press(ada, asked, "Deny");
    await answer(ada, "No pay.");

    expect(asked.text).toContain("[secret]");
    expect(JSON.stringify(telegram.calls().map((each) => each.payload))).not.toContain(key);
  });
});

describe("a change outside the workspace", () => {
  it("is shown as a diff, whole in a file where it is long, and made after Approve", async () => {
    const { telegram, model, home } = world;
    const { ada } = telegram;
    const path = join(home, "outside.txt");
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of the long change`);
    model.enqueue([addFile(path, lines)], [say("Changed.")]);

    telegram.say(ada, ada, "change it");
    const asked = await card(ada, "Milo asks: change a file");
    expect(asked.text).toContain("outside.txt (new)");
    expect(asked.text).toContain("line 1 of the long change");
    expect(asked.text).toContain("The whole is in the file above.");
    const diff = telegram.chat(ada).fromBot.find((each) => each.file?.name === "changes.diff");
    expect(diff?.file?.bytes.toString()).toContain("line 60 of the long change");
    expect(diff && diff.id < asked.id).toBe(true);
    expect(existsSync(path)).toBe(false);
    telegram.press(ada, asked, "Approve");
    await answer(ada, "Changed.");

    expect(await readFile(path, "utf8")).toContain("line 60");
    expect(now(asked)?.text).toContain("Approved by Ada");
  });
});

describe("an action the teammate asks for by itself", () => {
  const publish = call("shipmate", "request_approval", {
    title: "Publish the report",
    details: "On the team's page, for everybody",
    reversible: false,
  });

  it("says that it cannot be undone, and the decision reaches the teammate", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([publish], [say("Published.")]);

    telegram.say(ada, ada, "publish");
    const asked = await card(ada, "Milo asks: Publish the report");
    expect(asked.text).toContain("On the team's page, for everybody");
    expect(asked.text).toContain("This can't be undone.");
    telegram.press(ada, asked, "Approve");
    await answer(ada, "Published.");

    expect(model.requests.at(-1)?.lastOutput).toContain('Approved by "Ada"');
  });

  it("waits through a restart of the bot, and its decision starts one more turn", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([
      call("shipmate", "request_approval", { title: "Send the late letter", details: "To all", reversible: true }),
    ]);
    telegram.say(ada, ada, "send the letter");
    const asked = await card(ada, "Send the late letter");
    await world.allPosted();
    await shipmate.end("SIGKILL");
    shipmate = await world.start();
    await answer(ada, "I restarted in the middle of this");

    model.enqueue([say("The letter is out.")]);
    telegram.press(ada, asked, "Approve");
    await answer(ada, "The letter is out.");

    expect(model.requests.at(-1)?.lastUserText).toMatch(/approved by Ada[\s\S]*Send the late letter/);
    expect(now(asked)?.text).toContain("Approved by Ada");
    expect(telegram.chat(ada).fromBot.filter((each) => each.text.includes("The letter is out."))).toHaveLength(1);
  });

  it("is over after its deadline: the card says so, and a press does nothing", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.enqueue([
      call("shipmate", "request_approval", { title: "Order the cake", details: "One", reversible: true }),
    ]);
    telegram.say(ada, ada, "order a cake");
    const asked = await card(ada, "Order the cake");
    model.enqueue([say("No cake then.")]);
    await world.query("update attention set expires_at = now() - interval '1 minute' where status = 'open'");
    const press = telegram.press(ada, asked, "Approve");
    await telegram.waitFor(() => press.answer());
    expect(press.answer()?.text).toBe("This has expired, so nothing was done.");
    await telegram.waitFor(() => now(asked)?.text.includes("Expired"), 30_000);
    await answer(ada, "No cake then.");

    expect(now(asked)?.keyboard).toEqual([]);
    expect(model.requests.at(-1)?.lastOutput).toContain("Nobody decided in time");
  });
});

describe("who may decide in a group", () => {
  it("refuses strangers and members to themselves, takes the first decision, and tells the second presser who decided", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const ben = await world.hire("Ben");
    const stranger = telegram.person("Stranger");
    const manager = await world.hire("Mia", "manager");
    const group = await world.openGroup({ title: "Deciders" });
    model.enqueue([escalated("echo group-$((2+3))-ran")], [say("Ran in the group.")]);
    telegram.say(ada, group, "@shipmate_bot run it here");
    const asked = await card(group, "group-$((2+3))-ran");

    const byStranger = telegram.press(stranger, asked, "Approve");
    const byBen = telegram.press(ben, asked, "Approve");
    await telegram.waitFor(() => byStranger.answer() && byBen.answer());
    expect(byStranger.answer()).toEqual({ text: "I don't know you yet, so I can't take that.", alert: true });
    expect(byBen.answer()?.text).toBe("Only Ada or a manager can decide this.");
    expect(now(asked)?.keyboard).not.toEqual([]);

    const view = await telegram.waitForMessage(group, (message) =>
      /^Milo · waiting for you · .* · Decide here/.test(message.text),
    );
    expect(view.source).toContain(`/${asked.id}">Decide here</a>`);

    const first = telegram.press(manager, asked, "Approve");
    const second = telegram.press(ada, asked, "Deny");
    await answer(group, "Ran in the group.");
    await telegram.waitFor(() => first.answer() && second.answer());
    expect(first.answer()).toEqual({ text: "Approved.", alert: false });
    expect(second.answer()?.text).toMatch(/^Mia already approved this at \d\d:\d\d( UTC)?\.$/);
    expect(now(asked)?.text).toContain("Approved by Mia");
    expect(telegram.chat(group).fromBot.some((each) => each.text.includes("Only Ada"))).toBe(false);
  });

  it("leaves what can't be undone to the owner, who finds a copy in private and in /inbox", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const cy = await world.hire("Cy");
    const group = await world.openGroup({ title: "Payers" });
    const opened = gate();
    model.enqueue(
      [call("shipmate", "request_approval", { title: "Pay the bill", details: "40 euros", reversible: false })],
      [waitFor(opened), say("Paid.")],
    );
    telegram.say(cy, group, "@shipmate_bot pay");
    const asked = await card(group, "Pay the bill");
    const copy = await card(ada, "Pay the bill");
    const byCy = telegram.press(cy, asked, "Approve");
    await telegram.waitFor(() => byCy.answer());
    expect(byCy.answer()?.text).toBe("Only an owner or admin can decide this.");
    telegram.say(ada, ada, "/inbox");
    const inbox = await answer(ada, "One thing waits for you");
    expect(inbox.text).toContain("Pay the bill");

    telegram.press(ada, copy, "Approve");
    opened.open();
    await answer(group, "Paid.");
    expect(now(asked)?.text).toContain("Approved by Ada");
    expect(now(copy)?.text).toContain("Approved by Ada");
    telegram.say(ada, ada, "/inbox");
    await answer(ada, "Nothing waits for you.");
  });
});
