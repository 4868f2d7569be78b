import type { Unit } from "../storage/index.ts";

/** What a page is for: who issues one names it, and the handler of that name takes what was written. */
export type WebFormPurpose = "question" | "api_key" | "mcp_secret" | "webhook_secret" | "calendar_address";

/** One thing to fill in. */
export interface WebFormField {
  readonly name: string;
  readonly label: string;
  /** Hidden while it is typed. */
  readonly secret: boolean;
  /** Several lines. */
  readonly long: boolean;
}

export interface NewWebForm {
  readonly purpose: WebFormPurpose;
  /** Whose word it will be. */
  readonly personId: string;
  /** Plain text, shown as it is. */
  readonly title: string;
  readonly intro: string;
  /** With names of their own. None: the page only has a button, which shows something once. */
  readonly fields: readonly WebFormField[];
  /** What its button says; to send, where absent. */
  readonly button?: string | undefined;
  /** What the handler gets back: ids, never a secret. */
  readonly payload: object;
  readonly expiresAt: Date;
}

export interface IssuedForm {
  readonly url: string;
  /** False where the address opens only on the machine Shipmate runs on: then say so beside the link. */
  readonly opensAnywhere: boolean;
}

/** A page as it is shown. */
export type OpenForm = Pick<NewWebForm, "title" | "intro" | "fields" | "button">;

/** What is shown instead of thanks, once: nothing keeps it. */
export interface ShownOnce {
  readonly title: string;
  /** Each to be copied as it is. */
  readonly texts: readonly { readonly label: string; readonly text: string }[];
}

export type WebFormValues = Readonly<Record<string, string>>;

/** What was written, for the handler. */
export interface FilledForm {
  readonly payload: unknown;
  readonly personId: string;
  readonly values: WebFormValues;
}

/** Texts are plain sentences for the page. */
export type WebFormOutcome =
  /** Taken: the page is used up. */
  | { readonly kind: "done"; readonly text: string; readonly shown?: ShownOnce | undefined }
  /** It will not do: nothing is used up, and the page is shown again with this sentence. */
  | { readonly kind: "invalid"; readonly text: string }
  /** What it was about is over: the page is used up, and shown as run out. */
  | { readonly kind: "over" };

/** Carries out what was written, in the transaction that uses the page up. Values are trimmed and not empty, and must not be stored in clear. */
export type WebFormHandler = (unit: Unit, filled: FilledForm) => Promise<WebFormOutcome>;

export type WebFormHandlers = Readonly<Partial<Record<WebFormPurpose, WebFormHandler>>>;

export type Submitted =
  | Exclude<WebFormOutcome, { kind: "invalid" }>
  /** With what to show again: what the handler said, or what is wrong with any page. */
  | { readonly kind: "invalid"; readonly text: string; readonly form: OpenForm }
  | { readonly kind: "invalid"; readonly problem: "empty" | "too_long"; readonly form: OpenForm };
