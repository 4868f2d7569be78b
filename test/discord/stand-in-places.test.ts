import { type REST, Routes } from "discord.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscord, type Discord, type DiscordOptions } from "../fakes/discord/index.ts";
import { button, connectRest, refusal, row } from "./stand-in-client.ts";

/** The stand-in against discord.js: threads, webhooks and direct messages. */
describe("places of the Discord stand-in", () => {
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

  it("makes one thread from a message, with its id", async () => {
    const said = discord.say(discord.ada, discord.general, "work");
    const body = { name: "Work", auto_archive_duration: 1440 };
    const path = Routes.threads(discord.general, said.id);
    expect((await refusal(rest.post(path, { body: { name: "n".repeat(101) } }))).raw).toContain("name");
    expect((await refusal(rest.post(path, { body: { ...body, auto_archive_duration: 7 } }))).raw).toContain("CHOICES");
    expect(await rest.post(path, { body })).toMatchObject({ id: said.id, type: 11, parent_id: discord.general });
    expect(await refusal(rest.post(path, { body }))).toMatchObject({ code: 160004, status: 400 });
    expect(discord.thread(said.id)).toMatchObject({ name: "Work", botIsMember: true, autoArchiveMinutes: 1440 });
    expect(discord.messages(said.id)).toMatchObject([{ type: 21 }]);
    expect(await rest.get(Routes.channelMessage(discord.general, said.id))).toMatchObject({ thread: { id: said.id } });
    const inside = await post({ content: "x" }, said.id);
    expect(await refusal(rest.post(Routes.threads(said.id, inside.id), { body }))).toMatchObject({ code: 50024 });
  });

  it("lets another bot be faster with a thread", async () => {
    discord.otherBot("Rival");
    const said = discord.say(discord.ada, discord.general, "work");
    discord.faults.threadRace(said.id);
    const path = Routes.threads(discord.general, said.id);
    expect(await refusal(rest.post(path, { body: { name: "Ours" } }))).toMatchObject({ code: 160004 });
    expect(discord.thread(said.id)).toMatchObject({ botIsMember: false });
    await rest.put(Routes.threadMembers(said.id, "@me"));
    expect(discord.thread(said.id)).toMatchObject({ botIsMember: true });
  });

  it("takes a thread out of the archive for a new message, but changes nothing inside and opens no locked one", async () => {
    const thread = discord.startThread(discord.ada, discord.say(discord.ada, discord.general, "work").id);
    const sent = await post({ content: "x" }, thread);
    discord.archiveThread(thread);
    const edit = () => rest.patch(Routes.channelMessage(thread, sent.id), { body: { content: "y" } });
    expect(await refusal(edit())).toMatchObject({ code: 50083 });
    await post({ content: "again" }, thread);
    await edit();
    expect(discord.thread(thread)).toMatchObject({ archived: false });
    discord.archiveThread(thread, { locked: true });
    expect(await refusal(post({ content: "x" }, thread))).toMatchObject({ code: 160005 });
  });

  it("lets webhooks of the application speak under other names, with buttons, also in threads", async () => {
    const thread = discord.startThread(discord.ada, discord.say(discord.ada, discord.general, "work").id);
    const make = (name: string) => rest.post(Routes.channelWebhooks(discord.general), { body: { name } });
    expect((await refusal(make("My Discord hook"))).raw).toContain("USERNAME_INVALID");
    const { id, token } = (await make("Shipmate")) as { id: string; token: string };
    const speak = (body: object, query: Record<string, string> = {}) =>
      rest.post(Routes.webhook(id, token), {
        body,
        query: new URLSearchParams({ wait: "true", ...query }),
        auth: false,
      });
    const milo = {
      username: "Milo",
      avatar_url: "https://example.com/milo.png",
      content: "hi",
      components: [row(button("A", "a"))],
    };
    expect((await refusal(speak({ ...milo, username: "Clyde" }))).raw).toContain("username");
    expect((await refusal(speak({ ...milo, username: "n".repeat(81) }))).raw).toContain("username");
    expect(await refusal(speak(milo, { thread_id: "1" }))).toMatchObject({ code: 10003 });
    const sent = (await speak(milo, { thread_id: thread })) as { id: string };
    expect(discord.messages(thread).at(-1)).toMatchObject({
      author: { name: "Milo", avatarUrl: "https://example.com/milo.png", webhook: true },
      fromUs: true,
      buttons: [{ label: "A" }],
    });
    const path = Routes.webhookMessage(id, token, sent.id);
    const query = new URLSearchParams({ thread_id: thread });
    expect(await refusal(rest.patch(path, { body: { content: "hm" } }))).toMatchObject({ code: 10008 });
    await rest.patch(path, { body: { content: "changed" }, query });
    expect(discord.message(sent.id)).toMatchObject({ text: "changed", edits: ["hi"] });
    const asBot = rest.patch(Routes.channelMessage(thread, sent.id), { body: { content: "x" } });
    expect(await refusal(asBot)).toMatchObject({ code: 50005 });
    await rest.delete(path, { query });
    expect(await refusal(rest.post(Routes.webhook(id, "wrong"), { body: milo }))).toMatchObject({ code: 50027 });
    discord.deleteWebhooks(discord.general);
    expect(await refusal(speak(milo))).toMatchObject({ code: 10015, status: 404 });
  });

  it("takes fifteen webhooks in a channel, and none without the permission", async () => {
    discord.addWebhooks(discord.general, 15);
    const make = () => rest.post(Routes.channelWebhooks(discord.general), { body: { name: "Shipmate" } });
    expect(await refusal(make())).toMatchObject({ code: 30007 });
    const others = (await rest.get(Routes.channelWebhooks(discord.general))) as { application_id: string | null }[];
    expect(others.map((one) => one.application_id)).toEqual(Array.from({ length: 15 }, () => null));
    await start({ manageWebhooks: false });
    expect(await refusal(make())).toMatchObject({ code: 50013 });
  });

  it("opens direct messages with people, not with bots", async () => {
    const open = (recipient_id: string) => rest.post(Routes.userChannels(), { body: { recipient_id } });
    expect(await open(discord.ada)).toMatchObject({ id: discord.dm(discord.ada), type: 1 });
    expect(await refusal(open(discord.otherBot("Rival")))).toMatchObject({ code: 50007 });
    expect(await refusal(open("1"))).toMatchObject({ code: 10013 });
    const said = discord.say(discord.ada, discord.dm(discord.ada), "hi");
    const thread = rest.post(Routes.threads(discord.dm(discord.ada), said.id), { body: { name: "x" } });
    expect(await refusal(thread)).toMatchObject({ code: 50024 });
  });

  it("starts a forum post with its first message, which has the post's id", async () => {
    const forum = discord.forum();
    const theirs = discord.forumPost(discord.ada, forum, "Question", `${discord.mention()} how?`);
    expect(discord.messages(theirs)).toMatchObject([{ id: theirs, text: `${discord.mention()} how?` }]);
    expect(discord.thread(theirs)).toMatchObject({ parentId: forum, name: "Question", ownerId: discord.ada });
    const path = Routes.threads(forum);
    expect((await refusal(rest.post(path, { body: { name: "Mine" } }))).raw).toContain("message");
    const made = await rest.post(path, { body: { name: "Mine", message: { content: "first" } } });
    expect(made).toMatchObject({ type: 11, message: { content: "first" } });
    expect(await rest.get(Routes.guildActiveThreads(discord.guildId))).toMatchObject({ threads: { length: 2 } });
  });
});
