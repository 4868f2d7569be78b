import { Api, Bot, GrammyError, InputFile } from "grammy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTelegram, type Telegram } from "../fakes/telegram/index.ts";

/** The stand-in against grammY, which nobody here wrote: as strict as Telegram where Shipmate depends on it. */
describe("the Telegram stand-in", () => {
  let telegram: Telegram;
  let api: Api;

  beforeEach(async () => {
    telegram = await createTelegram({ token: "42:secret", botName: "shipmate_bot" });
    api = new Api(telegram.token, { apiRoot: telegram.url });
    telegram.say(telegram.ada, telegram.ada, "hello");
  });
  afterEach(() => telegram.close());

  const refusal = async (call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(GrammyError);
    const { error_code, description, parameters } = error as GrammyError;
    return { error_code, description, parameters };
  };

  it("keeps an update until a higher offset is asked for", async () => {
    const [update] = await api.getUpdates();
    expect(update?.message).toMatchObject({ text: "hello", from: { id: 7, first_name: "Ada" } });
    expect(await api.getUpdates()).toHaveLength(1);
    expect(await api.getUpdates({ offset: (update?.update_id ?? 0) + 1 })).toHaveLength(0);
    expect(telegram.pendingUpdates()).toHaveLength(0);
  });

  it("gives the first of two pollers a conflict", async () => {
    const first = refusal(api.getUpdates({ offset: 5000, timeout: 30 }));
    await telegram.waitFor(() => telegram.calls("getUpdates").length === 1);
    await api.getUpdates({ offset: 5000 });
    expect(await first).toMatchObject({ error_code: 409 });
  });

  it("answers a waiting poll as soon as somebody writes", async () => {
    const poll = api.getUpdates({ offset: (telegram.pendingUpdates()[0]?.update_id ?? 0) + 1, timeout: 30 });
    await telegram.waitFor(() => telegram.calls("getUpdates").length === 1);
    telegram.say(telegram.ada, telegram.ada, "again");
    expect((await poll).map((update) => update.message?.text)).toEqual(["again"]);
  });

  it.each([
    ["an unclosed tag", "<b>bold"],
    ["an unknown tag", "<h1>x</h1>"],
    ["a bare less-than", "1 < 2"],
    ["tags that overlap", "<b><i>x</b></i>"],
    ["an end without a start", "x</b>"],
  ])("refuses %s in HTML", async (_name, text) => {
    expect((await refusal(api.sendMessage(7, text, { parse_mode: "HTML" }))).description).toContain(
      "can't parse entities",
    );
  });

  it("parses HTML into text and entities with UTF-16 offsets", async () => {
    const html = '😀 <b>a&lt;<i>b</i></b> <pre><code class="language-ts">x &amp; y</code></pre>';
    const sent = await api.sendMessage(7, html, { parse_mode: "HTML" });
    expect(sent.text).toBe("😀 a<b x & y");
    expect(sent.entities).toEqual([
      { type: "bold", offset: 3, length: 3 },
      { type: "italic", offset: 5, length: 1 },
      { type: "pre", offset: 7, length: 5, language: "ts" },
    ]);
  });

  it("parses MarkdownV2, in which what is not escaped is refused", async () => {
    const send = (text: string) => api.sendMessage(7, text, { parse_mode: "MarkdownV2" });
    const sent = await send("😀 *a _b_* [link](https://x.example/\\)) `c\\`` 1\\.\n>quoted\nend");
    expect(sent.text).toBe("😀 a b link c` 1.\nquoted\nend");
    expect(sent.entities).toEqual([
      { type: "bold", offset: 3, length: 3 },
      { type: "italic", offset: 5, length: 1 },
      { type: "text_link", offset: 7, length: 4, url: "https://x.example/)" },
      { type: "code", offset: 12, length: 2 },
      { type: "blockquote", offset: 18, length: 6 },
    ]);
    const code = await send("```ts\nlet x = 1;\n```");
    expect(code).toMatchObject({ text: "let x = 1;", entities: [{ type: "pre", language: "ts" }] });
    for (const text of ["1.", "a - b", "*open", "[x](open", "`open", "(x)"]) {
      expect((await refusal(send(text))).description).toContain("can't parse entities");
    }
  });

  it("measures text after parsing, and refuses empty and overlong ones", async () => {
    await api.sendMessage(7, `<b>${"a".repeat(4096)}</b>`, { parse_mode: "HTML" });
    expect(await refusal(api.sendMessage(7, "a".repeat(4097)))).toMatchObject({
      description: "Bad Request: message is too long",
    });
    expect(await refusal(api.sendMessage(7, "<b> </b>", { parse_mode: "HTML" }))).toMatchObject({ error_code: 400 });
    const file = new InputFile(Buffer.from("x"), "x.txt");
    expect(await refusal(api.sendDocument(7, file, { caption: "a".repeat(1025) }))).toMatchObject({
      description: "Bad Request: message caption is too long",
    });
  });

  it("refuses button data over 64 bytes, counted as bytes", async () => {
    const button = (callback_data: string) => ({ inline_keyboard: [[{ text: "Go", callback_data }]] });
    await api.sendMessage(7, "ok", { reply_markup: button("a".repeat(64)) });
    expect(await refusal(api.sendMessage(7, "no", { reply_markup: button("é".repeat(33)) }))).toMatchObject({
      description: "Bad Request: BUTTON_DATA_INVALID",
    });
  });

  it("refuses an edit that changes nothing", async () => {
    const sent = await api.sendMessage(7, "one");
    await api.editMessageText(7, sent.message_id, "two");
    expect((await refusal(api.editMessageText(7, sent.message_id, "two"))).description).toContain("is not modified");
    expect(telegram.chat(7).fromBot).toMatchObject([{ text: "two", edits: ["one"] }]);
  });

  it("takes one answer to a button, not two", async () => {
    await api.sendMessage(7, "?", { reply_markup: { inline_keyboard: [[{ text: "Go", callback_data: "t" }]] } });
    const card = await telegram.waitForMessage(7, (message) => message.text === "?");
    const press = telegram.press(telegram.ada, card, "Go");
    expect(press.answer()).toBeUndefined();
    await api.answerCallbackQuery(press.id, { text: "Done" });
    expect(press.answer()).toEqual({ text: "Done", alert: false });
    expect(await refusal(api.answerCallbackQuery(press.id))).toMatchObject({ error_code: 400 });
  });

  it("refuses an unknown reply target and an unknown topic", async () => {
    expect(await refusal(api.sendMessage(7, "x", { reply_parameters: { message_id: 999 } }))).toMatchObject({
      description: "Bad Request: message to be replied not found",
    });
    await api.sendMessage(7, "x", { reply_parameters: { message_id: 999, allow_sending_without_reply: true } });
    expect(await refusal(api.sendMessage(7, "x", { message_thread_id: 999 }))).toMatchObject({ error_code: 400 });
  });

  it("shows drafts in private chats and refuses them in groups", async () => {
    await api.raw.sendMessageDraft({ chat_id: 7, draft_id: 5, text: "Thin", can_stop: true });
    expect(telegram.chat(7).draft).toMatchObject({ draftId: 5, text: "Thin" });
    telegram.stopDraft(telegram.ada);
    expect(telegram.pendingUpdates().at(-1)).toMatchObject({ stopped_message_generation: { draft_id: 5 } });
    const group = telegram.createGroup();
    telegram.addToGroup(telegram.ada, group);
    expect(await refusal(api.raw.sendMessageDraft({ chat_id: group, draft_id: 5, text: "x" }))).toMatchObject({
      error_code: 400,
    });
  });

  it("hides what is not meant for the bot while privacy mode is on", () => {
    const group = telegram.createGroup();
    telegram.addToGroup(telegram.ada, group);
    const before = telegram.pendingUpdates().length;
    telegram.say(telegram.ada, group, "just talking");
    telegram.say(telegram.ada, group, "/stop@other_bot");
    expect(telegram.pendingUpdates()).toHaveLength(before);
    telegram.say(telegram.ada, group, "hey @Shipmate_Bot");
    telegram.say(telegram.ada, group, "/status@shipmate_bot");
    expect(telegram.pendingUpdates()).toHaveLength(before + 2);
  });

  it("takes grammY's multipart apart and gives files back up to 20 MB", async () => {
    const bytes = Buffer.from("line one\r\nline two\r\n--not-a-boundary\r\n");
    await api.sendDocument(7, new InputFile(bytes, "report; final.txt"), {
      caption: "<b>here</b>",
      parse_mode: "HTML",
    });
    const sent = await telegram.waitForMessage(7, (message) => message.file !== undefined);
    expect(sent).toMatchObject({ text: "here", file: { name: "report; final.txt", bytes } });
    const big = telegram.sendDocument(telegram.ada, 7, { name: "big.bin", size: 60_000_000 });
    const update = telegram.pendingUpdates().find((one) => one.message?.message_id === big.id);
    expect(await refusal(api.getFile(update?.message?.document?.file_id ?? ""))).toMatchObject({
      description: "Bad Request: file is too big",
    });
  });

  it("fails in the ways it is told to, as often as it is told to", async () => {
    telegram.faults.rateLimit("sendMessage", { retryAfter: 7 });
    expect(await refusal(api.sendMessage(7, "x"))).toMatchObject({ error_code: 429, parameters: { retry_after: 7 } });
    telegram.faults.loseResponseAfterEffect("sendMessage");
    await expect(api.sendMessage(7, "once")).rejects.toThrow("Network request");
    expect(telegram.chat(7).fromBot.map((message) => message.text)).toEqual(["once"]);
    await telegram.faults.refuseConnections();
    await expect(api.sendMessage(7, "x")).rejects.toThrow("Network request");
    await telegram.faults.acceptConnections();
    telegram.faults.unauthorize();
    expect(await refusal(api.getMe())).toMatchObject({ error_code: 401 });
    telegram.faults.authorize();
    await api.sendMessage(7, "fine again");
  });

  it("runs a whole grammY bot", async () => {
    const bot = new Bot(telegram.token, { client: { apiRoot: telegram.url } });
    bot.on("message", (ctx) => ctx.reply(`you said ${ctx.message.text}`));
    const running = bot.start();
    await telegram.waitForMessage(telegram.ada, (message) => message.text === "you said hello");
    await bot.stop();
    await running;
    expect(telegram.pendingUpdates()).toHaveLength(0);
  });

  it("knows the wrong token from a malformed one", async () => {
    const wrong = new Api("42:other", { apiRoot: telegram.url });
    expect(await refusal(wrong.getMe())).toMatchObject({ error_code: 401 });
    const malformed = new Api("nonsense", { apiRoot: telegram.url });
    expect(await refusal(malformed.getMe())).toMatchObject({ error_code: 404 });
  });
});
