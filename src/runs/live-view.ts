import type { Adapter, Address, PlaceKind } from "../chat/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import type { TimelineEvent } from "./timeline.ts";

export interface LiveViewDeps {
  readonly db: Db;
  readonly adapter: Adapter;
  readonly destination: { readonly connectionId: string; readonly address: Address; readonly placeKind: PlaceKind };
  readonly runId: string;
  readonly teammateName: string;
  readonly words: Words;
  readonly clock: Clock;
  readonly log: Log;
  /** What the Stop button carries; without it there is none. */
  readonly stopToken?: string | undefined;
  /** The message this run answers, where the platform shows replies. */
  readonly replyTo?: string | undefined;
  /** Who speaks, where the place has several teammates. */
  readonly persona?: string | undefined;
}

/** For whom or what a run waits: a person, and where they decide. */
export interface WaitingOn {
  readonly on: "approval" | "permission" | "question";
  /** Who is waited for; "you" when absent. */
  readonly who?: string | undefined;
  /** A link to the card, where the platform has them. */
  readonly link?: string | undefined;
}

export interface LiveView {
  /** Takes an event into the view. Never throws, never waits. */
  show(event: TimelineEvent): void;
  waiting(on: WaitingOn | null): void;
  /** Ends the view: no further call is made. Resolves (at the latest after some seconds) with the message to remove once the answer is there. */
  close(): Promise<{ messageId?: string | undefined }>;
}

/** Starts the view at once: the first sign is on its way when this returns. */
export function createLiveView(_deps: LiveViewDeps): LiveView {
  throw new Error("not built yet");
}
