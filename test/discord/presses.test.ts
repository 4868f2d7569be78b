import { describe, expect, it, vi } from "vitest";
import type { ButtonEvent, CommandEvent, InboundEvent, Interaction } from "../../src/chat/index.ts";
import { restarted, type Wired, wire } from "./harness.ts";
import { visible } from "./visible.ts";

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const registered = ({ discord }: Wired) => discord.waitFor(() => discord.commands().length > 0);
const commandIn = (events: readonly InboundEvent[]) =>
  events.find((event): event is CommandEvent => event.kind === "command");
const pressIn = (events: readonly InboundEvent[]) =>
  events.find((event): event is ButtonEvent => event.kind === "button");
const approve = { label: "Approve", token: "tok_a", style: "primary" } as const;

async function card(wired: Wired, more = {}) {
  const { discord, adapter } = wired;
  const sent = await adapter.post(
    { channel: discord.general },
    { text: "Milo asks", buttons: [[approve]], notify: true, ...more },
    "card",
  );
  return sent.outcome === "delivered" ? sent.messageId : "";
}

describe("presses on Discord", () => {
  it("F-31 are acknowledged while nothing can be stored", async () => {
    let failing = true;
    await using wired = await wire({
      before: async () => {
        if (failing) throw new Error("the database is away");
      },
    });
    const { discord, events } = wired;
    const id = await card(wired);
    discord.say(discord.ada, discord.general, "a message that cannot be stored either");
    const press = discord.press(discord.ada, id, "Approve");
    await discord.waitFor(() => discord.interactions().find((one) => one.id === press.id)?.answer);
    expect(events).toEqual([]);
    failing = false;
    await until(() => expect(events).toHaveLength(2));
    expect(pressIn(events)).toMatchObject({ token: "tok_a", messageId: id, place: { channel: discord.general } });
    expect(discord.interactions()[0]).toMatchObject({ answer: "deferredUpdate", failed: false });
  });

  it("F-16 do not wait behind messages that cannot be stored", async () => {
    await using wired = await wire({
      before: async ({ kind }) => {
        if (kind === "message") throw new Error("this one never fits");
      },
    });
    const { discord, events } = wired;
    const id = await card(wired);
    discord.say(discord.ada, discord.general, "stuck");
    discord.press(discord.ada, id, "Approve");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "button" });
  });

  it("F-28 that are refused are told to the presser alone", async () => {
    await using wired = await wire();
    const { discord, events, adapter } = wired;
    const ben = discord.person("Ben");
    discord.press(ben, await card(wired), "Approve");
    await until(() => expect(events).toHaveLength(1));
    const press = pressIn(events);
    if (press) await adapter.answer?.(press.interaction, "Only Ada or a manager_x can decide this.", true);
    expect(discord.ephemerals(ben).map(({ text }) => visible(text))).toEqual([
      "Only Ada or a manager_x can decide this.",
    ]);
    expect(discord.ephemerals(discord.ada)).toEqual([]);
  });

  it("on something private say so, and what was private can be changed", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events, adapter } = wired;
    discord.command(discord.ada, discord.general, "status");
    await until(() => expect(events).toHaveLength(1));
    const onlyFor = { userId: discord.ada, interaction: commandIn(events)?.interaction };
    const post = { text: "Stop it?", buttons: [[approve]], onlyFor, notify: false };
    const sent = await adapter.post({ channel: discord.general }, post, "k1");
    const id = sent.outcome === "delivered" ? sent.messageId : "";
    discord.press(discord.ada, id, "Approve");
    await until(() => expect(pressIn(events)).toMatchObject({ private: true, messageId: id }));
    expect(
      await adapter.edit?.({ channel: discord.general }, id, { text: "Stopped.", onlyFor, notify: false }),
    ).toMatchObject({ outcome: "delivered" });
    expect(discord.ephemerals(discord.ada).map(({ text, buttons }) => [text, buttons.length])).toEqual([
      ["Stopped.", 0],
    ]);
  });

  it("on something private, or a form filled in on it, can change it", async () => {
    await using wired = await wire({
      deps: { form: async () => ({ title: "T", label: "L", long: false, required: true }) },
    });
    await registered(wired);
    const { discord, events, adapter } = wired;
    const general = { channel: discord.general };
    discord.command(discord.ada, discord.general, "status");
    await until(() => expect(events).toHaveLength(1));
    const asked = { userId: discord.ada, interaction: commandIn(events)?.interaction };
    const buttons = [[approve, { ...approve, token: "tok_form", label: "Write…", opensForm: true }]];
    const sent = await adapter.post(general, { text: "Choose", buttons, onlyFor: asked, notify: false }, "k1");
    const id = sent.outcome === "delivered" ? sent.messageId : "";
    const change = (interaction: Interaction | undefined, text: string) =>
      adapter.edit?.(general, id, { text, buttons, onlyFor: { userId: discord.ada, interaction }, notify: false });

    discord.press(discord.ada, id, "Approve");
    await until(() => expect(events).toHaveLength(2));
    expect(await change(pressIn(events)?.interaction, "Pressed")).toMatchObject({ outcome: "delivered" });
    discord.press(discord.ada, id, "Write…");
    await until(() => expect(discord.modal(discord.ada)).toBeDefined());
    const modal = discord.modal(discord.ada);
    if (modal) discord.submit(discord.ada, modal, "written");
    await until(() => expect(events).toHaveLength(3));
    const form = events.at(-1);
    expect(await change(form?.kind === "form" ? form.interaction : undefined, "Written")).toMatchObject({
      outcome: "delivered",
    });
    expect(discord.ephemerals(discord.ada).map(({ text }) => text)).toEqual(["Written"]);
  });

  it("that Discord does not know any more are written down, and count all the same", async () => {
    await using wired = await wire();
    const { discord, events, warnings } = wired;
    const id = await card(wired);
    discord.faults.reject("POST /interactions/:interaction/:token/callback", 404, 10062, "Unknown interaction");
    discord.press(discord.ada, id, "Approve");
    await until(() => expect(events).toHaveLength(1));
    await until(() => expect(warnings.join()).toContain("10062"));
    discord.faults.reject(
      "POST /interactions/:interaction/:token/callback",
      400,
      40060,
      "Interaction has already been acknowledged.",
    );
    discord.press(discord.ada, id, "Approve");
    await until(() => expect(events).toHaveLength(2));
  });

  it("whose acknowledgement was lost are acknowledged once more", async () => {
    await using wired = await wire();
    const { discord, events, warnings } = wired;
    const id = await card(wired);
    discord.faults.serverError("POST /interactions/:interaction/:token/callback");
    const press = discord.press(discord.ada, id, "Approve");
    await until(() => expect(events).toHaveLength(1));
    await discord.waitFor(() => discord.interactions().find((one) => one.id === press.id)?.answer);
    expect(warnings).toEqual([]);
  });

  it("on a button with a form open it, and are ordinary where the form takes too long", async () => {
    let slow = false;
    const form = async () => {
      if (slow) await new Promise(() => undefined);
      return { title: "Why?", label: "Your reason", long: true, required: false };
    };
    await using wired = await wire({ deps: { form } });
    const { discord, events } = wired;
    const deny = { label: "Deny…", token: "tok_d", opensForm: true };
    const id = await card(wired, { buttons: [[approve, deny]] });
    discord.press(discord.ada, id, "Deny…");
    const modal = await discord.waitFor(() => discord.modal(discord.ada));
    expect(modal).toMatchObject({ title: "Why?", fields: [{ label: "Your reason", long: true, required: false }] });
    discord.submit(discord.ada, modal, "too risky");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "form", token: "tok_d", value: "too risky", messageId: id });
    slow = true;
    discord.press(discord.ada, id, "Deny…");
    await until(() => expect(events).toHaveLength(2));
    expect(events[1]).toMatchObject({ kind: "button", token: "tok_d" });
    expect(discord.interactions().every(({ failed }) => !failed)).toBe(true);
  });

  it("F-29 by two people at once both arrive, each with its presser", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const ben = discord.person("Ben");
    const id = await card(wired);
    discord.press(discord.ada, id, "Approve");
    discord.press(ben, id, "Approve");
    await until(() => expect(events).toHaveLength(2));
    expect(events.map((event) => event.kind === "button" && event.author.id).sort()).toEqual([discord.ada, ben].sort());
  });
});

describe("answers on Discord after a restart", () => {
  it("fill what is still thinking, and follow what was filled", async () => {
    await using wired = await wire();
    await registered(wired);
    const { discord, events, adapter } = wired;
    const here = { channel: discord.general };
    discord.command(discord.ada, discord.general, "status");
    discord.command(discord.ada, discord.general, "status");
    await until(() => expect(events).toHaveLength(2));
    const [first, second] = events.map((event) => ({
      userId: discord.ada,
      interaction: event.kind === "command" ? event.interaction : undefined,
    }));
    await adapter.post(here, { text: "first answer", onlyFor: first, notify: false }, "k1");
    const other = await restarted(discord);
    await other.post(here, { text: "more", onlyFor: first, notify: false }, "k2");
    await other.post(here, { text: "second answer", onlyFor: second, notify: false }, "k3");
    expect(discord.ephemerals(discord.ada).map(({ text, thinking }) => [text, thinking])).toEqual([
      ["first answer", false],
      ["second answer", false],
      ["more", false],
    ]);
  });
});
