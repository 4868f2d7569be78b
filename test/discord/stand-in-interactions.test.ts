import { type REST, Routes } from "discord.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { createDiscord, type Discord } from "../fakes/discord/index.ts";
import { button, connectRest, refusal, row } from "./stand-in-client.ts";

interface Given {
  readonly id: string;
  readonly token: string;
  readonly type: number;
  readonly data: Record<string, unknown>;
  readonly [key: string]: unknown;
}

const ephemeral = 64;

/** What people do that wants an answer, spoken raw so that every wrong answer can be tried. */
describe("interactions of the Discord stand-in", () => {
  let discord: Discord;
  let rest: REST;
  let socket: WebSocket;
  let given: Given[];

  beforeEach(async () => {
    discord = await createDiscord();
    rest = connectRest(discord);
    given = [];
    socket = new WebSocket(`${discord.url.replace("http", "ws").replace("/api", "/gateway")}?v=10&encoding=json`);
    socket.on("message", (raw) => {
      const { op, t, d } = JSON.parse(`${raw}`);
      const properties = { os: "linux", browser: "test", device: "test" };
      if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token: discord.token, intents: 1, properties } }));
      if (t === "INTERACTION_CREATE") given.push(d);
    });
    await discord.waitFor(() => discord.gateway.ready);
    await rest.put(Routes.applicationCommands(discord.applicationId), {
      body: [
        { name: "ask", description: "Ask", options: [{ name: "who", description: "w", type: 3, autocomplete: true }] },
        { name: "dm", description: "In direct messages", contexts: [1] },
        { name: "About this", type: 3 },
      ],
    });
  });
  afterEach(async () => {
    socket.terminate();
    await discord.close();
  });

  const next = async (): Promise<Given> => {
    await expect.poll(() => given.length).toBe(1);
    const [one] = given.splice(0);
    if (!one) throw new Error("no interaction");
    return one;
  };
  const callback = ({ id, token }: Given, type: number, data?: object, more: object = {}) =>
    rest.post(Routes.interactionCallback(id, token), { body: { type, data }, auth: false, ...more });
  const followUp = ({ token }: Given, body: object) =>
    rest.post(Routes.webhook(discord.applicationId, token), { body, auth: false }) as Promise<{ id: string }>;
  const original = ({ token }: Given) => Routes.webhookMessage(discord.applicationId, token, "@original");
  const card = async (channel = discord.general) => {
    const list = { type: 3, custom_id: "l", options: [{ label: "One", value: "1" }] };
    const body = { content: "card", components: [row(button("Go", "go")), row(list)] };
    await rest.post(Routes.channelMessages(channel), { body });
    return discord.waitForMessage(channel, (message) => message.text === "card");
  };

  it("takes one answer, within three seconds", async () => {
    const asked = discord.command(discord.ada, discord.general, "ask", { who: "Milo" });
    const one = await next();
    expect(one).toMatchObject({
      type: 2,
      data: { name: "ask", options: [{ name: "who", value: "Milo" }] },
      context: 0,
    });
    await callback(one, 4, { content: "Ada asks" });
    expect(await refusal(callback(one, 4, { content: "again" }))).toMatchObject({ code: 40060, status: 400 });
    expect(asked).toMatchObject({
      answer: "message",
      ephemeral: false,
      failed: false,
      message: { type: 20, fromUs: true },
    });
    const late = discord.command(discord.ada, discord.general, "ask");
    const two = await next();
    discord.passTime(3001);
    expect(await refusal(callback(two, 4, { content: "late" }))).toMatchObject({ code: 10062, status: 404 });
    expect(late).toMatchObject({ answer: undefined, failed: true });
    expect(await refusal(callback({ ...two, token: "wrong" }, 4, { content: "x" }))).toMatchObject({ code: 10062 });
  });

  it("gives the message back where it is asked for", async () => {
    discord.command(discord.ada, discord.general, "ask");
    const query = { query: new URLSearchParams({ with_response: "true" }) };
    const answer = await callback(await next(), 4, { content: "Ada asks" }, query);
    const [shown] = discord.messages(discord.general);
    expect(answer).toMatchObject({
      resource: { message: { id: shown?.id } },
      interaction: { response_message_id: shown?.id },
    });
    await rest.post(Routes.threads(discord.general, `${shown?.id}`), { body: { name: "Work" } });
    expect(discord.thread(`${shown?.id}`)).toMatchObject({ parentId: discord.general });
  });

  it("lets a private thinking be filled, followed up and taken away, for 15 minutes", async () => {
    discord.command(discord.ada, discord.general, "ask");
    const one = await next();
    expect(await refusal(followUp(one, { content: "too early" }))).toMatchObject({ code: 10015 });
    await callback(one, 5, { flags: ephemeral });
    expect(discord.ephemerals(discord.ada)).toMatchObject([{ thinking: true, onlyFor: discord.ada }]);
    await rest.patch(original(one), { body: { content: "filled" }, auth: false });
    expect(discord.ephemerals(discord.ada)).toMatchObject([
      { thinking: false, text: "filled", flags: ephemeral, edited: false },
    ]);
    await followUp(one, { content: "more", flags: ephemeral });
    await rest.delete(original(one), { auth: false });
    expect(discord.ephemerals(discord.ada).map((message) => message.text)).toEqual(["more"]);
    expect(discord.messages(discord.general)).toEqual([]);
    expect(await refusal(rest.patch(original(one), { body: { content: "x" } }))).toMatchObject({ code: 10008 });
    discord.passTime(15 * 60_000);
    expect(await refusal(followUp(one, { content: "late" }))).toMatchObject({ code: 50027, status: 401 });
  });

  it("puts the first follow-up in the place of thinking", async () => {
    discord.command(discord.ada, discord.general, "ask");
    const one = await next();
    await callback(one, 5);
    await followUp(one, { content: "first" });
    await followUp(one, { content: "second", flags: ephemeral });
    expect(discord.messages(discord.general)).toMatchObject([{ text: "first", thinking: false }]);
    expect(discord.ephemerals(discord.ada)).toMatchObject([{ text: "second" }]);
  });

  it("takes a press back without a word, or changes the card", async () => {
    const shown = await card();
    expect(() => discord.press(discord.ada, shown, "Stop")).toThrow("only: Go");
    discord.press(discord.ada, shown, "Go");
    const one = await next();
    expect(one).toMatchObject({ type: 3, data: { custom_id: "go", component_type: 2 }, message: { id: shown.id } });
    await callback(one, 6);
    await followUp(one, { content: "not yours", flags: ephemeral });
    expect(discord.ephemerals(discord.ada)).toMatchObject([{ text: "not yours", replyTo: shown.id }]);
    discord.select(discord.ada, shown, "One");
    const two = await next();
    expect(two).toMatchObject({ data: { custom_id: "l", values: ["1"] } });
    await callback(two, 7, { content: "done", components: [] });
    expect(discord.message(shown.id)).toMatchObject({ text: "done", buttons: [] });
  });

  it("lets only whom it was shown to press a private button", async () => {
    discord.command(discord.ada, discord.general, "ask");
    await callback(await next(), 4, { content: "private", flags: ephemeral, components: [row(button("Go", "go"))] });
    const [shown] = discord.ephemerals(discord.ada);
    expect(() => discord.press(discord.person("Ben"), `${shown?.id}`, "Go")).toThrow("somebody else");
    expect(discord.press(discord.ada, `${shown?.id}`, "Go")).toMatchObject({ kind: "press", name: "go" });
  });

  it("opens a dialog and takes what was written", async () => {
    const shown = await card();
    const field = { type: 4, custom_id: "t", label: "Text", style: 2, min_length: 2, max_length: 10 };
    const modal = { custom_id: "m", title: "Say", components: [row(field)] };
    discord.press(discord.ada, shown, "Go");
    const one = await next();
    for (const [bad, word] of [
      [{ ...modal, title: "t".repeat(46) }, "title"],
      [{ ...modal, custom_id: "" }, "custom_id"],
      [{ ...modal, components: [row({ ...field, label: "l".repeat(46) })] }, "label"],
      [{ ...modal, components: [row({ ...field, max_length: 4001 })] }, "max_length"],
      [{ ...modal, components: [row({ ...field, value: "v".repeat(11) })] }, "value"],
    ] as const) {
      const refused = await refusal(callback(one, 9, bad));
      expect(refused).toMatchObject({ code: 50035 });
      expect(refused.raw).toContain(word);
    }
    await callback(one, 9, modal);
    const open = await discord.waitFor(() => discord.modal(discord.ada));
    expect(open).toMatchObject({ title: "Say", fields: [{ label: "Text", long: true, required: true }] });
    expect(() => discord.submit(discord.ada, open, "x")).toThrow("cannot be sent");
    discord.submit(discord.ada, open, "words");
    const two = await next();
    expect(two).toMatchObject({
      type: 5,
      data: { custom_id: "m", components: [{ components: [{ custom_id: "t", value: "words" }] }] },
    });
    expect(two).toMatchObject({ message: { id: shown.id } });
    expect(discord.modal(discord.ada)).toBeUndefined();
    expect(await refusal(callback(two, 9, modal))).toMatchObject({ code: 50035 });
    await callback(two, 6);
  });

  it("takes labels around the fields of a dialog too", async () => {
    discord.command(discord.ada, discord.general, "ask");
    const component = { type: 4, custom_id: "t", style: 1, required: false };
    const modal = { custom_id: "m", title: "Say", components: [{ type: 18, label: "Text", component }] };
    await callback(await next(), 9, modal);
    const open = await discord.waitFor(() => discord.modal(discord.ada));
    discord.submit(discord.ada, open, { t: "words" });
    const two = await next();
    expect(two).toMatchObject({ data: { components: [{ type: 18, component: { custom_id: "t", value: "words" } }] } });
    expect(await refusal(callback(two, 6))).toMatchObject({ code: 50035 });
  });

  it("completes what somebody types, 25 at most", async () => {
    const typed = discord.autocomplete(discord.ada, discord.general, "ask", "who", "mi");
    const one = await next();
    expect(one).toMatchObject({ type: 4, data: { options: [{ name: "who", value: "mi", focused: true }] } });
    const choices = Array.from({ length: 26 }, (_, at) => ({ name: `${at}`, value: `${at}` }));
    expect(await refusal(callback(one, 8, { choices }))).toMatchObject({ code: 50035 });
    expect(await refusal(callback(one, 4, { content: "x" }))).toMatchObject({ code: 50035 });
    await callback(one, 8, { choices: choices.slice(0, 2) });
    expect(await typed).toEqual(choices.slice(0, 2));
  });

  it("offers commands on messages, and those of direct messages there only", async () => {
    const said = discord.say(discord.person("Ben"), discord.general, "look");
    discord.contextMenu(discord.ada, said.id, "About this");
    const one = await next();
    expect(one).toMatchObject({
      data: { type: 3, target_id: said.id, resolved: { messages: { [said.id]: { content: "look" } } } },
    });
    expect(() => discord.command(discord.ada, discord.general, "dm")).toThrow("not offered here");
    discord.command(discord.ada, discord.dm(discord.ada), "dm");
    expect(await next()).toMatchObject({ context: 1, user: { id: discord.ada }, channel: { type: 1 } });
  });
});
