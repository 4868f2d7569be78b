import type { Adapter, Address, InboundEvent } from "../../src/chat/index.ts";

/** One message of ours as Ada sees it now. */
export interface Shown {
  /** The id that the receipt carried. */
  readonly id: string;
  /** The words, without formatting; the caption of a file. */
  readonly text: string;
  /** Labels of the buttons that can be pressed. */
  readonly buttons: readonly string[];
  readonly file?: { readonly name: string; readonly bytes: Uint8Array } | undefined;
}

/** What a platform may not have; the suite then leaves out what needs it, and checks that the stage indeed lacks it. */
export type Ability = keyof Abilities | keyof Faults | "edit" | "remove" | "upload";

interface Abilities {
  /** Ada changes the last thing she said. */
  readonly change?: ((text: string) => Promise<void>) | undefined;
  /** Ada sends a file, with words or none. */
  readonly sendFile?: ((name: string, bytes: Uint8Array, text: string) => Promise<void>) | undefined;
  /** What our reactions on the last thing Ada said look like now. */
  readonly reactions?: (() => Promise<readonly string[]>) | undefined;
  /** The id of the last thing Ada said, for reactions. */
  readonly lastSaid?: (() => string) | undefined;
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
  /** What we said to Ada and did not take back, oldest first. */
  shown(): Promise<readonly Shown[]>;
  say(text: string): Promise<void>;
  /** Ada gives a command, such as `ask` with `Penny what is new?`. */
  command(name: string, argument: string): Promise<void>;
  /** Ada presses the button with this label on the newest message that has it. */
  press(label: string): Promise<void>;
  /** What answers to presses told Ada, oldest first. */
  answers(): Promise<readonly string[]>;
  readonly faults: Faults;
}

export interface AdapterHarness {
  create(): Promise<Stage>;
  /** What this platform lacks. A stage must offer everything else. */
  readonly lacks: readonly Ability[];
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
