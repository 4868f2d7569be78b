import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { failures, gate, say, shell, waitFor } from "../fakes/model/index.ts";
import type { Person, SeenMessage } from "../fakes/telegram/index.ts";
import { createClaimedWorld, type World } from "../support/world.ts";

let world: World;
let ben: Person;
let group: number;
beforeAll(async () => {
  world = await createClaimedWorld();
  ben = await world.hire("Ben");
  group = await world.openGroup({ title: "Workshop" });
});
afterEach(() => world.model.reset());
afterAll(() => world[Symbol.asyncDispose]());

const now = (message: SeenMessage): SeenMessage | undefined =>
  world.telegram.chat(message.chat).messages.find((each) => each.id === message.id);
const live = (chat: number) =>
  world.telegram.waitForMessage(chat, (message) => /^Milo · working/.test(message.text) && message.keyboard.length > 0);

/** Processes on this machine whose command line holds a text. */
async function running(marker: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => line.includes(marker));
}

describe("stopping in a private chat", () => {
  it("ends the turn and the command it runs, by Stop on the draft", async () => {
    const { telegram, model, home } = world;
    const { ada } = telegram;
    const started = join(home, "workspaces", "milo", "started");
    // The marker is a duration nobody else sleeps for.
    model.enqueue([shell("touch started; sleep 4242.17", { yieldMs: 60_000 })], [say("Never said.")]);

    const asked = telegram.say(ada, ada, "sleep well");
    await expect.poll(() => existsSync(started), { timeout: 15_000 }).toBe(true);
    expect(await running("4242.17")).not.toEqual([]);
    await telegram.waitFor(() => telegram.chat(ada).draft?.canStop);
    telegram.stopDraft(ada);
    await telegram.waitForMessage(ada, (message) => message.text === "Stopped by Ada.");

    await expect.poll(() => running("4242.17"), { timeout: 15_000 }).toEqual([]);
    await telegram.waitFor(() => now(asked)?.reactions[0] === stoppedSign);
    expect(model.requests).toHaveLength(1);
  });

  it.each(["stop", "Cancel!", "/stop"])("ends the turn by the message %j, and keeps what was said", async (word) => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([say(`Half an answer to ${word}. `, { phase: "commentary" }), waitFor(opened)]);

    telegram.say(ada, ada, `long work ended by: ${word}`);
    await opened.reached;
    await telegram.waitFor(() => telegram.chat(ada).draft?.text.includes("Milo"));
    const told = telegram.say(ada, ada, word);
    await telegram.waitFor(() => now(told)?.reactions[0] === stoppedSign);
    const kept = await telegram.waitForMessage(ada, (message) => message.text.includes(`Half an answer to ${word}.`));
    expect(kept.text).toMatch(/Milo · stopped by Ada · /);
    expect(telegram.chat(ada).fromBot.filter(({ text }) => text.startsWith("Stopping"))).toEqual([]);
    opened.open();
    expect(await world.query("select id from runs where completed_at is null")).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  it("says so when nothing runs", async () => {
    const { telegram } = world;
    telegram.say(ben, ben, "stop");
    await telegram.waitForMessage(ben, (message) => message.text === "Nothing you asked for is running here.");
  });
});

describe("stopping in a group", () => {
  it("is for the one who asked and for managers, by the button on the live message", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const stranger = telegram.person("Stranger");
    const opened = gate();
    model.enqueue([waitFor(opened), say("Never said.")]);

    const asked = telegram.say(ada, group, "@shipmate_bot long work");
    const view = await live(group);
    const refused = [stranger, ben].map((person) => telegram.press(person, view, "Stop"));
    await telegram.waitFor(() => refused.every((press) => press.answer()));
    expect(refused.map((press) => press.answer()?.text)).toEqual([
      "I don't know you yet, so I can't take that.",
      "Only Ada or a manager can decide this.",
    ]);
    const press = telegram.press(ada, view, "Stop");
    await telegram.waitForMessage(group, (message) => message.text === "Stopped by Ada.");
    opened.open();

    expect(press.answer()?.text).toBe("Stopping.");
    await telegram.waitFor(() => now(view) === undefined);
    await telegram.waitFor(() => now(asked)?.reactions[0] === stoppedSign);
  });

  it("also cancels what the same person has waiting, and nobody else's", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    const opened = gate();
    model.enqueue([waitFor(opened), say("Never said.")], [say("Ada's turn came.")]);

    telegram.say(ben, group, "@shipmate_bot Ben's long work");
    await opened.reached;
    telegram.say(ada, group, "@shipmate_bot Ada waits");
    await telegram.waitForMessage(group, (message) => message.text.startsWith("In line"));
    telegram.say(ben, group, "stop", { replyTo: (await live(group)).id });
    await telegram.waitForMessage(group, (message) => message.text === "Stopped by Ben.");
    await telegram.waitForMessage(group, (message) => message.text.includes("Ada's turn came."));
    opened.open();
  });
});

describe("trying again", () => {
  it("answers once, however often the button is pressed", async () => {
    const { telegram, model } = world;
    const { ada } = telegram;
    model.use(() => [failures.keyRejected()]);
    telegram.say(ada, ada, "too much for one turn");
    const failed = await telegram.waitForMessage(
      ada,
      (message) => message.text.startsWith("Milo couldn't finish") && message.keyboard.length > 0,
    );
    model.enqueue([say("Now it worked.")], [say("Once too often.")]);
    const presses = [telegram.press(ada, failed, "Try again"), telegram.press(ada, failed, "Try again")];
    await telegram.waitForMessage(ada, (message) => message.text.includes("Now it worked."));
    await telegram.waitFor(() => presses.every((press) => press.answer()));

    telegram.say(ada, ada, "/status");
    await telegram.waitForMessage(ada, (message) => message.text.includes("Nothing runs, nothing waits."));
    expect(telegram.chat(ada).fromBot.filter((each) => each.text.includes("Once too often."))).toEqual([]);
  });
});

const stoppedSign = "🫡";
