import type { AnyBlock, MessageMetadata } from "@slack/types";
import type { Probe } from "../waiting.ts";
import type { Faults } from "./faults.ts";

export interface SlackOptions {
  /** Granted to the bot token; by default everything Shipmate's manifest asks for. */
  readonly scopes?: readonly string[] | undefined;
  /** False when `chat:write.customize` was not granted: names and pictures on posts are ignored. */
  readonly customize?: boolean | undefined;
  /** False for an app without `features.agent_view`: no messages tab event, no prompts. */
  readonly agentView?: boolean | undefined;
  /** Milliseconds since the epoch; everything that expires is measured with it. */
  readonly now?: (() => number) | undefined;
  readonly timing?: Partial<SlackTiming> | undefined;
  /** False to keep no record of calls, for long benches. */
  readonly recordCalls?: boolean | undefined;
}

/** Slack's own times, in milliseconds. Timers run in real time; what expires is measured with `now`. */
export interface SlackTiming {
  /** How long Slack waits for an envelope to be acknowledged: 3 s. */
  readonly ackMs: number;
  /** How long after a failed try the next one comes: at once, 1 min, 5 min. */
  readonly retryMs: readonly [number, number, number];
  /** How often a socket is pinged. */
  readonly pingMs: number;
  /** How long a trigger id is good for a modal: 3 s. */
  readonly triggerMs: number;
  /** How long a status line stays without a word: 2 min. */
  readonly statusMs: number;
  /** How long a stream lives without anything appended. Not documented; minutes. */
  readonly streamIdleMs: number;
  /** How long a response_url works: 30 min. */
  readonly responseUrlMs: number;
}

export interface PersonOptions {
  /** Somebody else's bot: its messages carry a `bot_id`. */
  readonly bot?: boolean | undefined;
  readonly id?: string | undefined;
}

export interface ChannelOptions {
  readonly private?: boolean | undefined;
  /** Whether the bot is a member; true by default. */
  readonly botIn?: boolean | undefined;
  /** Who else is a member; by default everybody who exists. */
  readonly members?: readonly string[] | undefined;
}

export interface SayOptions {
  /** The ts of the thread's root. */
  readonly thread?: string | undefined;
  /** "Also send to channel". */
  readonly broadcast?: boolean | undefined;
  readonly files?: readonly GivenFile[] | undefined;
  /** Instead of the rich text that Slack's composer makes of the text. */
  readonly blocks?: readonly AnyBlock[] | undefined;
  /** Which of `message` and `app_mention` is sent first; `message` by default. */
  readonly first?: "message" | "app_mention" | undefined;
  /** What it was said as; `me_message` for `/me`. */
  readonly subtype?: "me_message" | undefined;
}

export interface GivenFile {
  readonly name: string;
  readonly bytes?: Uint8Array | undefined;
  readonly mime?: string | undefined;
  /** A size to claim without the bytes. */
  readonly size?: number | undefined;
  /** As from a link to another service: there is nothing to download. */
  readonly external?: boolean | undefined;
}

export interface SeenAuthor {
  readonly id: string;
  /** As people see it: with a customised post, the name it was given. */
  readonly name: string;
  /** An emoji (`:ship:`) or the address of a picture, where a post was given one. */
  readonly icon: string | undefined;
  readonly bot: boolean;
}

export interface SeenButton {
  readonly label: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string | undefined;
  readonly style: string | undefined;
  readonly url: string | undefined;
}

export interface SeenSelect {
  /** The placeholder, or the text of the section it stands in. */
  readonly label: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly options: readonly SeenOption[];
  readonly initial: string | undefined;
}

export interface SeenOption {
  readonly label: string;
  readonly value: string;
  readonly description: string | undefined;
}

export interface SeenFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mime: string;
  readonly bytes: Buffer;
}

/** A message as the people in the channel see it at this moment. */
export interface SeenMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | undefined;
  readonly author: SeenAuthor;
  /** All that a person reads: the blocks one under another where there are any, else the text. Names instead of ids; Markdown as it was sent. */
  readonly text: string;
  /** The `text` field as it was sent: what notifications show when there are blocks. */
  readonly source: string;
  readonly subtype: string | undefined;
  readonly buttons: readonly SeenButton[];
  readonly selects: readonly SeenSelect[];
  readonly files: readonly SeenFile[];
  readonly blocks: readonly AnyBlock[];
  readonly metadata: MessageMetadata | undefined;
  readonly reactions: readonly { readonly name: string; readonly users: readonly string[] }[];
  /** People see "(edited)": not where the app changed a message with blocks. */
  readonly edited: boolean;
  /** What `text` was before each change, the first one first. */
  readonly edits: readonly string[];
  /** Whom it notifies: user ids, and `channel`, `here`, `everyone`. */
  readonly pings: readonly string[];
  /** A reply that is shown in the channel too. */
  readonly broadcast: boolean;
  readonly streaming: "in_progress" | "completed" | "errored" | undefined;
}

/** Shown to one person only; gone when they reload. */
export interface SeenEphemeral extends SeenMessage {
  readonly to: string;
}

/** An open modal, or a published home page. */
export interface SeenView {
  readonly surface: "modal" | "home";
  readonly userId: string;
  readonly id: string;
  readonly title: string;
  readonly submit: string | undefined;
  readonly callbackId: string;
  readonly privateMetadata: string;
  /** The blocks one under another. */
  readonly text: string;
  readonly inputs: readonly SeenInput[];
  readonly buttons: readonly SeenButton[];
  readonly selects: readonly SeenSelect[];
  readonly blocks: readonly AnyBlock[];
  /** What the app found wrong with the last submission, by block id. */
  readonly errors: Readonly<Record<string, string>>;
}

export interface SeenInput {
  readonly label: string;
  readonly blockId: string;
  readonly actionId: string;
  readonly initial: string | undefined;
  readonly multiline: boolean;
  readonly optional: boolean;
}

/** Something a person did that wants an answer within three seconds. */
export interface Acted {
  readonly triggerId: string;
  readonly responseUrl: string;
  /** `failed`: nobody listened or nobody acknowledged in time; the person sees a warning. */
  state(): "waiting" | "acked" | "failed";
  /** What came with the acknowledgement. */
  ack(): Record<string, unknown> | undefined;
}

export interface SeenStatus {
  readonly text: string;
  readonly loading: readonly string[];
  /** Whose line it is, where it was given a name and a picture. */
  readonly name: string | undefined;
  readonly icon: string | undefined;
}

export interface SeenPrompt {
  readonly title: string;
  readonly message: string;
}

/** One call to the Web API, in the order they arrived. */
export interface Call {
  readonly method: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly token: "bot" | "app" | "unknown" | "none";
  readonly at: Date;
  /** The HTTP status we answered with; undefined while it runs or when the response was lost. */
  status: number | undefined;
  /** The whole answer, where there was one. */
  result: Readonly<Record<string, unknown>> | undefined;
}

/** One envelope that was put on a socket. */
export interface SentEnvelope {
  readonly id: string;
  readonly type: "events_api" | "interactive" | "slash_commands";
  /** The event's type, or the interaction's. */
  readonly about: string;
  readonly eventId: string | undefined;
  readonly attempt: number;
  readonly payload: Readonly<Record<string, unknown>>;
  /** How long the acknowledgement took, in milliseconds; undefined while there is none. */
  ackedAfterMs: number | undefined;
  ack: Readonly<Record<string, unknown>> | undefined;
}

export interface SeenSocket {
  readonly id: number;
  readonly open: boolean;
  readonly sent: readonly SentEnvelope[];
}

export interface Slack extends AsyncDisposable {
  /** The base for a WebClient's `slackApiUrl`, with the slash at its end. */
  readonly url: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly teamId: string;
  readonly botUserId: string;
  readonly botId: string;
  readonly appId: string;
  /** Somebody who is there from the start. */
  readonly ada: string;
  /** The public channel that is there from the start, with Ada and the bot in it. */
  readonly general: string;
  /** Somebody new; returns their user id. */
  person(name: string, options?: PersonOptions): string;
  /** A channel; returns its id. */
  channel(name?: string, options?: ChannelOptions): string;
  /** The conversation of a person with the bot; returns its id. */
  dm(userId: string): string;
  /** The conversation of two people, of which the bot is no part; returns its id. */
  dmBetween(one: string, other: string): string;
  /** A group conversation of these people with the bot; returns its id. */
  group(userIds: readonly string[]): string;

  /** Text as Slack writes it: `<@U…>`, `<#C…>`, `<!channel>`, `<url|label>`. A bare `&`, `<` or `>` is escaped as the composer does. */
  say(userId: string, channelId: string, text: string, options?: SayOptions): SeenMessage;
  edit(userId: string, message: MessageRef, text: string): void;
  deleteMessage(userId: string, message: MessageRef): void;
  /** A preview of a link appears: `message_changed` although nobody changed the words. */
  unfurl(message: MessageRef): void;
  /** Presses the button with this label, in a message, a modal or on a home page. */
  press(userId: string, target: MessageRef | SeenView, label: string): Acted;
  /** Chooses the option with this label. */
  select(userId: string, target: MessageRef | SeenView, optionLabel: string): Acted;
  /** Sends the open modal off: one value for its only field, or values by block id or label. */
  submit(userId: string, value: string | Readonly<Record<string, string>>): Acted;
  closeView(userId: string): void;
  command(userId: string, channelId: string, command: string, text?: string): Acted;
  messageShortcut(userId: string, message: MessageRef, callbackId: string): Acted;
  globalShortcut(userId: string, callbackId: string): Acted;
  openHome(userId: string): void;
  openMessagesTab(userId: string): void;
  /** Somebody takes the bot into a channel. */
  invite(userId: string, channelId: string): void;
  /** Somebody takes the bot out of a channel. */
  kick(userId: string, channelId: string): void;
  /** Somebody joins or leaves a channel by themselves. */
  join(userId: string, channelId: string): void;
  leave(userId: string, channelId: string): void;
  archive(userId: string, channelId: string): void;
  react(userId: string, message: MessageRef, name: string): void;
  unreact(userId: string, message: MessageRef, name: string): void;
  /** Presses Stop on a stream that runs (`agent_session_stopped`). */
  stopStream(userId: string, message: MessageRef): void;
  /** Sends an event of any shape. */
  deliver(event: Readonly<Record<string, unknown>>): void;

  /** Everything in a channel, oldest first; with `thread`, its root and replies; with null, what stands in the channel itself. */
  messages(channelId: string, options?: { readonly thread?: string | null | undefined }): readonly SeenMessage[];
  /** What the bot said there and did not take back. */
  fromBot(channelId: string): readonly SeenMessage[];
  deleted(channelId: string): readonly SeenMessage[];
  /** One message as it is now; undefined when it is gone. */
  message(ref: MessageRef): SeenMessage | undefined;
  ephemerals(userId: string): readonly SeenEphemeral[];
  /** The status line that is shown now. */
  status(channelId: string, threadTs: string): SeenStatus | undefined;
  /** Every status a thread was given, in order; "" where one was taken away. */
  statuses(channelId: string, threadTs: string): readonly string[];
  suggested(channelId: string): readonly SeenPrompt[];
  /** The title of a thread in a conversation with the bot. */
  title(channelId: string, threadTs: string): string | undefined;
  /** The modal a person has open. */
  view(userId: string): SeenView | undefined;
  /** The home page that was published for a person. */
  home(userId: string): SeenView | undefined;
  permalink(message: MessageRef): string;
  calls(method?: string): readonly Call[];
  sockets(): readonly SeenSocket[];
  /** Every envelope that was sent, on whatever socket, in order. */
  envelopes(about?: string): readonly SentEnvelope[];
  /** Events that were given up after the last retry, by event id. */
  lost(): readonly string[];
  /** Resolves with what the probe returns as soon as it is neither undefined, null nor false; looks at every change. */
  waitFor<T>(probe: Probe<T>, timeoutMs?: number): Promise<T>;
  /** The next or present message of the bot in a channel that satisfies the test. */
  waitForMessage(channelId: string, test: (message: SeenMessage) => boolean, timeoutMs?: number): Promise<SeenMessage>;
  waitForEphemeral(
    userId: string,
    test: (message: SeenEphemeral) => boolean,
    timeoutMs?: number,
  ): Promise<SeenEphemeral>;

  readonly faults: Faults;
  close(): Promise<void>;
}

/** Which message: as it was seen, or its channel and ts. */
export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
}
