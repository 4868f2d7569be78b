import type { PressResult } from "../attention/index.ts";
import type { ButtonEvent, Form, FormEvent, MessageEvent, OnlyFor, Post } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import type { Db } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import { asTypedHere } from "./command-words.ts";
import type { InboxDeps } from "./deps.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { destination, type PersonScene, type Scene, say } from "./scene.ts";

/** What a press came to, and what its presser (nobody else) is told. */
export interface Pressed {
  readonly outcome: Outcome;
  readonly answer?: string | undefined;
  /** It is not what the presser expects, so they have to see it: true for whatever was dropped. */
  readonly stays?: boolean | undefined;
}

/** The message with the button that was used; its id is unknown where the platform does not tell. */
export interface Card {
  readonly messageId: string | undefined;
  /** Set where only one person sees it. */
  readonly onlyFor: OnlyFor | undefined;
}

/** Somebody pressed a button, filled in a form, or answered one in writing. */
export type UseEvent = ButtonEvent | FormEvent | MessageEvent;

export type Action = (scene: PersonScene<ButtonEvent>, payload: unknown, card: Card) => Promise<Pressed>;

/** What a form is shown or judged with: it may be long before anything is changed. */
export interface FormContext {
  readonly db: Db;
  readonly deps: Pick<InboxDeps, "clock" | "mcp" | "memories" | "routines" | "skills" | "teammates">;
  readonly person: Person;
  readonly words: Words;
}

/** A button that asks for something written. */
export interface FormAction {
  /** The form as things stand; undefined when what it is about is gone. */
  form(context: FormContext, payload: unknown): Promise<Form | undefined>;
  /** Why a value will not do, in a sentence; null when it does. Changes nothing, so that the form can be filled in again. */
  problem(context: FormContext, payload: unknown, value: string): Promise<string | null>;
  fill(scene: PersonScene<UseEvent>, payload: unknown, value: string, card: Card): Promise<Pressed>;
}

export function cardOf(event: ButtonEvent | FormEvent): Card {
  const { messageId, interaction, author } = event;
  return { messageId, onlyFor: event.private ? { userId: author.id, interaction } : undefined };
}

/** Shows a card anew in its place; where nobody knows which message it was, as a new one. */
export async function redraw(
  scene: Scene,
  card: Card,
  post: Pick<Post, "text" | "buttons" | "selects" | "links">,
): Promise<void> {
  const { messageId, onlyFor } = card;
  if (messageId === undefined) {
    await say(scene, post.text, { ...post, part: "card", purpose: "card" });
    return;
  }
  await scene.deps.outbox.enqueue(scene.unit, {
    op: "edit",
    target: { messageId },
    post: { ...post, text: asTypedHere(scene, post.text), notify: false, onlyFor },
    to: destination(scene),
    purpose: "card",
    lane: `place:${scene.place.id}`,
    dedupKey: `inbox:${scene.connectionId}:${scene.event.key}:card`,
  });
}

/** A button that could not be used, in words for its presser. */
export function notDone(result: Exclude<PressResult, { kind: "done" }>): Pressed {
  switch (result.kind) {
    case "refused":
      return { outcome: dropped("refused"), answer: result.text };
    case "already":
      return { outcome: handled, answer: result.text, stays: true };
    case "invalid":
      return { outcome: dropped("invalid"), answer: result.text };
    case "unknown":
      return { outcome: dropped("unknown_button"), answer: result.text };
  }
}
