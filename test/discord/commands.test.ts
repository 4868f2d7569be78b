import { describe, expect, it, vi } from "vitest";
import type { CommandEvent, InboundEvent } from "../../src/chat/index.ts";
import { type Wired, wire } from "./harness.ts";
import { visible } from "./visible.ts";

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const registered = ({ discord }: Wired) => discord.waitFor(() => discord.commands().length > 0);
const commandIn = (events: readonly InboundEvent[]) =>
  events.find((event): event is CommandEvent => event.kind === "command");

/** What somebody with a client of their own may send: a dialog that we never opened like this. */
function forgedDialog(discord: Wired["discord"], user: string, customId: string): object {
  const id = String(((BigInt(Date.now()) - 1_420_070_400_000n) << 22n) + BigInt(customId.length));
  return {
    id,
    token: `forged-${id}`,
    type: 5,
    guild_id: discord.guildId,
    channel: { id: discord.general, type: 0 },
    channel_id: discord.general,
    entitlements: [],
    authorizing_integration_owners: {},
    member: { user: { id: user, username: "ben" }, roles: [] },
    data: {
      custom_id: customId,
      components: [{ type: 18, id: 1, component: { type: 4, id: 2, custom_id: "value", value: "what is it?" } }],
    },
  };
}

describe("commands on Discord", () => {
  it("F-50 are registered when they changed, after messages can arrive, and not again", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, adapter } = wired;
    expect(discord.commands().map(({ name, type }) => [name, type])).toEqual([
      ["ask", 1],
      ["status", 1],
      ["Ask about this", 3],
    ]);
    expect(discord.commands()[0]?.options.map(({ name, autocomplete }) => [name, autocomplete])).toEqual([
      ["teammate", true],
      ["message", false],
    ]);
    await until(() => expect(wired.kept.has("discord.commands")).toBe(true));
    await adapter.stop();
    await wired.start();
    discord.say(discord.ada, discord.dm(discord.ada), "end");
    await until(() => expect(wired.events).toHaveLength(1));
    expect(discord.commandWrites()).toBe(1);
  });

  it("are registered server by server where that is configured", async () => {
    await using wired = await wire({ ownCommands: true });
    await registered(wired);
    const { discord } = wired;
    expect(new Set(discord.commands().map(({ guildId }) => guildId))).toEqual(new Set([discord.guildId]));
  });

  it("that ask show the question to all, and hang their answers on it", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events, adapter } = wired;
    const given = discord.command(discord.ada, discord.general, "ask", {
      message: "what is *new*?",
      teammate: "Penny",
    });
    await until(() => expect(events).toHaveLength(1));
    const command = commandIn(events);
    const question = discord.messages(discord.general).at(-1);
    expect(visible(question?.text ?? "")).toBe("Penny what is *new*?");
    expect(command).toMatchObject({
      name: "ask",
      argument: "Penny what is *new*?",
      messageId: question?.id,
      place: { channel: discord.general, thread: question?.id },
      author: { id: discord.ada, locale: "en-US" },
    });
    expect(discord.interactions().find(({ id }) => id === given.id)).toMatchObject({
      answer: "message",
      ephemeral: false,
      failed: false,
    });
    const place = command?.place ?? { channel: "" };
    await adapter.post(place, { text: "Nothing.", notify: true }, "k1");
    expect(discord.thread(question?.id ?? "")?.name).toBe("Penny what is new?");
    if (command?.interaction) await adapter.answer?.(command.interaction);
    expect(discord.message(question?.id ?? "")).toBeDefined();
  });

  it("that ask inside a thread go on there", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events } = wired;
    const root = discord.say(discord.ada, discord.general, "plan").id;
    const thread = discord.startThread(discord.ada, root, "The plan");
    discord.command(discord.ada, thread, "ask", { message: "next?", teammate: "Penny" });
    await until(() => expect(commandIn(events)).toBeDefined());
    expect(commandIn(events)?.place).toMatchObject({ channel: discord.general, thread });
  });

  it("are answered privately elsewhere: thinking, then the answer, then more", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events, adapter } = wired;
    discord.command(discord.ada, discord.general, "status");
    await until(() => expect(events).toHaveLength(1));
    const interaction = commandIn(events)?.interaction;
    const onlyFor = { userId: discord.ada, interaction };
    for (const text of ["Nothing runs.", "Nothing waits."]) {
      expect(await adapter.post({ channel: discord.general }, { text, onlyFor, notify: false }, text)).toMatchObject({
        outcome: "delivered",
      });
    }
    expect(discord.ephemerals(discord.ada).map(({ text, thinking }) => [text, thinking])).toEqual([
      ["Nothing runs.", false],
      ["Nothing waits.", false],
    ]);
    expect(discord.messages(discord.general)).toEqual([]);
  });

  it("are answered privately also when the answer is faster than the acknowledgement", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events, adapter } = wired;
    const release = discord.faults.hold("POST /interactions/:interaction/:token/callback");
    discord.command(discord.ada, discord.general, "status");
    await until(() => expect(events).toHaveLength(1));
    const onlyFor = { userId: discord.ada, interaction: commandIn(events)?.interaction };
    const sent = adapter.post({ channel: discord.general }, { text: "Quick.", onlyFor, notify: false }, "k1");
    // By the time a whole other call is through, an answer that did not wait would be, too.
    await adapter.typing?.({ channel: discord.general });
    release();
    expect(await sent).toMatchObject({ outcome: "delivered" });
    expect(discord.ephemerals(discord.ada).map(({ text }) => text)).toEqual(["Quick."]);
    expect(discord.messages(discord.general)).toEqual([]);
  });

  it("are answered to nobody else where their token is too old, or where Discord forgot them", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events, adapter } = wired;
    discord.command(discord.ada, discord.general, "status");
    await until(() => expect(events).toHaveLength(1));
    discord.passTime(16 * 60_000);
    const onlyFor = { userId: discord.ada, interaction: commandIn(events)?.interaction };
    const receipt = await adapter.post({ channel: discord.general }, { text: "Late.", onlyFor, notify: false }, "k1");
    expect(receipt).toMatchObject({ outcome: "failed", error: { kind: "gone" } });
    const unknown = { id: onlyFor.interaction?.id ?? "", payload: "thinking:another-token" };
    for (const interaction of [unknown, undefined]) {
      const lost = { text: "A code", onlyFor: { userId: discord.ada, interaction }, notify: false };
      expect(await adapter.post({ channel: discord.general }, lost, `k-${interaction?.id}`.slice(0, 25))).toMatchObject(
        {
          outcome: "failed",
        },
      );
    }
    expect(discord.messages(discord.general)).toEqual([]);
  });

  it("complete names while somebody types, and nothing where that fails", async () => {
    const asked: string[][] = [];
    const complete = async (...question: [string, string, string]) => {
      asked.push(question);
      if (question[1] === "x") throw new Error("no database");
      return ["Penny", "Pepe"];
    };
    await using wired = await wire({ deps: { complete } });
    await registered(wired);
    const { discord } = wired;
    const choices = await discord.autocomplete(discord.ada, discord.general, "ask", "teammate", "Pe");
    expect(choices.map(({ value }) => value)).toEqual(["Penny", "Pepe"]);
    expect(asked).toEqual([["teammate", "Pe", discord.ada]]);
    expect(await discord.autocomplete(discord.ada, discord.general, "ask", "teammate", "x")).toEqual([]);
    expect(wired.events).toEqual([]);
  });

  it("on a message ask about it: its words and files, in a thread on it, the question shown there", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events } = wired;
    const ben = discord.person("Ben");
    const file = { name: "log.txt", bytes: Buffer.from("boom"), mime: "text/plain" };
    const target = discord.say(ben, discord.general, "it **broke**", { files: [file] }).id;
    discord.contextMenu(discord.ada, target, "Ask about this");
    const modal = await discord.waitFor(() => discord.modal(discord.ada));
    expect(modal.fields).toHaveLength(1);
    discord.submit(discord.ada, modal, "why?");
    await until(() => expect(commandIn(events)).toBeDefined());
    const command = commandIn(events);
    expect(command).toMatchObject({
      name: "ask",
      argument: "why?",
      place: { channel: discord.general, thread: target },
      quote: { messageId: target, text: "it **broke**", authorName: "Ben", fromUs: false },
      files: [{ name: "log.txt" }],
    });
    const shown = discord.messages(target).at(-1);
    expect(shown).toMatchObject({ id: command?.messageId });
    expect(visible(shown?.text ?? "")).toBe("Ada asks: why?");
    if (command?.interaction) await wired.adapter.answer?.(command.interaction);
    expect(discord.ephemerals(discord.ada)).toEqual([]);
    const stream = await wired.adapter.download?.(command?.files?.[0] ?? { id: "" }, AbortSignal.timeout(5000));
    for await (const chunk of stream ?? []) expect(Buffer.from(chunk).toString()).toBe("boom");
  });

  it("of somebody who may not ask show nothing and make no thread; they alone are answered", async () => {
    const asked: unknown[] = [];
    const mayAsk = async (...question: unknown[]) => {
      asked.push(question);
      return false;
    };
    await using wired = await wire({ deps: { mayAsk } });
    await registered(wired);
    const { discord, events } = wired;
    const target = discord.say(discord.ada, discord.general, "it broke").id;
    const ben = discord.person("Ben");
    discord.command(ben, discord.general, "ask", { teammate: "Penny", message: "buy my coins" });
    discord.contextMenu(ben, target, "Ask about this");
    discord.submit(ben, await discord.waitFor(() => discord.modal(ben)), "buy my coins");
    await until(() => expect(events.filter(({ kind }) => kind === "command")).toHaveLength(2));
    for (const event of events) if (event.kind === "command") expect(event.messageId).toBeUndefined();
    // The acknowledgement is on its way beside the event.
    await until(() => expect(discord.ephemerals(ben)).toMatchObject([{ thinking: true }, { thinking: true }]));
    expect(discord.messages(discord.general).map(({ text }) => text)).toEqual(["it broke"]);
    expect(discord.thread(target)).toBeUndefined();
    expect(asked[0]).toEqual([expect.objectContaining({ channel: discord.general }), ben]);
  });

  it("on a message of another channel, by a forged dialog, ask about nothing and are shown nowhere else", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events } = wired;
    const hidden = discord.channel("hidden");
    const target = discord.say(discord.ada, hidden, "the salaries").id;
    discord.contextMenu(discord.ada, target, "Ask about this");
    await discord.waitFor(() => discord.modal(discord.ada));
    const ben = discord.person("Ben");
    for (const forged of [target, hidden]) {
      discord.deliver("INTERACTION_CREATE", forgedDialog(discord, ben, `a:${forged}`));
      await until(() => expect(commandIn(events)).toBeDefined());
      const command = commandIn(events);
      events.length = 0;
      expect(command).toMatchObject({ name: "ask", quote: { messageId: forged, fromUs: false }, files: [] });
      expect(command?.quote?.text).toBeUndefined();
      expect(command?.place).toMatchObject({ channel: discord.general });
      expect(command?.place.thread).toBeUndefined();
    }
    expect(discord.messages(hidden).map(({ text }) => text)).toEqual(["the salaries"]);
    expect(discord.thread(target)).toBeUndefined();
  });
});
