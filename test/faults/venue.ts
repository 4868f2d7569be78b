import type { Machine } from "../support/machine.ts";

/** A message as people see it. */
export interface Shown {
  readonly text: string;
}

/** One question and what came of it; the person who asked is the one who presses. */
export interface Asked<M extends Shown = Shown> {
  /** What the bot says there since the question, oldest first. */
  said(): readonly M[];
  /** The next or present message of the bot since the question that satisfies the test. */
  hears(test: (message: M) => boolean, timeoutMs: number): Promise<M>;
  press(message: M, label: string): Pressed;
  /** The bot's reactions on the question. */
  signs(): readonly string[];
  /** What only shows that work goes on, and should be gone by now. */
  leftovers(): readonly unknown[];
  /** Every try to post a text with these words there, whatever became of it. */
  posts(words: string): readonly Try[];
}

/** A call: when it came, and with which HTTP status it was answered; undefined while it runs or when the response was lost. */
export interface Try {
  readonly at: Date;
  readonly status: number | undefined;
}

export interface Pressed {
  /** True once the platform shows that we took note. */
  acknowledged(): boolean;
}

/** Somebody who asks: where people usually do, or in a place that is named. */
export interface Guest<M extends Shown = Shown, P = unknown> {
  readonly person: P;
  ask(question: string, place?: number | string): Asked<M>;
}

/** What may go wrong with any platform; how often is once, or as often as said. Each is over with `clear`. */
export interface VenueFaults {
  clear(): void;
  /** Posts wait, before any effect, until the returned function is called. */
  holdPosts(): () => void;
  /** Posts arrive, and their response takes longer than anybody lives. */
  slowPosts(): void;
  losePostResponses(times?: number): void;
  failPosts(times?: number): void;
  limitPosts(retryAfter: number, times?: number): void;
  holdSigns(): () => void;
  loseSignResponses(times?: number): void;
  /** True once a sign is held. */
  signsWait(): boolean;
  /** The line on which we hear what happens breaks, and may be opened anew at once. */
  cutLine(): Promise<void>;
  /** The next thing that happens is told twice, where the platform may do that. */
  repeatEvent(): void;
}

/** A platform around the shipped command, and the people on it. */
export interface Venue<W extends Machine = Machine, M extends Shown = Shown, P = unknown> extends AsyncDisposable {
  readonly world: W;
  /** The reactions that mean these. */
  readonly signs: Readonly<Record<Sign, string>>;
  /** True where a post that may have arrived is found again, so that it is never seen twice and never labelled. */
  readonly findsPosts: boolean;
  readonly faults: VenueFaults;
  /** Ada becomes the owner, and people may ask in the shared place. */
  claim(): Promise<void>;
  guest(name: string): Promise<Guest<M, P>>;
  /** What the platform still means to tell us. */
  unheard(): readonly unknown[];
}

export type Sign = "done" | "failed" | "stopped";
