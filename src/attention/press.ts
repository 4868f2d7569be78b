import { z } from "zod";
import { cleanText, type Form } from "../chat/index.ts";
import { allows, type Person } from "../people/index.ts";
import { hashToken, redact } from "../shared/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { type Words, wordsFor } from "../words/index.ts";
import { close, getItem, type StoredItem } from "./attention.store.ts";
import { mayDecide, whoMayDecide } from "./authority.ts";
import { type Offered, offeredRule } from "./card-choices.ts";
import { ownWordsForm, readStep, takeStep } from "./question-press.ts";
import { addRule } from "./rules.ts";
import { timeOfDay } from "./time.ts";
import { findToken, type StoredToken, useGroup } from "./tokens.store.ts";
import type { AttentionDetails, PressResult, RulePattern } from "./types.ts";

type ApprovalWords = Words["approval"];

export interface PressContext {
  readonly now: Date;
  /** What was written into the form of a button that asks for a reason. */
  readonly note?: string | undefined;
  /** What follows an answer that is not the last one. */
  readonly afterStep: (unit: Unit, item: StoredItem) => Promise<void>;
  /** What follows a decision: every copy of the card, and whoever waits for it. */
  readonly afterDecision: (unit: Unit, item: StoredItem, by: Person) => Promise<void>;
  /** What follows a press on something that was decided before. */
  readonly afterLatePress: (unit: Unit, item: StoredItem, by: Person) => Promise<void>;
}

/** By the token's hash. */
export async function press(
  unit: Unit,
  hash: string,
  person: Person | null,
  context: PressContext,
): Promise<PressResult> {
  const { now } = context;
  const words = wordsFor(person?.locale).approval;
  const held = await findToken(unit.db, hash);
  if (held === null) return { kind: "unknown", text: words.unknown };
  if (person === null) return { kind: "refused", text: words.stranger };
  if (held.action === "decide") return decide(unit, { ...context, held, person, words });
  if (held.action === "answer") return answer(unit, held, person, context);
  return use(unit, held, { person, words, now });
}

/** What is answered already is known by the question, not by the button: copies of a card are drawn one after another. */
async function answer(unit: Unit, held: StoredToken, person: Person, context: PressContext): Promise<PressResult> {
  const words = wordsFor(person.locale);
  if (held.attentionId === null) return { kind: "unknown", text: words.approval.unknown };
  const answering = { ...context, attentionId: held.attentionId, person, words };
  return takeStep(unit, answering, readStep(held.payload), context.note);
}

/** Whose press it is, and when. */
export interface Presser {
  readonly person: Person | null;
  readonly now: Date;
}

/**
 * What a button stands for, when this person may press it now. Nothing is used up. By the token's hash. Whether a decision may be
 * made, and what became of it, only the press itself tells.
 */
export async function peekToken(db: Db, hash: string, { person, now }: Presser): Promise<PressResult> {
  const words = wordsFor(person?.locale).approval;
  const held = await findToken(db, hash);
  if (held === null) return { kind: "unknown", text: words.unknown };
  if (person === null) return { kind: "refused", text: words.stranger };
  if (isOurs(held)) return { kind: "done", action: held.action, payload: held.payload };
  const hindrance = whyNot(held, { person, words, now });
  if (hindrance) return hindrance;
  if (held.usedAt !== null) return wasUsed(db, held, person, words);
  return { kind: "done", action: held.action, payload: held.payload };
}

/** Uses up a button that decides nothing of attention's own: a form that was filled in. By the token's hash. */
export async function useToken(unit: Unit, hash: string, { person, now }: Presser): Promise<PressResult> {
  const words = wordsFor(person?.locale).approval;
  const held = await findToken(unit.db, hash);
  if (held === null || isOurs(held)) return { kind: "unknown", text: words.unknown };
  if (person === null) return { kind: "refused", text: words.stranger };
  return use(unit, held, { person, words, now });
}

/** Decided or answered here, and not carried out by the inbox. */
function isOurs({ action }: StoredToken): boolean {
  return action === "decide" || action === "answer";
}

interface Using {
  readonly person: Person;
  readonly words: ApprovalWords;
  readonly now: Date;
}

async function use(unit: Unit, held: StoredToken, using: Using): Promise<PressResult> {
  const hindrance = whyNot(held, using);
  if (hindrance) return hindrance;
  const { person, words, now } = using;
  if (!(await useGroup(unit.db, held.groupId, person.id, now))) return wasUsed(unit.db, held, person, words);
  return { kind: "done", action: held.action, payload: held.payload };
}

function whyNot(held: StoredToken, { person, words, now }: Using): PressResult | null {
  if (!mayUse(held, person)) return { kind: "refused", text: whoMayUse(held, words) };
  const isOver = held.usedAt === null && held.expiresAt !== null && held.expiresAt <= now;
  return isOver ? { kind: "already", text: words.already.expired } : null;
}

function mayUse(held: StoredToken, person: Person): boolean {
  const named = held.personId !== null && held.personId === person.id;
  if (held.minRole !== null) return named || allows(person.role, held.minRole);
  return held.personId === null || named;
}

function whoMayUse(held: StoredToken, words: ApprovalWords): string {
  if (held.minRole === null) return words.onlyThey(held.personName ?? "");
  const role = words.roles[held.minRole];
  return held.personName === null ? words.onlyRole(role) : words.onlyTheyOr(held.personName, role);
}

async function wasUsed(db: Db, before: StoredToken, person: Person, words: ApprovalWords): Promise<PressResult> {
  // Read again: the one who was faster may have pressed since.
  const held = (await findToken(db, before.hash)) ?? before;
  const { usedAt, usedById, usedByName } = held;
  if (usedAt === null || usedByName === null) return { kind: "already", text: words.already.usedBySomebody };
  const time = timeOfDay(usedAt, person.timezone);
  const text = usedById === person.id ? words.already.usedByYou(time) : words.already.used(usedByName, time);
  return { kind: "already", text };
}

interface Choosing extends PressContext {
  readonly held: StoredToken;
  readonly person: Person;
  readonly words: ApprovalWords;
}

const payloadSchema = z.object({
  choice: z.enum(["approve", "approve_session", "always", "deny", "stop"]),
  asksNote: z.boolean().optional(),
});
const longestNote = 2_000;
/** A form's label holds 45 characters on the narrowest platform. */
const longestFormName = 25;

/** The form behind "Deny…" or "Other…": while this person may decide, and nobody did. Uses nothing up. */
export async function formBehind(db: Db, token: string, person: Person, now: Date): Promise<Form | undefined> {
  const held = await findToken(db, hashToken(token));
  if (held === null || held.attentionId === null) return undefined;
  if (held.action === "answer") {
    const item = await getItem(db, held.attentionId);
    return ownWordsForm(item, readStep(held.payload), person, now, wordsFor(person.locale));
  }
  return held.action === "decide" ? noteForm(db, held, held.attentionId, person, now) : undefined;
}

async function noteForm(
  db: Db,
  held: StoredToken,
  attentionId: string,
  person: Person,
  now: Date,
): Promise<Form | undefined> {
  if (payloadSchema.parse(held.payload).asksNote !== true) return undefined;
  const item = await getItem(db, attentionId);
  if (item === null || item.status !== "open" || item.expiresAt <= now || !mayDecide(item, person)) return undefined;
  const { title, label } = wordsFor(person.locale).approval.noteForm;
  const name = [...item.teammateName].slice(0, longestFormName).join("");
  return { title, label: label(name), long: true, required: true };
}

/** In the presser's words, without secrets; undefined where there is none. */
function noteOf(written: string | undefined): string | undefined {
  const note = redact(cleanText(written ?? "")).trim();
  return note === "" ? undefined : note.slice(0, longestNote).toWellFormed();
}

async function decide(unit: Unit, choosing: Choosing): Promise<PressResult> {
  const { held, person, words, now } = choosing;
  const before = held.attentionId === null ? null : await getItem(unit.db, held.attentionId);
  if (before === null) return { kind: "unknown", text: words.unknown };
  // Who may not decide uses nothing up, and is told nothing else.
  if (!mayDecide(before, person)) return { kind: "refused", text: whoMayDecide(before, words) };
  const { choice, asksNote } = payloadSchema.parse(held.payload);
  const note = asksNote ? noteOf(choosing.note) : undefined;
  const ending = { status: statusOf[choice], choice, note, by: person.id, now, settled: false } as const;
  const first = await close(unit.db, before.id, ending);
  const item = (await getItem(unit.db, before.id)) ?? before;
  if (!first) {
    if (item.status !== "open") await choosing.afterLatePress(unit, item, person);
    return { kind: "already", text: alreadyText(item, person, words) };
  }
  await useGroup(unit.db, held.groupId, person.id, now);
  await trace(unit, item, choice, person, now);
  await choosing.afterDecision(unit, item, person);
  const said = note === undefined ? words.done[choice] : words.deniedWithNote(item.teammateName);
  return { kind: "done", action: "decided", payload: { attentionId: item.id, choice }, answer: said };
}

const statusOf = {
  approve: "approved",
  approve_session: "approved",
  always: "approved",
  deny: "denied",
  stop: "cancelled",
} as const satisfies Record<Offered, "approved" | "denied" | "cancelled">;

async function trace(unit: Unit, item: StoredItem, choice: Offered, person: Person, now: Date): Promise<void> {
  const { teammateId, details } = item;
  const pattern = choice === "always" ? patternOf(details) : undefined;
  if (pattern !== undefined) {
    await addRule(unit, { teammateId, pattern, text: offeredRule(details) ?? "", by: person.id, now });
  }
  await audit(unit.db, {
    personId: person.id,
    teammateId,
    action: "attention.decided",
    target: item.id,
    data: { choice, kind: item.kind, method: item.method, risk: item.risk, details },
    now,
  });
}

function patternOf(details: AttentionDetails): RulePattern | undefined {
  if (details.kind === "mcp_tool") return { kind: "mcp_tool", server: details.server, tool: details.tool };
  return details.kind === "command" && details.amendment !== undefined
    ? { kind: "command_prefix", prefix: details.amendment }
    : undefined;
}

function alreadyText(item: StoredItem, person: Person, words: ApprovalWords): string {
  const { decision, decidedAt, status } = item;
  if (status === "open" || status === "expired") return words.already.expired;
  if (decision?.by == null || decidedAt === null) return words.already.closed;
  const time = timeOfDay(decidedAt, person.timezone);
  switch (status) {
    case "approved":
      return words.already.approved(decision.by.name, time);
    case "denied":
      return words.already.denied(decision.by.name, time);
    case "cancelled":
      return words.already.stopped(decision.by.name, time);
    case "answered":
    case "skipped":
      return words.already.closed;
  }
}
