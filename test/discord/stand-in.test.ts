import { HTTPError, MessageFlags, RateLimitError, type REST, Routes } from "discord.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscord, type Discord, type DiscordOptions } from "../fakes/discord/index.ts";
import { button, connectRest, refusal, row, text } from "./stand-in-client.ts";

const v2 = MessageFlags.IsComponentsV2;

/** The stand-in against discord.js, which nobody here wrote: as strict as Discord where Shipmate depends on it. */
describe("the Discord stand-in", () => {
  let discord: Discord;
  let rest: REST;

  const start = async (options: DiscordOptions = {}) => {
    await discord?.close();
    discord = await createDiscord(options);
    rest = connectRest(discord);
  };
  beforeEach(() => start());
  afterEach(() => discord.close());

  const post = (body: object, channel = discord.general) =>
    rest.post(Routes.channelMessages(channel), { body }) as Promise<{ id: string }>;
  const list = (query: Record<string, string>) =>
    rest.get(Routes.channelMessages(discord.general), { query: new URLSearchParams(query) }) as Promise<
      { id: string; content: string }[]
    >;

  it.each([
    ["2,001 characters", { content: "a".repeat(2001) }, "BASE_TYPE_MAX_LENGTH"],
    ["a nonce of 26 characters", { content: "x", nonce: "n".repeat(26) }, "BASE_TYPE_MAX_LENGTH"],
    ["a custom id of 101", { content: "x", components: [row(button("Go", "c".repeat(101)))] }, "custom_id"],
    ["no custom id", { content: "x", components: [row({ type: 2, style: 1, label: "Go" })] }, "custom_id"],
    ["the same custom id twice", { content: "x", components: [row(button("A", "c"), button("B", "c"))] }, "DUPLICATED"],
    ["a label of 81", { content: "x", components: [row(button("l".repeat(81), "c"))] }, "label"],
    ["a button without a label", { content: "x", components: [row(button("", "c"))] }, "LABEL_OR_EMOJI"],
    [
      "six buttons in a row",
      { content: "x", components: [row(..."abcdef".split("").map((id) => button(id, id)))] },
      "BAD_LENGTH",
    ],
    ["six rows", { content: "x", components: [..."abcdef"].map((id) => row(button(id, id))) }, "BAD_LENGTH"],
    ["an empty row", { content: "x", components: [row()] }, "BAD_LENGTH"],
    [
      "a list beside a button",
      {
        content: "x",
        components: [row(button("A", "a"), { type: 3, custom_id: "s", options: [{ label: "1", value: "1" }] })],
      },
      "WIDTH",
    ],
    [
      "26 options",
      {
        content: "x",
        components: [
          row({
            type: 3,
            custom_id: "s",
            options: Array.from({ length: 26 }, (_, at) => ({ label: `${at}`, value: `${at}` })),
          }),
        ],
      },
      "options",
    ],
    [
      "an option label of 101",
      {
        content: "x",
        components: [row({ type: 3, custom_id: "s", options: [{ label: "l".repeat(101), value: "1" }] })],
      },
      "label",
    ],
    ["a text display without its flag", { content: "x", components: [text("hi")] }, "UNION_TYPE_CHOICES"],
    ["content beside Components V2", { flags: v2, content: "x", components: [text("hi")] }, "LEGACY_FIELDS"],
    [
      "4,001 characters of text displays",
      { flags: v2, components: [text("a".repeat(2000)), text("a".repeat(2001))] },
      "TEXT_SIZE",
    ],
    ["41 components", { flags: v2, components: Array.from({ length: 41 }, () => text("a")) }, "TOTAL_COMPONENTS"],
    [
      "a file that was not sent",
      { flags: v2, components: [{ type: 13, file: { url: "attachment://a.txt" } }] },
      "NOT_FOUND",
    ],
    ["an embed of 4,097", { embeds: [{ description: "a".repeat(4097) }] }, "description"],
    [
      "6,001 characters of embeds",
      { embeds: [{ description: "a".repeat(4000) }, { description: "a".repeat(2001) }] },
      "MAX_EMBED_SIZE",
    ],
    ["an unknown message to answer", { content: "x", message_reference: { message_id: "1" } }, "UNKNOWN_MESSAGE"],
    [
      "mentions allowed twice over",
      { content: "x", allowed_mentions: { parse: ["users"], users: ["1"] } },
      "EXCLUSIVE",
    ],
  ])("refuses %s and says where", async (_name, body, word) => {
    const refused = await refusal(post(body));
    expect(refused).toMatchObject({ code: 50035, status: 400 });
    expect(refused.raw).toContain(word);
    expect(discord.messages(discord.general)).toHaveLength(0);
  });

  it("takes what is just within the limits", async () => {
    await post({ content: "a".repeat(2000), nonce: "n".repeat(25) });
    await post({
      content: "x",
      components: [..."abcde"].map((one) =>
        row(...[1, 2, 3, 4, 5].map((at) => button("l".repeat(80), `${one}${at}`.padEnd(100, "c")))),
      ),
    });
    await post({
      flags: v2,
      components: [text("a".repeat(4000)), ...Array.from({ length: 39 }, () => ({ type: 14 }))],
    });
    expect(discord.messages(discord.general)).toMatchObject([
      {},
      { buttons: { length: 25 } },
      { text: "a".repeat(4000) },
    ]);
  });

  it.each([
    ["nothing at all", {}],
    ["only spaces", { content: "  \n " }],
    ["only buttons", { components: [row(button("A", "a"))] }],
    ["Components V2 without any", { flags: v2, components: [] }],
  ])("does not send %s", async (_name, body) => {
    expect(await refusal(post(body))).toMatchObject({ code: 50006, status: 400 });
  });

  it("knows nobody by a wrong token, and does not know every channel and message", async () => {
    expect(await refusal(connectRest(discord, "other").get(Routes.user()))).toMatchObject({ code: 0, status: 401 });
    expect(await refusal(post({ content: "x" }, "1"))).toMatchObject({ code: 10003, status: 404 });
    const nowhere = Routes.channelMessage(discord.general, "1");
    expect(await refusal(rest.get(nowhere))).toMatchObject({ code: 10008, status: 404 });
    expect(await refusal(rest.get("/nonsense"))).toMatchObject({ status: 404 });
  });

  it("lets nobody edit or delete what somebody else wrote", async () => {
    const said = discord.say(discord.ada, discord.general, "mine");
    const path = Routes.channelMessage(discord.general, said.id);
    expect(await refusal(rest.patch(path, { body: { content: "yours" } }))).toMatchObject({ code: 50005, status: 403 });
    expect(await refusal(rest.delete(path))).toMatchObject({ code: 50013, status: 403 });
  });

  it("keeps to what the bot may do in a channel", async () => {
    discord.forbid(discord.general, "SendMessages");
    expect(await refusal(post({ content: "x" }))).toMatchObject({ code: 50013, status: 403 });
    discord.allow(discord.general, "SendMessages");
    await post({ content: "x" });
    discord.forbid(discord.general, "ViewChannel");
    expect(await refusal(post({ content: "x" }))).toMatchObject({ code: 50001, status: 403 });
    expect(await refusal(post({ content: "x" }, discord.forum()))).toMatchObject({ code: 50008 });
    discord.removeFromGuild(discord.guildId);
    expect(await refusal(rest.get(Routes.channel(discord.general)))).toMatchObject({ code: 50001 });
  });

  it("gives the first message again for the same nonce, for a few minutes", async () => {
    const body = { content: "once", nonce: "n", enforce_nonce: true };
    const first = await post(body);
    expect((await post(body)).id).toBe(first.id);
    await post({ content: "without enforcing", nonce: "n" });
    discord.passTime(10 * 60_000);
    expect((await post(body)).id).not.toBe(first.id);
    expect(discord.messages(discord.general)).toHaveLength(3);
  });

  it("notifies whom allowed_mentions lets it notify", async () => {
    const ben = discord.person("Ben");
    const said = discord.say(discord.ada, discord.general, "hello");
    const content = `${discord.mention(ben)} @everyone \`${discord.mention(discord.ada)}\``;
    const reply = { message_reference: { message_id: said.id } };
    await post({ content, ...reply });
    await post({ content, ...reply, allowed_mentions: { parse: [] } });
    await post({ content, ...reply, allowed_mentions: { users: [ben], replied_user: true } });
    await post({ flags: v2, components: [text(discord.mention(ben))] });
    expect(discord.messages(discord.general).map((message) => message.pings)).toEqual([
      [],
      [ben, discord.ada, "everyone"],
      [],
      [ben, discord.ada],
      [ben],
    ]);
  });

  it("keeps Components V2 once they were chosen", async () => {
    const sent = await post({ content: "old style" });
    const path = Routes.channelMessage(discord.general, sent.id);
    const components = [{ type: 17, components: [text("new"), row(button("A", "a"))] }];
    expect((await refusal(rest.patch(path, { body: { flags: v2, content: "x", components } }))).raw).toContain(
      "LEGACY",
    );
    await rest.patch(path, { body: { flags: v2, content: null, components } });
    expect((await refusal(rest.patch(path, { body: { content: "back" } }))).raw).toContain("LEGACY_FIELDS");
    await rest.patch(path, { body: { components: [text("newer")] } });
    expect(discord.message(sent.id)).toMatchObject({ text: "newer", flags: v2, edited: true, buttons: [] });
  });

  it("takes files, up to ten and up to 10 MiB each, and serves them for a day", async () => {
    const bytes = Buffer.from("line one\r\nline two\r\n--not-a-boundary\r\n");
    const send = (sizes: readonly number[]) =>
      rest.post(Routes.channelMessages(discord.general), {
        body: { content: "see" },
        files: sizes.map((size, at) => ({ name: `f${at}.bin`, data: Buffer.alloc(size) })),
      });
    const body = { content: "see", attachments: [{ id: 0, description: "A report" }] };
    const files = [{ name: "report; final.txt", data: bytes, contentType: "text/plain" }];
    await rest.post(Routes.channelMessages(discord.general), { body, files });
    const file = discord.messages(discord.general)[0]?.files[0];
    expect(file).toMatchObject({ name: "report_final.txt", bytes, mime: "text/plain" });
    const address = file?.url ?? "";
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(bytes);
    expect((await fetch(address.replace(/hm=./, "hm=x"))).status).toBe(404);
    discord.passTime(25 * 3600_000);
    expect((await fetch(address)).status).toBe(404);
    const fresh = await rest.post("/attachments/refresh-urls", { body: { attachment_urls: [address] } });
    const { refreshed_urls } = fresh as { refreshed_urls: { refreshed: string }[] };
    expect((await fetch(refreshed_urls[0]?.refreshed ?? "")).status).toBe(200);
    expect((await refusal(send(Array.from({ length: 11 }, () => 1)))).raw).toContain("attachments");
    expect(await refusal(send([10 * 1024 * 1024 + 1]))).toMatchObject({ status: 413, code: 40005 });
    await send([10 * 1024 * 1024]);
  });

  it("lists newest first: right after, right before or around a message", async () => {
    const said = ["1", "2", "3", "4", "5", "6"].map((one) => discord.say(discord.ada, discord.general, one));
    const contents = async (query: Record<string, string>) => (await list(query)).map((one) => one.content).join("");
    const [, second = "", , fourth = ""] = said.map((one) => one.id);
    expect(await contents({})).toBe("654321");
    expect(await contents({ limit: "2" })).toBe("65");
    expect(await contents({ after: second, limit: "2" })).toBe("43");
    expect(await contents({ before: fourth, limit: "2" })).toBe("32");
    expect(await contents({ around: fourth, limit: "3" })).toBe("543");
    expect(await refusal(list({ limit: "101" }))).toMatchObject({ code: 50035 });
    discord.forbid(discord.general, "ReadMessageHistory");
    expect(await contents({})).toBe("");
  });

  it("hides what is not meant for a bot without message content", async () => {
    await start({ messageContentIntent: false });
    discord.say(discord.ada, discord.general, "just talking", { files: [{ name: "a", bytes: Buffer.from("a") }] });
    discord.say(discord.ada, discord.general, `${discord.mention()} hello`);
    await post({ content: "ours" });
    const own = discord.dm(discord.ada);
    discord.say(discord.ada, own, "private");
    expect((await list({})).map((one) => one.content)).toEqual(["ours", `${discord.mention()} hello`, ""]);
    expect(await rest.get(Routes.channelMessages(own))).toMatchObject([{ content: "private" }]);
    expect(await rest.get(Routes.currentApplication())).toMatchObject({ flags: 0 });
  });

  it("shows reactions and that somebody types", async () => {
    const said = discord.say(discord.ada, discord.general, "hi");
    const react = (emoji: string) =>
      rest.put(Routes.channelMessageOwnReaction(discord.general, said.id, encodeURIComponent(emoji)));
    await react("👀");
    await react("👀");
    expect(await refusal(react("nonsense"))).toMatchObject({ code: 10014 });
    expect(discord.message(said.id)).toMatchObject({ reactions: ["👀"] });
    await rest.delete(Routes.channelMessageOwnReaction(discord.general, said.id, encodeURIComponent("👀")));
    await rest.post(Routes.channelTyping(discord.general));
    expect(discord.message(said.id)).toMatchObject({ reactions: [] });
    expect(discord.typing(discord.general)).toBe(1);
  });

  it("registers commands by the rules and keeps their ids", async () => {
    const put = (body: object[]) => rest.put(Routes.applicationCommands(discord.applicationId), { body });
    const option = (name: string, required: boolean) => ({ name, description: "d", type: 3, required });
    for (const bad of [
      { name: "Upper", description: "d" },
      { name: "two words", description: "d" },
      { name: "long", description: "d".repeat(101) },
      { name: "none", description: "" },
      { name: "order", description: "d", options: [option("a", false), option("b", true)] },
      { name: "On a message", type: 3, description: "not allowed" },
    ]) {
      expect(await refusal(put([bad]))).toMatchObject({ code: 50035 });
    }
    expect(
      (
        await refusal(
          put([
            { name: "a", description: "d" },
            { name: "a", description: "e" },
          ]),
        )
      ).raw,
    ).toContain("DUPLICATE");
    await put([
      { name: "ask", description: "Ask", options: [option("what", true)] },
      { name: "About this", type: 3 },
    ]);
    const [before] = discord.commands();
    await put([{ name: "ask", description: "Ask something" }]);
    expect(discord.commands()).toMatchObject([{ id: before?.id, description: "Ask something" }]);
    expect(discord.commandWrites()).toBe(2);
    expect(() => discord.command(discord.ada, discord.general, "stop")).toThrow("no command");
    expect(() => discord.command(discord.ada, discord.general, "ask", { what: "x" })).toThrow('has no "what"');
  });

  it("tells its pace in headers, and keeps to it when it is asked to", async () => {
    await start({ rateLimits: true });
    const send = (content: string) =>
      fetch(`${discord.url}/v10/channels/${discord.general}/messages`, {
        method: "POST",
        headers: { authorization: `Bot ${discord.token}`, "content-type": "application/json" },
        body: JSON.stringify({ content }),
      });
    const answers = [];
    for (const at of [1, 2, 3, 4, 5, 6]) answers.push(await send(`${at}`));
    expect(answers.map((one) => one.status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.map((one) => one.headers.get("x-ratelimit-remaining"))).toEqual(["4", "3", "2", "1", "0", "0"]);
    expect(await answers[5]?.json()).toMatchObject({ global: false, retry_after: expect.closeTo(5, 0) });
    discord.passTime(5001);
    expect((await send("7")).status).toBe(200);
  });

  it("fails in the ways it is told to, as often as it is told to", async () => {
    const route = "POST /channels/:channel/messages";
    discord.faults.rateLimit(route, { retryAfter: 7 });
    await expect(post({ content: "x" })).rejects.toThrow(RateLimitError);
    await start();
    discord.faults.serverError(route, { status: 502 });
    await expect(post({ content: "x" })).rejects.toThrow(HTTPError);
    discord.faults.loseResponseAfterEffect(route);
    await expect(post({ content: "once" })).rejects.toThrow();
    expect(discord.messages(discord.general).map((message) => message.text)).toEqual(["once"]);
    discord.faults.reject(route, 403, 50001, "Missing Access", { only: discord.general });
    expect(await refusal(post({ content: "x" }))).toMatchObject({ code: 50001, message: "Missing Access" });
    const release = discord.faults.hold(route);
    const waiting = post({ content: "held" });
    await discord.waitFor(() => discord.calls(route).length === 4);
    expect(discord.messages(discord.general)).toHaveLength(1);
    release();
    await waiting;
    await discord.faults.refuseConnections();
    await expect(post({ content: "x" })).rejects.toThrow();
    await discord.faults.acceptConnections();
    discord.faults.unauthorize();
    expect(await refusal(post({ content: "x" }))).toMatchObject({ status: 401 });
    discord.faults.authorize();
    rest.setToken(discord.token);
    await post({ content: "fine again" });
  });
});
