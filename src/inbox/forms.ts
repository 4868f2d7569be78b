import { type PressResult, peekToken, useToken } from "../attention/index.ts";
import type { ButtonEvent, Form } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { hashToken } from "../shared/index.ts";
import { type Words, wordsFor } from "../words/index.ts";
import { accessForms } from "./access/index.ts";
import { type Card, type FormAction, type FormContext, notDone, type Pressed, type UseEvent } from "./action.ts";
import type { InboxDeps } from "./deps.ts";
import { historyForms } from "./history/index.ts";
import { instructionsForms } from "./instructions/index.ts";
import { mcpForms } from "./mcp/index.ts";
import { memoryForms } from "./memory/index.ts";
import { dropped, handled } from "./outcome.ts";
import { profileForms } from "./profiles/index.ts";
import { insertReplyForm } from "./reply-forms.store.ts";
import { routinesForms } from "./routines/index.ts";
import { byPerson, type PersonScene, plain, type Scene, say } from "./scene.ts";
import { skillsForms } from "./skills/index.ts";
import { threadsForms } from "./threads/index.ts";
import { usageForms } from "./usage/index.ts";

/** How long a written answer is waited for, where a form is a message to reply to. */
const replyLifetimeMs = 60 * 60_000;

/** The buttons that ask for something written, by the action of their tokens. */
const formActions: Readonly<Record<string, FormAction>> = {
  ...profileForms,
  ...memoryForms,
  ...instructionsForms,
  ...threadsForms,
  ...mcpForms,
  ...skillsForms,
  ...accessForms,
  ...usageForms,
  ...historyForms,
  ...routinesForms,
};

/** What attention decides or takes itself. */
export function isAttention(action: string): boolean {
  return action === "decide" || action === "answer";
}

function formAction(action: string): FormAction | undefined {
  return Object.hasOwn(formActions, action) ? formActions[action] : undefined;
}

/** What a button asks for in writing; undefined where it asks for nothing, or not this person. */
async function formBehind(
  context: FormContext & { readonly deps: InboxDeps },
  token: string,
): Promise<Form | undefined> {
  const { db, deps, person } = context;
  const peeked = await peekToken(db, hashToken(token), { person, now: deps.clock.now() });
  if (peeked.kind !== "done") return undefined;
  const { action, payload } = peeked;
  return isAttention(action) ? deps.attention.formFor(db, token, person) : formAction(action)?.form(context, payload);
}

/** The form behind a button, for a platform that shows it. The button stays unused until the form is filled in. */
export async function formFor(
  deps: InboxDeps,
  asked: { readonly connectionId: string; readonly token: string; readonly userId: string },
): Promise<Form | undefined> {
  const { db } = deps;
  const identity = await deps.people.find(db, asked.connectionId, asked.userId);
  const person = identity?.person;
  if (!person) return undefined;
  return formBehind({ db, deps, person, words: wordsFor(person.locale) }, asked.token);
}

/** A press on a button that asks for something written: by a message to reply to. Null when it asks for nothing. */
export async function openForm(scene: Scene<ButtonEvent>): Promise<Pressed | null> {
  if (!byPerson(scene)) return null;
  const { deps, event, words } = scene;
  const form = await formBehind(contextOf(scene), event.token);
  if (!form) return null;
  // Where forms are native, this one did not open in time: nobody can reply to a message that only they see.
  if (deps.adapters.get(scene.connectionId)?.capabilities.forms) {
    return { outcome: handled, answer: words.inbox.formLate, stays: true };
  }
  await askForReply(scene, form);
  return { outcome: handled };
}

async function askForReply(scene: PersonScene<ButtonEvent>, form: Form): Promise<void> {
  const { unit, deps, event, person, words } = scene;
  const now = form.value === undefined || form.value === "" ? undefined : plain(form.value);
  const options = { asksReply: true, notify: true, part: "form", toAll: true };
  const postIds = await say(scene, words.inbox.formReply(form.label, now), options);
  await insertReplyForm(unit.db, {
    postIds,
    personId: person.id,
    payload: { hash: hashToken(event.token), messageId: event.messageId },
    expiresAt: new Date(deps.clock.now().getTime() + replyLifetimeMs),
  });
}

export interface FilledIn {
  /** Of the button's token. */
  readonly hash: string;
  readonly value: string;
  readonly card: Card;
}

/** Takes what was written. A value that will not do uses nothing up: the form can be filled in again. */
export async function fillIn(scene: Scene<UseEvent>, { hash, value, card }: FilledIn): Promise<Pressed> {
  const { unit, deps, person, words } = scene;
  const presser = { person, now: deps.clock.now() };
  const peeked = await peekToken(unit.db, hash, presser);
  if (peeked.kind !== "done") return tooLate(peeked, words);
  if (isAttention(peeked.action) && person !== null) return fillCard(scene, person, hash, value);
  const action = formAction(peeked.action);
  if (!action || !byPerson(scene)) return { outcome: dropped("unknown_button"), answer: words.inbox.buttonGone };
  const problem = await action.problem(contextOf(scene), peeked.payload, value.trim());
  if (problem !== null) return { outcome: dropped("invalid"), answer: problem };
  const used = await useToken(unit, hash, presser);
  if (used.kind !== "done") return tooLate(used, words);
  return action.fill(scene, used.payload, value.trim(), card);
}

async function fillCard({ unit, deps }: Scene, person: Person, hash: string, value: string): Promise<Pressed> {
  const result = await deps.attention.fill(unit, hash, person, value);
  return result.kind === "done" ? { outcome: handled, answer: result.answer } : notDone(result);
}

/** Somebody was faster, or the card was drawn anew since: what was written belongs to what is no longer shown. */
function tooLate(result: Exclude<PressResult, { kind: "done" }>, words: Words): Pressed {
  const pressed = notDone(result);
  return result.kind === "already" ? { ...pressed, answer: words.inbox.formOver } : pressed;
}

function contextOf({ unit, deps, person, words }: PersonScene) {
  return { db: unit.db, deps, person, words };
}
