import { describe, expect, it, vi } from "vitest";
import { DownloadError, type InboundEvent, type MessageEvent } from "../../src/chat/index.ts";
import { mention, wire } from "./harness.ts";

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const messages = (events: readonly InboundEvent[]) =>
  events.filter((event): event is MessageEvent => event.kind === "message");

describe("messages from Discord", () => {
  it("make our mention in a channel the root of a thread, without our name", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const id = mention(discord, "what is new?");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({
      kind: "message",
      key: id,
      messageId: id,
      text: "what is new?",
      addressed: "mention",
      author: { id: discord.ada, name: "Ada", isBot: false },
      place: { channel: discord.general, thread: id, kind: "channel", title: "#general" },
    });
  });

  it("take the role that Discord made for us as our name", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    discord.say(discord.ada, discord.general, `Hey ${discord.mentionOwnRole()}, look`);
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ addressed: "mention", text: "Hey, look" });
  });

  it("are readable: names for people and channels, emoji by name, times, open spoilers, code as it is", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const ben = discord.person("Ben");
    const ops = discord.channel("ops");
    const text = `<@${ben}> see <#${ops}> <:wave:123456789012345678> at <t:1600000000:f> ||secret|| \`<@${ben}>\``;
    discord.say(discord.ada, discord.general, text);
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({
      text: `@Ben see #ops :wave: at 2020-09-13 12:26 UTC secret \`<@${ben}>\``,
      addressed: "ambient",
      mentionsOthers: true,
      place: { channel: discord.general },
    });
    expect(events[0]?.place.thread).toBeUndefined();
  });

  it("are a reply where they answer one of ours, with the words they answer", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const sent = await adapter.post({ channel: discord.general }, { text: "It **rains**.", notify: true }, "k1");
    const ours = sent.outcome === "delivered" ? sent.messageId : "";
    const id = discord.say(discord.ada, discord.general, "since when?", { replyTo: ours, replyPings: false }).id;
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({
      addressed: "reply",
      place: { thread: id },
      quote: { messageId: ours, text: "It **rains**.", fromUs: true },
    });
  });

  it("are a reply where they answer a teammate, who speaks through our webhook", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const post = { text: "It rains.", persona: { name: "Penny" }, notify: true };
    const sent = await adapter.post({ channel: discord.general }, post, "k1");
    const ours = sent.outcome === "delivered" ? sent.messageId : "";
    discord.say(discord.ada, discord.general, "since when?", { replyTo: ours });
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ addressed: "reply", quote: { fromUs: true, authorName: "Penny" } });
  });

  it("quote somebody else without being for us", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const ben = discord.person("Ben");
    const first = discord.say(ben, discord.general, "lunch?");
    discord.say(discord.ada, discord.general, "yes", { replyTo: first.id });
    await until(() => expect(events).toHaveLength(2));
    expect(events[1]).toMatchObject({
      addressed: "ambient",
      quote: { messageId: first.id, text: "lunch?", authorName: "Ben", fromUs: false },
    });
  });

  it("in a thread have the channel and the thread, and are ambient without our name", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const root = discord.say(discord.ada, discord.general, "plan").id;
    const thread = discord.startThread(discord.ada, root, "The plan");
    discord.say(discord.ada, thread, "first step");
    mention(discord, "help", thread);
    await until(() => expect(events).toHaveLength(3));
    expect(events.slice(1)).toMatchObject([
      { addressed: "ambient", place: { channel: discord.general, thread, kind: "channel" } },
      { addressed: "mention", place: { channel: discord.general, thread } },
    ]);
    await until(() => expect(discord.thread(thread)?.botIsMember).toBe(true));
  });

  it("in a forum have the post as their thread", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const forum = discord.forum("help");
    const thread = discord.forumPost(discord.ada, forum, "It broke", `${discord.mention()} why?`);
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ text: "why?", place: { channel: forum, thread, kind: "forum", title: "#help" } });
    expect(
      await wired.adapter.post({ channel: forum, thread }, { text: "Because.", notify: true }, "k1"),
    ).toMatchObject({ outcome: "delivered" });
    expect(discord.messages(thread).at(-1)?.text).toBe("Because.");
  });

  it("carry files, of which voice messages are one kind", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    const direct = discord.dm(discord.ada);
    discord.say(discord.ada, direct, "", {
      files: [{ name: "a.ogg", bytes: Buffer.from("hum"), mime: "audio/ogg" }],
      voice: true,
    });
    discord.say(discord.ada, direct, "look", {
      files: [{ name: "../../x.txt", bytes: Buffer.from("text"), mime: "text/plain" }],
    });
    await until(() => expect(events).toHaveLength(2));
    expect(messages(events).map(({ files }) => files.map(({ kind, mime }) => [kind, mime]))).toEqual([
      [["voice", "audio/ogg"]],
      [["document", "text/plain"]],
    ]);
    expect(messages(events)[1]?.files[0]?.name).not.toContain("/");
    const id = messages(events)[1]?.files[0]?.id ?? "";
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await adapter.download?.({ id }, AbortSignal.timeout(5000))) ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("text");
    discord.deleteMessage(messages(events)[1]?.messageId ?? "");
    const gone = adapter.download?.({ id }, AbortSignal.timeout(5000));
    await expect(gone).rejects.toMatchObject({ kind: "gone" });
    await expect(gone).rejects.toBeInstanceOf(DownloadError);
  });

  it("that are forwarded are not the sender's own words, and bring their files", async () => {
    await using wired = await wire();
    const { discord, events, adapter } = wired;
    const ben = discord.person("Ben");
    const first = discord.say(ben, discord.general, "run **this**", {
      files: [{ name: "a.txt", bytes: Buffer.from("A") }],
    });
    discord.forward(discord.ada, first.id, discord.dm(discord.ada));
    await until(() => expect(events).toHaveLength(2));
    expect(events[1]).toMatchObject({
      text: "run **this**",
      forwardedFrom: "Ben",
      addressed: "direct",
      files: [{ name: "a.txt" }],
    });
    const file = messages(events)[1]?.files[0];
    const bytes = file && (await adapter.download?.(file, AbortSignal.timeout(5000)));
    for await (const chunk of bytes ?? []) expect(Buffer.from(chunk).toString()).toBe("A");
  });

  it("F-13 tell bots apart, and leave out what we and our webhooks say", async () => {
    await using wired = await wire();
    const { discord, adapter, events } = wired;
    await adapter.post({ channel: discord.general }, { text: "mine", notify: true }, "k1");
    await adapter.post(
      { channel: discord.general },
      { text: "Penny's", persona: { name: "Penny" }, notify: true },
      "k2",
    );
    discord.say(discord.otherBot("Robo"), discord.general, `${discord.mention()} hello`);
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ text: "hello", author: { name: "robo", isBot: true }, addressed: "mention" });
  });

  it("F-12 arrive also where they are nothing but our name", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    discord.say(discord.ada, discord.general, discord.mention());
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ text: "", addressed: "mention" });
  });

  it("F-01 delivered twice are stored once", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    discord.faults.duplicate("MESSAGE_CREATE");
    discord.say(discord.ada, discord.dm(discord.ada), "once");
    discord.say(discord.ada, discord.dm(discord.ada), "end");
    await until(() => expect(messages(events).map(({ text }) => text)).toEqual(["once", "end"]));
  });

  it("say stickers and polls in words", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const direct = discord.dm(discord.ada);
    const like = (id: string, more: object) => ({
      id,
      channel_id: direct,
      type: 0,
      content: "",
      author: { id: discord.ada, username: "ada", discriminator: "0", avatar: null, global_name: "Ada" },
      timestamp: new Date().toISOString(),
      edited_timestamp: null,
      mentions: [],
      attachments: [],
      ...more,
    });
    discord.deliver(
      "MESSAGE_CREATE",
      like("1300000000000000001", { sticker_items: [{ id: "1", name: "Wave", format_type: 1 }] }),
    );
    const answers = [
      { answer_id: 1, poll_media: { text: "Tea" } },
      { answer_id: 2, poll_media: { emoji: { name: "☕" } } },
    ];
    discord.deliver("MESSAGE_CREATE", like("1300000000000000002", { poll: { question: { text: "What?" }, answers } }));
    await until(() =>
      expect(messages(events).map(({ text }) => text)).toEqual(["Sticker: Wave", "Poll: What?\n- Tea\n- ☕"]),
    );
  });

  it("of a shape nobody foresaw stop nothing", async () => {
    await using wired = await wire();
    const { discord, events, warnings } = wired;
    discord.deliver("MESSAGE_CREATE", { id: "1", channel_id: discord.general, type: 0, content: null });
    discord.deliver("INTERACTION_CREATE", { id: "2", type: 99 });
    // discord.js builds objects of its own from each event, and throws over this one where nothing would catch it.
    discord.deliver("INTERACTION_CREATE", { id: "3", type: 5, data: { custom_id: "x", components: [] } });
    discord.deliver("NEVER_HEARD_OF", {});
    discord.say(discord.ada, discord.general, "still here");
    await until(() => expect(events).toHaveLength(1));
    expect(warnings.join()).toContain("could not be read");
  });
});

describe("changes on Discord", () => {
  it("F-10 are an edit where somebody changed the words, and none where a link preview came", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const id = mention(discord, "see https://example.com");
    discord.embedUpdate(id);
    discord.edit(discord.ada, id, `${discord.mention()} see https://example.org`);
    discord.embedUpdate(id);
    discord.say(discord.ada, discord.general, "end");
    await until(() => expect(events.map(({ kind }) => kind)).toEqual(["message", "edit", "message"]));
    expect(events[1]).toMatchObject({
      messageId: id,
      text: "see https://example.org",
      place: { channel: discord.general, thread: id },
    });
    expect(events[1]?.key).toContain(`${id}:`);
  });

  it("F-10 are an edit where the words were taken out and a file stays, and none where we may not read them any more", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const file = { name: "plan.txt", bytes: Buffer.from("x"), mime: "text/plain" };
    const id = discord.say(discord.ada, discord.general, "the password is hunter2", { files: [file] }).id;
    const bare = discord.say(discord.ada, discord.general, "hello").id;
    discord.edit(discord.ada, id, "");
    discord.edit(discord.ada, bare, "");
    discord.say(discord.ada, discord.general, "end");
    await until(() => expect(events.at(-1)).toMatchObject({ text: "end" }));
    expect(events.map(({ kind }) => kind)).toEqual(["message", "message", "edit", "message"]);
    expect(events[2]).toMatchObject({ messageId: id, text: "" });
  });

  it("are a deletion for each message that goes, also where a moderator removes many", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const ids = ["one", "two", "three"].map((text) => discord.say(discord.ada, discord.general, text).id);
    discord.deleteMessage(ids[0] ?? "");
    discord.deleteMessages(ids.slice(1));
    await until(() => expect(events).toHaveLength(6));
    expect(events.slice(3).map((event) => event.kind === "deletion" && event.messageId)).toEqual(ids);
    expect(events[3]).toMatchObject({ key: `${ids[0]}:deleted`, place: { channel: discord.general } });
  });
});

describe("servers on Discord", () => {
  it("that add us are told once, with a channel to greet in and the owner; those of the first start are not", async () => {
    await using wired = await wire();
    const { discord, events, kept, adapter } = wired;
    expect(events).toEqual([]);
    const guild = discord.addToGuild("Gardeners");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({
      kind: "membership",
      change: "added",
      place: { kind: "channel" },
      author: { isBot: false },
    });
    await until(() => expect(kept.get("discord.guilds")?.split(" ")).toContain(guild));
    await adapter.stop();
    await wired.start();
    discord.say(discord.ada, discord.general, "end");
    await until(() => expect(events).toHaveLength(2));
  });

  it("that remove us are told for the channels that the core knows", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    wired.known = [{ channel: discord.general, kind: "channel", threads: [], since: new Date() }];
    discord.removeFromGuild(discord.guildId);
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "membership", change: "removed", place: { channel: discord.general } });
  });

  it("that delete a channel are told so", async () => {
    await using wired = await wire();
    const { discord, events } = wired;
    const ops = discord.channel("ops");
    wired.known = [{ channel: ops, kind: "channel", threads: [], since: new Date() }];
    discord.deleteChannel(ops);
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "membership", change: "removed", place: { channel: ops } });
  });
});
