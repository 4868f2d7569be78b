import type { Adapter, AdapterDeps, Address, CommandSpec, InboundEvent, PlaceKind } from "../../src/chat/index.ts";

/** One message of ours as a person sees it now. */
export interface Shown {
  /** The id that the receipt carried. */
  readonly id: string;
  /** The words, without formatting; the caption of a file. */
  readonly text: string;
  /** Labels of the buttons that can be pressed. */
  readonly buttons: readonly string[];
  /** What can be opened, buttons that only open an address among it. */
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** Labels of what the lists offer; left out where a platform shows a button each instead. */
  readonly options?: readonly string[] | undefined;
  /** Who speaks, where the platform itself shows it. */
  readonly author?: string | undefined;
  readonly file?: { readonly name: string; readonly bytes: Uint8Array } | undefined;
}

/** A form as it is open before Ada. */
export interface ShownForm {
  readonly title: string;
  readonly label: string;
  /** What already stands in its field; empty when nothing does. */
  readonly value: string;
}

/** What else Ada can do or see, where the platform has it. */
interface Abilities {
  /** Ada changes the last thing she said. */
  readonly change?: ((text: string) => Promise<void>) | undefined;
  /** Ada deletes the last thing she said. */
  readonly takeBack?: (() => Promise<void>) | undefined;
  /** Ada sends a file, with words or none. */
  readonly sendFile?: ((name: string, bytes: Uint8Array, text: string) => Promise<void>) | undefined;
  /** What our reactions on the last thing Ada said look like now. */
  readonly reactions?: (() => Promise<readonly string[]>) | undefined;
  /** The id of the last thing Ada said. */
  readonly lastSaid?: (() => string) | undefined;
  /** The form that is open before Ada, if one is, and filling it in. */
  readonly form?: (() => Promise<ShownForm | undefined>) | undefined;
  readonly submit?: ((value: string) => Promise<void>) | undefined;
  /** The status line that Ada sees in the direct message. */
  readonly statusLine?: (() => Promise<string | undefined>) | undefined;
  /** Whom our posts notified, in any place: people, roles and whole places, as the platform names them. */
  readonly pings?: (() => Promise<readonly string[]>) | undefined;
  readonly shared?: SharedPlace | undefined;
  /** What of ours only this person sees in the shared place; also a sign that something is still to come. */
  readonly privately?: ((userId: string) => Promise<readonly Shown[]>) | undefined;
  readonly threads?: Threads | undefined;
  readonly ownThreads?: OwnThreads | undefined;
  /** Ada opens her own page, and the text on it. */
  readonly openHome?: (() => Promise<void>) | undefined;
  readonly homePage?: (() => Promise<string>) | undefined;
  /** Ada opens a conversation in which nothing was said yet, and the titles of what is offered there. */
  readonly openConversation?: (() => Promise<void>) | undefined;
  readonly suggestions?: (() => Promise<readonly string[]>) | undefined;
}

/** A group or channel that Ada shares with Ben, where we are too and may read everything. */
export interface SharedPlace {
  readonly place: Address;
  readonly kind: PlaceKind;
  /** Ben's id as an author. */
  readonly ben: string;
  /** What everybody sees of ours, in the place itself (not in its threads), oldest first. */
  shown(): Promise<readonly Shown[]>;
  /** Ada says this; each gives the id of her message. */
  say(text: string): Promise<string>;
  /** With our name before it. */
  mention(text: string): Promise<string>;
  /** With Ben's name before it. */
  sayToBen(text: string): Promise<string>;
  /** As a reply to our newest post there, where a platform has replies beside threads. */
  readonly reply?: ((text: string) => Promise<string>) | undefined;
  /** Ada gives a command there. */
  command(name: string, argument: string): Promise<void>;
}

/** Threads that hang on messages of the shared place. */
export interface Threads {
  /** What everybody sees of ours in the thread on this message. */
  shown(messageId: string): Promise<readonly Shown[]>;
  /** Ada says this in the thread on this message; gives the id of what she said. */
  say(messageId: string, text: string): Promise<string>;
  /** How many threads there are in the shared place. */
  count(): Promise<number>;
}

/** Threads that we make in a place ourselves, on nobody's message. */
export interface OwnThreads {
  readonly place: Address;
  /** How the thread is called, as everybody sees it. */
  name(threadId: string): Promise<string | undefined>;
  /** What everybody sees of ours in it, beneath its name. */
  shown(threadId: string): Promise<readonly Shown[]>;
  /** What everybody sees of ours in the place itself, what only names a thread left out. */
  beside(): Promise<readonly Shown[]>;
  /** Ada says this in the thread. */
  say(threadId: string, text: string): Promise<void>;
  count(): Promise<number>;
}

/** Each fault concerns the next send only, unless it says otherwise. */
interface Faults {
  /** Not taken: too many requests. */
  readonly rateLimit?: (() => void) | undefined;
  /** Not taken: an error of the server before it did anything. */
  readonly serverError?: (() => void) | undefined;
  /** Taken, and the response is lost. */
  readonly loseResponse?: (() => void) | undefined;
  /** Not taken: the place does not exist any more. */
  readonly gone?: (() => void) | undefined;
  /** Not taken: our formatting is at fault. The same words as plain text would be taken. */
  readonly rejectFormatting?: (() => void) | undefined;
  /** Not taken, every time: the content is not acceptable. */
  readonly reject?: (() => void) | undefined;
}

/** A fresh adapter on its platform's stand-in, with Ada in a direct message. */
export interface Stage extends Abilities, AsyncDisposable {
  /** Connected, not started. */
  readonly adapter: Adapter;
  readonly place: Address;
  /** Ada's id as an author. */
  readonly ada: string;
  /** The most one message may hold, in UTF-16 units of `Shown.text`; absent where there is no limit. */
  readonly limit?: number | undefined;
  /** What we said to Ada in the direct message and did not take back, oldest first. */
  shown(): Promise<readonly Shown[]>;
  say(text: string): Promise<void>;
  /** Ada gives a command, such as `ask` with `Penny what is new?`; the argument goes into its first field where there are fields. */
  command(name: string, argument: string): Promise<void>;
  /** Ada presses the button with this label on the newest message that has it, private ones and those in the shared place too. */
  press(label: string): Promise<void>;
  /** Ada chooses this option on the newest message that offers it. */
  choose(option: string): Promise<void>;
  /** What answers to presses told Ada, oldest first. */
  answers(): Promise<readonly string[]>;
  readonly faults: Faults;
}

export interface AdapterHarness {
  /** Passes the overrides on to the adapter; with `known` and `form` the suite tells it about places and forms. */
  create(deps: Partial<AdapterDeps>): Promise<Stage>;
  /** What this platform lacks. A stage must offer everything else. */
  readonly lacks: readonly Ability[];
}

/** The commands that every stage's adapter is made with. */
export const contractCommands: readonly CommandSpec[] = [
  {
    name: "ask",
    description: "Ask a teammate",
    menu: true,
    fields: [{ name: "question", description: "What you want to know", required: true }],
  },
  { name: "team", description: "Show who is here", menu: true, fields: [] },
];

/** All that an ability needs from a stage: what the platform has must be there as a whole, what it lacks not even in part. */
const needs = {
  change: ({ change }) => [change],
  takeBack: ({ takeBack }) => [takeBack],
  sendFile: ({ sendFile, adapter }) => [sendFile, adapter.download],
  reactions: ({ reactions, adapter }) => [reactions, adapter.react],
  lastSaid: ({ lastSaid }) => [lastSaid],
  edit: ({ adapter }) => [adapter.edit],
  remove: ({ adapter }) => [adapter.remove],
  removeByButton: ({ adapter }) => [adapter.removeByButton],
  upload: ({ adapter }) => [adapter.upload],
  forms: ({ form, submit, adapter }) => [form, submit, adapter.capabilities.forms || undefined],
  status: ({ statusLine, adapter }) => [statusLine, adapter.status],
  pings: ({ pings }) => [pings],
  shared: ({ shared }) => [shared],
  replies: ({ shared }) => [shared?.reply],
  threads: ({ threads }) => [threads],
  ownThreads: ({ ownThreads, adapter }) => [ownThreads, adapter.openThread],
  history: ({ adapter }) => [adapter.history],
  privatePosts: ({ privately, adapter }) => [privately, adapter.capabilities.privatePosts || undefined],
  idempotentPosts: ({ adapter }) => [adapter.capabilities.idempotentPosts || undefined],
  home: ({ openHome, homePage, adapter }) => [openHome, homePage, adapter.home],
  suggestions: ({ openConversation, suggestions, adapter }) => [openConversation, suggestions, adapter.suggest],
  rateLimit: ({ faults }) => [faults.rateLimit],
  serverError: ({ faults }) => [faults.serverError],
  loseResponse: ({ faults }) => [faults.loseResponse],
  gone: ({ faults }) => [faults.gone],
  rejectFormatting: ({ faults }) => [faults.rejectFormatting],
  reject: ({ faults }) => [faults.reject],
} satisfies Record<string, (stage: Stage) => readonly unknown[]>;

/**
 * What a platform may not have; the suite then leaves out what needs it, and checks that the stage indeed lacks it.
 * `catchUp` is lacked where the platform (or the adapter) keeps by itself what was said while we were away.
 */
export type Ability = keyof typeof needs | "catchUp";

/** What a stage offers only in part, or although it is said to lack it, or not at all although it is not. */
export function misjudged(stage: Stage, lacks: readonly Ability[]): readonly string[] {
  return Object.entries(needs).flatMap(([ability, parts]) => {
    const found = parts(stage).map((part) => part !== undefined);
    return found.every((there) => there === !lacks.some((lacked) => lacked === ability)) ? [] : [ability];
  });
}

/** A sink that keeps what it took; `before` may wait, or reject as a failing database would. */
export function recordingSink(before: (event: InboundEvent) => Promise<void> = async () => {}) {
  const events: InboundEvent[] = [];
  const sink = async (event: InboundEvent) => {
    await before(event);
    events.push(event);
  };
  return { events, sink };
}
