import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MessageEvent } from "../../src/chat/index.ts";
import { type Wired, wire } from "./harness.ts";

describe("what Telegram's updates say", () => {
  let wired: Wired;
  beforeEach(async () => {
    wired = await wire({ canReadAllGroupMessages: true, privateTopics: true });
  });
  afterEach(() => wired[Symbol.asyncDispose]());

  const nextEvent = (index = 0) => wired.telegram.waitFor(() => confirmedEvents()[index]);
  const nextMessage = async (index = 0): Promise<MessageEvent> => {
    const event = await nextEvent(index);
    if (event.kind !== "message") throw new Error(`a ${event.kind}`);
    return event;
  };
  // The stand-in tells us of changes when the bot confirms, which is after the sink.
  const confirmedEvents = () => (wired.telegram.pendingUpdates().length === 0 ? wired.events : []);

  const group = (options?: { forum?: boolean; type?: "group" }) => {
    const id = wired.telegram.createGroup(options);
    wired.telegram.addToGroup(wired.telegram.ada, id);
    return id;
  };
  const messages = (): MessageEvent[] => wired.events.filter((event) => event.kind === "message");
  const settled = (count: number) =>
    wired.telegram.waitFor(
      () => wired.telegram.pendingUpdates().length === 0 && messages().length >= count && messages(),
    );

  it("takes a private message as addressed to us", async () => {
    const { telegram } = wired;
    telegram.say(telegram.ada, telegram.ada, "hello Milo");
    expect(await nextMessage()).toMatchObject({
      kind: "message",
      text: "hello Milo",
      addressed: "direct",
      place: { channel: "7", kind: "dm" },
      author: { id: "7", name: "Ada", username: "ada", isBot: false, locale: "en" },
      files: [],
    });
  });

  it("knows a mention, a reply, a command and mere talk in a group", async () => {
    const { telegram, adapter } = wired;
    const id = group();
    telegram.say(telegram.ada, id, "mere talk");
    telegram.say(telegram.ada, id, "hey @Shipmate_Bot, look");
    await adapter.post({ channel: String(id) }, { text: "mine", notify: true }, "k");
    const mine = await telegram.waitForMessage(id, (message) => message.text === "mine");
    telegram.say(telegram.ada, id, "to that", { replyTo: mine.id });
    const entity = { type: "text_mention" as const, offset: 0, length: 8, user: telegram.bot };
    telegram.say(telegram.ada, id, "Shipmate help", { entities: [entity] });
    const events = await settled(4);
    expect(events.map(({ addressed, text }) => [addressed, text])).toEqual([
      ["ambient", "mere talk"],
      ["mention", "hey, look"],
      ["reply", "to that"],
      ["mention", "help"],
    ]);
    expect(events[2]?.quote).toMatchObject({ messageId: String(mine.id), text: "mine", fromUs: true });
  });

  it("knows talk that is meant for somebody else", async () => {
    const { telegram } = wired;
    const id = group();
    const ben = telegram.person("Ben", { username: "ben_the_cook" });
    const toBen = { type: "text_mention" as const, offset: 0, length: 3, user: ben };
    telegram.say(telegram.ada, id, "@ben_the_cook look");
    telegram.say(telegram.ada, id, "Ben look", { entities: [toBen] });
    telegram.say(telegram.ada, id, "@ben_the_cook ask @shipmate_bot");
    telegram.say(telegram.ada, id, "write to ben@example.com");
    const events = await settled(4);
    expect(events.map(({ addressed, mentionsOthers }) => [addressed, mentionsOthers])).toEqual([
      ["ambient", true],
      ["ambient", true],
      ["mention", undefined],
      ["ambient", undefined],
    ]);
  });

  it("keeps an empty mention empty", async () => {
    const { telegram } = wired;
    telegram.say(telegram.ada, group(), "@shipmate_bot");
    expect((await settled(1))[0]).toMatchObject({ text: "", addressed: "mention" });
  });

  it("reads commands with their argument, and not those for other bots or from forwards", async () => {
    const { telegram } = wired;
    const id = group();
    telegram.say(telegram.ada, id, "/stop@other_bot");
    telegram.say(telegram.ada, id, "/Ask@shipmate_bot Penny what's up?");
    telegram.say(telegram.ada, telegram.ada, "/start K7QD-2MXR");
    telegram.say(telegram.ada, telegram.ada, "/stop", { forwardedFrom: "Somebody" });
    const [forward] = await settled(1);
    const commands = wired.events.filter((event) => event.kind === "command");
    expect(commands.map((event) => [event.name, event.argument, event.place.kind])).toEqual([
      ["ask", "Penny what's up?", "group"],
      ["start", "K7QD-2MXR", "dm"],
    ]);
    expect(forward).toMatchObject({ text: "/stop", forwardedFrom: "Somebody" });
  });

  it("takes topics as threads, the General topic and reply chains not", async () => {
    const { telegram } = wired;
    const forum = group({ forum: true });
    const topic = telegram.createTopic(telegram.ada, forum, "Plans");
    telegram.say(telegram.ada, forum, "@shipmate_bot in the topic", { thread: topic });
    telegram.say(telegram.ada, forum, "@shipmate_bot in General");
    const plain = group();
    const first = telegram.say(telegram.ada, plain, "root");
    telegram.say(telegram.ada, plain, "@shipmate_bot in a reply chain", { replyTo: first.id });
    const dmTopic = telegram.createTopic(telegram.ada, 7, "Mine");
    telegram.say(telegram.ada, 7, "in my own topic", { thread: dmTopic });
    const events = await settled(5);
    expect(events.map((event) => [event.place.kind, event.place.thread])).toEqual([
      ["forum", String(topic)],
      ["forum", undefined],
      ["group", undefined],
      ["group", undefined],
      ["dm", String(dmTopic)],
    ]);
  });

  it("does not take the message that opened a topic for a reply target", async () => {
    const { telegram } = wired;
    const forum = group({ forum: true });
    const opened = telegram.createTopic(telegram.ada, forum, "By the bot");
    const chat = { id: forum, type: "supergroup", title: "Team", is_forum: true };
    telegram.deliver({
      message: {
        message_id: 900,
        date: 1_790_000_000,
        chat,
        from: telegram.ada,
        text: "talk",
        message_thread_id: opened,
        is_topic_message: true,
        reply_to_message: {
          message_id: opened,
          date: 1,
          chat,
          from: telegram.bot,
          message_thread_id: opened,
          forum_topic_created: { name: "By the bot", icon_color: 1 },
        },
      },
    });
    const [event] = await settled(1);
    expect(event).toMatchObject({ addressed: "ambient", text: "talk" });
    expect(event?.quote).toBeUndefined();
  });

  it("F-07 marks an album as one thought, and a forward as somebody else's", async () => {
    const { telegram } = wired;
    telegram.sendPhotoAlbum(telegram.ada, 7, [
      { caption: "both", bytes: Buffer.from("a") },
      { bytes: Buffer.from("b") },
    ]);
    telegram.say(telegram.ada, 7, "not mine", { forwardedFrom: telegram.person("Ben") });
    const [one, two, forward] = await settled(3);
    expect(one?.collect).toMatchObject({ kind: "album", waitMs: 1400 });
    expect(two?.collect).toEqual(one?.collect);
    expect([one?.text, two?.text]).toEqual(["both", ""]);
    expect(forward).toMatchObject({ forwardedFrom: "Ben" });
    expect(forward?.collect).toBeUndefined();
  });

  it("F-07 marks the long parts of a paste as one thought, and a later paste as another", async () => {
    const { telegram } = wired;
    const chat = { id: 7, type: "private", first_name: "Ada" };
    const long = (message_id: number, date: number) =>
      telegram.deliver({ message: { message_id, date, chat, from: telegram.ada, text: "x".repeat(4096) } });
    long(701, 1_790_000_000);
    long(702, 1_790_000_001);
    long(703, 1_790_000_010);
    telegram.say(telegram.ada, 7, "short");
    const [one, two, later, short] = await settled(4);
    expect(one?.collect).toMatchObject({ kind: "paste", waitMs: 1400 });
    expect(two?.collect).toEqual(one?.collect);
    expect(later?.collect).toMatchObject({ kind: "paste" });
    expect(later?.collect?.key).not.toBe(one?.collect?.key);
    expect(short?.collect).toBeUndefined();
  });

  it("a command says which message it answers", async () => {
    const { telegram } = wired;
    const first = telegram.say(telegram.ada, 7, "by mistake");
    telegram.say(telegram.ada, 7, "/delete", { replyTo: first.id });
    const command = await nextEvent(1);
    expect(command).toMatchObject({ name: "delete", quote: { messageId: String(first.id), fromUs: false } });
  });

  it("quotes the chosen part of a message", async () => {
    const { telegram } = wired;
    const ben = telegram.person("Ben");
    const id = group();
    const first = telegram.say(ben, id, "one two three");
    telegram.say(telegram.ada, id, "@shipmate_bot this", { replyTo: first.id, quote: "two" });
    expect((await settled(2))[1]?.quote).toEqual({
      messageId: String(first.id),
      text: "two",
      authorName: "Ben",
      fromUs: false,
    });
  });

  it("names files safely and takes the largest size of a photo", async () => {
    const { telegram } = wired;
    const bytes = Buffer.from("content");
    telegram.sendDocument(telegram.ada, 7, {
      name: "../../etc/pass\u202ewd\n.txt",
      mime: "text/plain",
      bytes,
      caption: "see",
    });
    telegram.sendPhoto(telegram.ada, 7, { bytes });
    telegram.sendVoice(telegram.ada, 7, { bytes });
    telegram.sendDocument(telegram.ada, 7, { name: "..", bytes });
    const files = (await settled(4)).flatMap((event) => event.files);
    expect(files.map(({ kind, name }) => [kind, name])).toEqual([
      ["document", "passwd.txt"],
      ["photo", expect.stringMatching(/^photo-\d+\.jpg$/)],
      ["voice", expect.stringMatching(/^voice-\d+\.ogg$/)],
      ["document", expect.stringMatching(/^document-\d+$/)],
    ]);
    expect(files[0]).toMatchObject({ mime: "text/plain", size: 7 });
    expect(files[1]?.id).not.toContain("small");
  });

  it("keeps code and links of a message as Markdown, with offsets that survive emoji", async () => {
    const { telegram } = wired;
    const text = "😀 run npm test, see docs\nlet a = 1";
    telegram.say(telegram.ada, 7, text, {
      entities: [
        { type: "code", offset: text.indexOf("npm"), length: 8 },
        { type: "text_link", offset: text.indexOf("docs"), length: 4, url: "https://example.com" },
        { type: "bold", offset: 0, length: 2 },
        { type: "pre", offset: text.indexOf("let"), length: 9, language: "js" },
      ],
    });
    expect((await nextMessage()).text).toBe(
      "😀 run `npm test`, see [docs](https://example.com)\n```js\nlet a = 1\n```",
    );
  });

  it("F-10 tells a real edit from one that changed nothing", async () => {
    const { telegram } = wired;
    const said = telegram.say(telegram.ada, 7, "first");
    telegram.edit(telegram.ada, said, "first");
    telegram.edit(telegram.ada, said, "second");
    telegram.say(telegram.ada, 7, "done");
    await settled(2);
    const edits = wired.events.filter((event) => event.kind === "edit");
    expect(edits).toMatchObject([{ messageId: String(said.id), text: "second" }]);
  });

  it("tells of presses, stops, and membership", async () => {
    const { telegram, adapter } = wired;
    telegram.say(telegram.ada, 7, "hi");
    await settled(1);
    await adapter.post({ channel: "7" }, { text: "?", buttons: [[{ label: "Go", token: "tok" }]], notify: true }, "k");
    telegram.press(telegram.ada, await telegram.waitForMessage(7, (message) => message.text === "?"), "Go");
    await adapter.draft?.({ channel: "7" }, 11, "writing");
    telegram.stopDraft(telegram.ada);
    const basic = group({ type: "group" });
    const moved = telegram.migrate(telegram.ada, basic);
    telegram.removeFromGroup(telegram.ada, moved);
    telegram.say(telegram.ada, 7, "end");
    await settled(2);
    expect(wired.events.filter((event) => event.kind !== "message")).toMatchObject([
      { kind: "button", token: "tok", author: { id: "7" } },
      { kind: "stop", draftId: 11, place: { channel: "7" } },
      { kind: "membership", change: "added", place: { channel: String(basic) } },
      { kind: "membership", change: "moved", movedTo: String(moved) },
      { kind: "membership", change: "removed", place: { channel: String(moved) } },
    ]);
  });

  it("says that a bot is a bot", async () => {
    const { telegram } = wired;
    const other = telegram.person("Other", { is_bot: true });
    telegram.say(other, group(), "@shipmate_bot beep");
    expect((await settled(1))[0]?.author).toMatchObject({ isBot: true });
  });

  it.each([
    ["a location", { location: { latitude: 38.7, longitude: -9.1 } }, "Location: 38.7, -9.1"],
    ["a contact", { contact: { first_name: "Penny", phone_number: "+351 1" } }, "Contact: Penny +351 1"],
    [
      "a poll",
      { poll: { question: "When?", options: [{ text: "Mon" }, { text: "Tue" }] } },
      "Poll: When?\n- Mon\n- Tue",
    ],
    ["a sticker", { sticker: { file_id: "s", emoji: "🎉" } }, "🎉"],
    [
      "a rich message",
      { rich_message: { blocks: [{ type: "paragraph", text: ["so ", { type: "bold", text: "rich" }] }] } },
      "so rich",
    ],
  ])("puts %s into words", async (_name, content, text) => {
    const { telegram } = wired;
    const chat = { id: 7, type: "private", first_name: "Ada" };
    telegram.deliver({ message: { message_id: 600, date: 1_790_000_000, chat, from: telegram.ada, ...content } });
    expect((await nextMessage()).text).toBe(text);
  });

  it("does not take a channel's automatic forward or an anonymous administrator for the stand-in user they carry", async () => {
    const { telegram } = wired;
    const chat = { id: -1001, type: "supergroup", title: "Team" };
    const channel = { id: -1002, type: "channel", title: "News" };
    const base = { date: 1_790_000_000, chat, text: "hello" };
    const from = { id: 777000, is_bot: false, first_name: "Telegram" };
    telegram.deliver({ message: { ...base, message_id: 1, from, sender_chat: channel, is_automatic_forward: true } });
    telegram.deliver({ message: { ...base, message_id: 2, from: { ...from, is_bot: true }, sender_chat: chat } });
    const [news, nameless] = await settled(2);
    expect(news?.author).toEqual({ id: "-1002", name: "News", isBot: true });
    expect(nameless?.author).toEqual({ id: "-1001", name: "Team", isBot: false });
  });

  it("gives each event a key of its own that stays the same when it is delivered again", async () => {
    const { telegram } = wired;
    telegram.faults.loseResponseAfterEffect("getUpdates", { times: 2 });
    telegram.say(telegram.ada, 7, "once");
    telegram.say(telegram.ada, 7, "twice");
    await settled(2);
    expect(new Set(wired.events.map((event) => event.key)).size).toBe(2);
  });

  it("goes on after updates of unknown kinds and shapes, and ignores business and guest messages", async () => {
    const { telegram } = wired;
    const chat = { id: 7, type: "private", first_name: "Ada" };
    telegram.deliver({
      message: { message_id: 801, date: 1, chat, from: telegram.ada, text: "b", business_connection_id: "x" },
    });
    telegram.deliver({
      message: { message_id: 802, date: 1, chat, from: telegram.ada, text: "g", guest_query_id: "x" },
    });
    telegram.deliver({ message: { message_id: 803, date: 1, chat, from: telegram.ada, hologram: {} } });
    telegram.deliver({ message: { message_id: 804, text: "no chat at all" } });
    telegram.deliver({ callback_query: { id: "1", from: telegram.ada, chat_instance: "c", game_short_name: "x" } });
    telegram.say(telegram.ada, 7, "still here");
    expect((await settled(1)).map((event) => event.text)).toEqual(["still here"]);
  });
});
