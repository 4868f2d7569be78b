import { z } from "zod";
import { cleanText, type Form } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { redact } from "../shared/index.ts";
import { audit, type Unit } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import { close, lockItem, type StoredItem } from "./attention.store.ts";
import { mayAnswer } from "./authority.ts";
import { saveAnswers } from "./question.store.ts";
import {
  type Answer,
  type AnswerProblem,
  type Answers,
  answerTo,
  chosen,
  openQuestion,
  problemWith,
  type Question,
  withAnswer,
  withTick,
  written,
} from "./question.ts";
import { isQuestion, type QuestionItem, type QuestionStep } from "./question-buttons.ts";
import { timeOfDay } from "./time.ts";
import type { PressResult } from "./types.ts";

const named = { questionId: z.string() };
const option = { option: z.number().int().min(0) };
const stepSchema: z.ZodType<QuestionStep> = z.discriminatedUnion("step", [
  z.object({ step: z.literal("choose"), ...named, ...option }),
  z.object({ step: z.literal("tick"), ...named, ...option, on: z.boolean() }),
  z.object({ step: z.enum(["done", "skip", "write", "privately"]), ...named }),
  z.object({ step: z.literal("decline") }),
]);

/** Reads what the token of a question's button carries. */
export function readStep(payload: unknown): QuestionStep {
  return stepSchema.parse(payload);
}

export interface Answering {
  readonly attentionId: string;
  readonly person: Person;
  readonly words: Words;
  readonly now: Date;
  /** Draws the cards anew: something was answered, and more is asked. */
  readonly afterStep: (unit: Unit, item: StoredItem) => Promise<void>;
  /** All is answered, or nothing more will be. */
  readonly afterDecision: (unit: Unit, item: StoredItem, by: Person) => Promise<void>;
  readonly afterLatePress: (unit: Unit, item: StoredItem, by: Person) => Promise<void>;
}

/** A press on a card with questions; `text` is what was written into the form of a button that asks for own words. */
export async function takeStep(
  unit: Unit,
  answering: Answering,
  step: QuestionStep,
  text: string | undefined,
): Promise<PressResult> {
  const found = await findOpen(unit, answering, "questionId" in step ? step.questionId : null);
  if ("kind" in found) return found;
  const { item, question } = found;
  if (step.step === "decline" || question === null) return end(unit, answering, item, "deny");
  switch (step.step) {
    case "choose":
      return give(unit, answering, item, question, chosen(question, [step.option]));
    case "tick":
      return tick(unit, answering, item, step);
    case "done": {
      const { ticked } = item.answers;
      const { chooseFirst } = answering.words.questions;
      if (ticked.length === 0) return { kind: "invalid", text: chooseFirst };
      return give(unit, answering, item, question, chosen(question, ticked));
    }
    case "skip":
      return give(unit, answering, item, question, { kind: "skipped", values: [] });
    case "write":
      return say(unit, answering, item, question, text ?? "");
    case "privately":
      return { kind: "done", action: "secret_page", payload: { attentionId: item.id, questionId: question.id } };
  }
}

/** An answer in own words, to the question that waits. Null where this person's words are none: then it is a message like any other. */
export async function takeReply(unit: Unit, answering: Answering, text: string): Promise<PressResult | null> {
  const found = await findOpen(unit, answering, null);
  if ("kind" in found) return null;
  const question = openQuestion(found.item.details.questions, found.item.answers);
  if (question === undefined) return null;
  if (question.secret) {
    return { kind: "refused", text: answering.words.questions.neverHere(found.item.teammateName) };
  }
  return say(unit, answering, found.item, question, text);
}

/** The answer of a page. False where it came too late. The value itself is sealed by the caller, in the same transaction. */
export async function takeSecret(
  unit: Unit,
  answering: Answering,
  questionId: string,
  keep: (item: QuestionItem) => Promise<void>,
): Promise<boolean> {
  const found = await findOpen(unit, answering, questionId);
  if ("kind" in found || found.question === null) return false;
  await keep(found.item);
  await give(unit, answering, found.item, found.question, { kind: "secret", values: [] });
  return true;
}

interface Found {
  readonly item: QuestionItem;
  /** The one that was named, and that waits now. */
  readonly question: Question | null;
}

async function findOpen(unit: Unit, answering: Answering, questionId: string | null): Promise<Found | PressResult> {
  const { person, words, now } = answering;
  const item = await lockItem(unit.db, answering.attentionId);
  if (item === null || !isQuestion(item)) return { kind: "unknown", text: words.approval.unknown };
  if (!mayAnswer(item, person)) return { kind: "refused", text: whoMayAnswer(item, words) };
  if (item.status !== "open" || item.expiresAt <= now) {
    if (item.status !== "open") await answering.afterLatePress(unit, item, person);
    return { kind: "already", text: alreadyText(item, person, words) };
  }
  if (questionId === null) return { item, question: null };
  const question = openQuestion(item.details.questions, item.answers);
  if (question?.id !== questionId) return { kind: "already", text: words.questions.already.one };
  return { item, question };
}

async function tick(
  unit: Unit,
  answering: Answering,
  item: QuestionItem,
  { option: index, on }: Extract<QuestionStep, { step: "tick" }>,
): Promise<PressResult> {
  const { already } = answering.words.questions;
  if (item.answers.ticked.includes(index) === on) return { kind: "already", text: already.same };
  await progress(unit, answering, item, withTick(item.answers, index, on));
  return { kind: "done", action: "answered", payload: { attentionId: item.id } };
}

async function say(
  unit: Unit,
  answering: Answering,
  item: QuestionItem,
  question: Question,
  words: string,
): Promise<PressResult> {
  // What a person writes is read by the model and stands on the card: without secrets, whatever they are.
  const text = redact(cleanText(words)).trim();
  const { wrong } = answering.words.questions;
  if (text === "") return { kind: "invalid", text: wrong.empty };
  const answer = written(question, text);
  const problem = problemWith(question, answer);
  if (problem !== null) return { kind: "invalid", text: problemText(problem, question, answering.words) };
  return give(unit, answering, item, question, answer);
}

/** Takes one answer: the next question follows, or the end. */
async function give(
  unit: Unit,
  answering: Answering,
  item: QuestionItem,
  question: Question,
  answer: Answer,
): Promise<PressResult> {
  const { questions } = answering.words;
  const answers = withAnswer(item.answers, question, answer);
  if (openQuestion(item.details.questions, answers) !== undefined) {
    await progress(unit, answering, item, answers);
    return { kind: "done", action: "answered", payload: { attentionId: item.id }, answer: questions.tookOne };
  }
  await saveAnswers(unit.db, item.id, answers);
  const nothing = Object.values(answers.given).every(({ kind }) => kind === "skipped");
  return end(unit, answering, { ...item, answers }, nothing ? "skip" : "answer");
}

async function progress(unit: Unit, { afterStep }: Answering, item: QuestionItem, answers: Answers): Promise<void> {
  await saveAnswers(unit.db, item.id, answers);
  await afterStep(unit, { ...item, answers });
}

const statusOf = { answer: "answered", skip: "skipped", deny: "denied" } as const;

async function end(
  unit: Unit,
  answering: Answering,
  item: QuestionItem,
  choice: "answer" | "skip" | "deny",
): Promise<PressResult> {
  const { person, words, now } = answering;
  await close(unit.db, item.id, { status: statusOf[choice], choice, by: person.id, now, settled: false });
  const ended = await lockItem(unit.db, item.id);
  if (ended === null) throw new Error("an attention item vanished while it was answered");
  await audit(unit.db, {
    personId: person.id,
    teammateId: item.teammateId,
    action: "attention.answered",
    target: item.id,
    data: { choice, kind: item.kind, method: item.method, details: item.details, answers: ended.answers.given },
    now,
  });
  await answering.afterDecision(unit, ended, person);
  const said = {
    answer: words.questions.took(item.teammateName),
    skip: words.questions.skipped,
    deny: words.questions.declined,
  };
  return { kind: "done", action: "answered", payload: { attentionId: item.id, choice }, answer: said[choice] };
}

function problemText(problem: AnswerProblem, { check }: Question, { questions: { wrong } }: Words): string {
  switch (problem) {
    case "range":
      return check !== undefined && "least" in check ? wrong.range(check.least, check.most) : wrong.number;
    case "length":
      return check?.kind === "text" ? wrong.length(check.shortest, check.longest) : wrong.empty;
    default:
      return wrong[problem];
  }
}

export function whoMayAnswer(item: Pick<StoredItem, "requesterName">, { approval, questions }: Words): string {
  const { manager } = approval.roles;
  return item.requesterName === null ? questions.onlyRole(manager) : questions.onlyTheyOr(item.requesterName, manager);
}

function alreadyText(item: StoredItem, person: Person, { approval, questions }: Words): string {
  const { decision, decidedAt, status } = item;
  if (status === "open" || status === "expired") return questions.already.expired;
  if (decision?.by == null || decidedAt === null) return approval.already.closed;
  const time = timeOfDay(decidedAt, person.timezone);
  return status === "skipped"
    ? questions.already.skipped(decision.by.name, time)
    : questions.already.answered(decision.by.name, time);
}

/** The form behind "Other…"; undefined where this button opens none, or this person cannot answer (any more). */
export function ownWordsForm(
  item: StoredItem | null,
  step: QuestionStep,
  person: Person,
  now: Date,
  words: Words,
): Form | undefined {
  if (step.step !== "write" || item === null || !isQuestion(item)) return undefined;
  if (item.status !== "open" || item.expiresAt <= now || !mayAnswer(item, person)) return undefined;
  const question = openQuestion(item.details.questions, item.answers);
  if (question?.id !== step.questionId || answerTo(item.answers, question) !== undefined) return undefined;
  const { title, label } = words.questions.form;
  const name = [...item.teammateName].slice(0, longestFormName).join("");
  const long = question.check === undefined || question.check.kind === "text";
  return { title, label: label(name), long, required: true };
}

/** A form's label holds 45 characters on the narrowest platform. */
const longestFormName = 25;
