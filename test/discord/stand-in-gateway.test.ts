import { Client, Events, GatewayIntentBits, type Message, Partials, TextChannel } from "discord.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDiscord, type Discord, type DiscordOptions } from "../fakes/discord/index.ts";

const { Guilds, GuildMessages, DirectMessages, MessageContent } = GatewayIntentBits;
/** A client takes half a second to come back, and longer on a busy machine. */
const patience = { timeout: 10_000 };
const all = [Guilds, GuildMessages, DirectMessages, MessageContent];

/** The stand-in's gateway against the client of discord.js. */
describe("the gateway of the Discord stand-in", () => {
  let discord: Discord;
  let client: Client;
  let heard: string[];

  const start = async (options: DiscordOptions = {}) => {
    await discord?.close();
    discord = await createDiscord(options);
  };
  /** A client that writes down what it hears. */
  const connect = async (intents = all) => {
    client = new Client({ intents, partials: [Partials.Channel, Partials.Message], rest: { api: discord.url } });
    heard = [];
    client.on(Events.Error, (error) => void heard.push(`error ${error.message}`));
    client.on(Events.MessageCreate, (message) => void heard.push(message.content));
    client.on(
      Events.MessageUpdate,
      (_, message) => void heard.push(`${message.editedAt ? "edited" : "updated"} ${message.content}`),
    );
    client.on(Events.MessageDelete, (message) => void heard.push(`deleted ${message.id}`));
    await client.login(discord.token);
    await vi.waitFor(() => expect(client.isReady()).toBe(true), patience);
  };
  const say = (text: string) => discord.say(discord.ada, discord.general, text);
  const hears = (...texts: string[]) => vi.waitFor(() => expect(heard).toEqual(texts), patience);

  beforeEach(() => start());
  afterEach(async () => {
    await client?.destroy();
    await discord.close();
  });

  it("signs a client in and shows it every channel, but what is said only where it may look", async () => {
    const hidden = discord.channel("hidden");
    discord.forbid(hidden, "ViewChannel");
    const thread = discord.startThread(discord.ada, say("work").id);
    await connect();
    expect([...client.channels.cache.keys()].sort()).toEqual([discord.general, hidden, thread].sort());
    const channel = client.channels.cache.get(hidden);
    expect(channel instanceof TextChannel && channel.viewable).toBe(false);
    discord.say(discord.ada, hidden, "secret");
    say("open");
    await hears("open");
    expect(discord.gateway).toMatchObject({ connections: 1, ready: true, identifies: { length: 1 } });
  });

  it("tells of messages, edits, link previews and deletions, and tells an edit from a preview", async () => {
    await connect();
    const said = say("one");
    discord.edit(discord.ada, said.id, "two");
    const other = say("see https://example.com");
    discord.embedUpdate(other.id);
    discord.deleteMessage(said.id);
    discord.deleteMessages([other.id]);
    await hears("one", "edited two", other.text, `updated ${other.text}`, `deleted ${said.id}`);
  });

  it("tells of direct messages, replies, voice messages and forwards", async () => {
    await connect();
    const messages: Message[] = [];
    client.on(Events.MessageCreate, (message) => void messages.push(message));
    const own = discord.dm(discord.ada);
    const first = discord.say(discord.ada, own, "private");
    discord.say(discord.ada, own, "to that", { replyTo: first.id });
    discord.say(discord.ada, own, "", {
      files: [{ name: "v.ogg", bytes: Buffer.from("v"), mime: "audio/ogg" }],
      voice: true,
    });
    discord.forward(discord.ada, first.id, discord.general);
    await vi.waitFor(() => expect(messages).toHaveLength(4), patience);
    const [, reply, voice, forward] = messages;
    expect(reply?.reference?.messageId).toBe(first.id);
    expect(voice?.attachments.first()?.duration).toBeGreaterThan(0);
    expect(forward?.content).toBe("");
    expect(forward?.messageSnapshots.first()?.content).toBe("private");
  });

  it("gives events only for the intents that were asked for", async () => {
    await connect([Guilds, GuildMessages]);
    discord.say(discord.ada, discord.dm(discord.ada), "private");
    say("just talking");
    say(`${discord.mention()} hello`);
    await hears("", `${discord.mention()} hello`);
  });

  it("closes on an intent that is switched off in the portal, and on a wrong token", async () => {
    await start({ messageContentIntent: false });
    await expect(connect()).rejects.toThrow("disallowed intents");
    discord.faults.unauthorize();
    await expect(connect([Guilds])).rejects.toThrow();
  });

  it.each([1001, 4000, 4009])(
    "lets a client resume after it closed with %s, and gives it what it missed",
    async (code) => {
      await connect();
      discord.faults.closeGateway(code);
      say("meanwhile");
      await hears("meanwhile");
      expect(discord.gateway).toMatchObject({ resumes: 1, identifies: { length: 1 } });
    },
  );

  it("lets a client resume after the line was cut, and when it is asked to reconnect", async () => {
    await connect();
    discord.faults.dropGateway();
    say("one");
    await hears("one");
    discord.faults.requestReconnect();
    say("two");
    await hears("one", "two");
    await discord.waitFor(() => discord.gateway.resumes === 2);
  });

  it("forgets a session: the client signs in anew and has missed what was said", async () => {
    await connect();
    discord.faults.pauseGateway();
    say("missed");
    discord.faults.resumeGateway();
    await discord.waitFor(() => discord.gateway.ready);
    say("heard");
    await hears("heard");
    expect(discord.gateway).toMatchObject({ resumes: 0, identifies: { length: 2 } });
    expect(discord.messages(discord.general).map((message) => message.text)).toEqual(["missed", "heard"]);
  });

  it("ends a session when the client leaves for good", async () => {
    await connect();
    await client.destroy();
    await discord.waitFor(() => discord.gateway.connections === 0);
    say("missed");
    await connect();
    expect(discord.gateway).toMatchObject({ resumes: 0, identifies: { length: 2 } });
    expect(heard).toEqual([]);
  });

  it("falls silent: the client notices by its heartbeats and resumes", async () => {
    await start({ heartbeatMs: 40 });
    await connect();
    await discord.waitFor(() => discord.gateway.heartbeats > 0);
    const speak = discord.faults.silence();
    say("unheard");
    await discord.waitFor(() => discord.gateway.connections === 0);
    speak();
    await hears("unheard");
  });

  it("gives events twice or out of order when it is told to", async () => {
    await connect();
    // Raw, as the client itself keeps a second copy to itself.
    const raw: string[] = [];
    client.on(Events.Raw, ({ t, d }) => void (t === "MESSAGE_CREATE" && raw.push(d.content)));
    discord.faults.duplicate("MESSAGE_CREATE");
    say("twice");
    discord.faults.outOfOrder("MESSAGE_CREATE");
    say("later");
    say("sooner");
    await vi.waitFor(() => expect(raw).toEqual(["twice", "twice", "sooner", "later"]), patience);
    await hears("twice", "sooner", "later");
  });

  it("tells of new guilds, channels and threads, and of those that are gone", async () => {
    await connect();
    const told: string[] = [];
    client.on(Events.GuildCreate, (guild) => void told.push(`in ${guild.name}`));
    client.on(Events.GuildDelete, (guild) => void told.push(`out of ${guild.name}`));
    client.on(Events.ChannelCreate, (channel) => void told.push(`new ${channel.name}`));
    client.on(Events.ChannelDelete, (channel) => void told.push(`no more ${channel.id}`));
    client.on(Events.ThreadCreate, (thread) => void told.push(`thread ${thread.name}`));
    const guild = discord.addToGuild("Second");
    const plans = discord.channel("plans", guild);
    discord.startThread(discord.ada, discord.say(discord.ada, plans, "work").id, "Work");
    discord.deleteChannel(plans);
    discord.removeFromGuild(guild);
    await vi.waitFor(
      () => expect(told).toEqual(["in Second", "new plans", "thread Work", `no more ${plans}`, "out of Second"]),
      patience,
    );
  });

  it("tells a client of the threads it missed in a channel that it may see again", async () => {
    await connect();
    discord.forbid(discord.general, "ViewChannel");
    const thread = discord.startThread(discord.ada, say("work").id);
    expect(client.channels.cache.has(thread)).toBe(false);
    discord.allow(discord.general, "ViewChannel");
    await vi.waitFor(() => expect(client.channels.cache.has(thread)).toBe(true), patience);
    expect(heard).toEqual([]);
  });
});
