import type { PermissionFlagsBits } from "discord-api-types/v10";
import type { Probe } from "../waiting.ts";
import type { Faults } from "./faults.ts";
import type { Choice, SeenCommand, SeenInteraction, SeenMessage, SeenModal, SeenThread } from "./seen.ts";

export interface DiscordOptions {
  readonly token?: string | undefined;
  /** The bot's username. */
  readonly botName?: string | undefined;
  /** False as with the toggle of the developer portal off: asking for that intent closes the gateway with 4014. */
  readonly messageContentIntent?: boolean | undefined;
  /** False to give the bot no MANAGE_WEBHOOKS in any guild. */
  readonly manageWebhooks?: boolean | undefined;
  /** True to enforce Discord's pace (5 messages in 5 s per channel, 50 requests per second) beside naming it in headers. */
  readonly rateLimits?: boolean | undefined;
  /** What HELLO asks for, in milliseconds; 41,250 as Discord does. */
  readonly heartbeatMs?: number | undefined;
  /** The stand-in's clock at the start; `passTime` moves it. */
  readonly now?: (() => number) | undefined;
  /** False to keep no record of calls, for long benches. */
  readonly recordCalls?: boolean | undefined;
}

export interface SentFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mime?: string | undefined;
}

export interface SayOptions {
  /** The message it answers. */
  readonly replyTo?: string | undefined;
  /** False to answer without notifying the author of that message; then it is not among the mentions. */
  readonly replyPings?: boolean | undefined;
  readonly files?: readonly SentFile[] | undefined;
  /** A voice message: the first file with a duration and waveform. */
  readonly voice?: boolean | undefined;
}

/** What is given for an option of a slash command: plain values, a user's or channel's id, or a file. */
export type OptionValue = string | number | boolean | SentFile;

/** One REST call, in the order they arrived. */
export interface Call {
  /** Such as `POST /channels/:channel/messages`. */
  readonly route: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly files: readonly string[];
  readonly at: Date;
  /** The HTTP status we answered with; undefined while it runs or when the response was lost. */
  status: number | undefined;
  /** The body we answered with, a refusal's too. */
  result: unknown;
}

export interface Gateway {
  /** Sockets that are open now. */
  readonly connections: number;
  /** Intents of each IDENTIFY, in order. */
  readonly identifies: readonly { readonly intents: number; readonly at: Date }[];
  /** RESUMEs that were taken up. */
  readonly resumes: number;
  readonly heartbeats: number;
  /** True where a session is open and gets events. */
  readonly ready: boolean;
}

export type PermissionName = keyof typeof PermissionFlagsBits;

/** The stand-in, as tests drive it. Nothing that people do waits for the bot. All ids are snowflakes. */
export interface Discord extends AsyncDisposable {
  /** What discord.js takes as `rest.api`. */
  readonly url: string;
  readonly token: string;
  readonly botId: string;
  readonly applicationId: string;
  /** The first server, with Ada in it. */
  readonly guildId: string;
  /** Its first text channel. */
  readonly general: string;
  readonly ada: string;

  /** A new account, a member of every guild. */
  person(name: string): string;
  /** Another application's bot, a member of every guild. */
  otherBot(name: string): string;
  /** `<@id>`: how a person mentions somebody; our bot without an id. */
  mention(userId?: string): string;
  /** `<@&id>` of the bot's own managed role, which people mention by mistake. */
  mentionOwnRole(): string;
  /** A text channel of a guild; of the same name the same one. */
  channel(name?: string, guildId?: string): string;
  /** A forum channel. */
  forum(name?: string, guildId?: string): string;
  /** The direct messages between a person and the bot. */
  dm(userId: string): string;
  /** The bot is added to a new server; gives its id. Ada is in it. */
  addToGuild(name?: string): string;
  removeFromGuild(guildId: string): void;
  /** Takes permissions from the bot in one channel, or gives them back. */
  forbid(channelId: string, ...names: readonly PermissionName[]): void;
  allow(channelId: string, ...names: readonly PermissionName[]): void;
  deleteChannel(channelId: string): void;

  say(userId: string, channelId: string, text: string, options?: SayOptions): SeenMessage;
  edit(userId: string, messageId: string, text: string): void;
  /** Discord adds a link preview: an update that is no edit. */
  embedUpdate(messageId: string): void;
  deleteMessage(messageId: string): void;
  /** A moderator removes several at once. */
  deleteMessages(messageIds: readonly string[]): void;
  /** A person forwards a message into a channel. */
  forward(userId: string, messageId: string, channelId: string): SeenMessage;
  /** A person (or another bot) makes a thread from a message. */
  startThread(userId: string, messageId: string, name?: string): string;
  /** A thread in a channel that hangs on no message. */
  startLooseThread(userId: string, channelId: string, name?: string): string;
  /** A forum post with its first message; gives the thread's id, which is that message's too. */
  forumPost(userId: string, forumId: string, title: string, text: string, options?: SayOptions): string;
  archiveThread(threadId: string, options?: { readonly locked?: boolean }): void;

  /** A person presses the enabled button with this label. */
  press(userId: string, message: SeenMessage | string, label: string): SeenInteraction;
  /** A person chooses from the list that has this option. */
  select(userId: string, message: SeenMessage | string, optionLabel: string): SeenInteraction;
  /** A person sends the dialog that is open before them: one value, or values by custom id. */
  submit(userId: string, modal: SeenModal, value: string | Readonly<Record<string, string>>): SeenInteraction;
  /** A person sends a slash command the bot registered; throws where Discord would not let them. */
  command(
    userId: string,
    channelId: string,
    name: string,
    options?: Readonly<Record<string, OptionValue>>,
  ): SeenInteraction;
  /** What is offered while a person types into an option; rejects when nothing came within 3 s. */
  autocomplete(
    userId: string,
    channelId: string,
    name: string,
    option: string,
    typed: string,
  ): Promise<readonly Choice[]>;
  /** A person picks a message command ("Apps" in a message's menu). */
  contextMenu(userId: string, messageId: string, name: string): SeenInteraction;

  /** What everybody in a channel or thread sees now, oldest first; nothing where there is none yet. */
  messages(channelId: string): readonly SeenMessage[];
  message(messageId: string): SeenMessage | undefined;
  /** The thread that hangs on a message, or the thread of that id. */
  thread(messageId: string): SeenThread | undefined;
  /** What only this person sees now, oldest first, in all channels. */
  ephemerals(userId: string): readonly SeenMessage[];
  /** The dialog that is open before a person. */
  modal(userId: string): SeenModal | undefined;
  /** How often the bot showed that it types there. */
  typing(channelId: string): number;
  interactions(): readonly SeenInteraction[];
  /** Registered commands: global ones, and those of guilds. */
  commands(): readonly SeenCommand[];
  /** How often commands were overwritten. */
  commandWrites(): number;
  /** Names of a channel's webhooks. */
  webhooks(channelId: string): readonly { readonly id: string; readonly name: string; readonly ours: boolean }[];
  /** Somebody made webhooks by hand: as many as said. */
  addWebhooks(channelId: string, count: number): void;
  /** Somebody deletes the webhooks of a channel in its settings. */
  deleteWebhooks(channelId: string): void;
  /** REST calls of a route in order; of all routes without one. */
  calls(route?: string): readonly Call[];
  readonly gateway: Gateway;
  /** Sends a gateway event of any kind and shape. */
  deliver(event: string, data: unknown): void;
  /** Moves the clock on: interactions grow old, tokens expire. */
  passTime(ms: number): void;

  /** Resolves with what the probe returns as soon as it is neither undefined, null nor false; looks at every change. */
  waitFor<T>(probe: Probe<T>, timeoutMs?: number): Promise<T>;
  /** The next or present message of ours in a channel or thread that satisfies the test. */
  waitForMessage(channelId: string, test: (message: SeenMessage) => boolean, timeoutMs?: number): Promise<SeenMessage>;
  readonly faults: Faults;
  close(): Promise<void>;
}
