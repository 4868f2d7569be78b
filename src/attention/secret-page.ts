import { z } from "zod";
import type { People } from "../people/index.ts";
import type { Seal } from "../shared/index.ts";
import type { Unit } from "../storage/index.ts";
import type { FilledForm, IssuedForm, WebFormOutcome, WebForms } from "../web-forms/index.ts";
import { type Words, wordsFor } from "../words/index.ts";
import type { Question } from "./question.ts";
import type { QuestionItem } from "./question-buttons.ts";
import { type Answering, takeSecret } from "./question-press.ts";
import { keepSecret } from "./secrets.ts";

const longestLabel = 200;

/** A page for the answer to one question that must not stand in a chat, for one person. It ends with its card. */
export async function issuePage(
  unit: Unit,
  webForms: Pick<WebForms, "issue">,
  item: QuestionItem,
  question: Question,
  personId: string,
  words: Words,
): Promise<IssuedForm> {
  const { header, question: text } = question;
  const label = header.trim() === "" ? words.questions.page.label : header;
  return webForms.issue(unit, {
    purpose: "question",
    personId,
    title: words.questions.page.title(item.teammateName),
    intro: text,
    fields: [{ name: "answer", label: label.slice(0, longestLabel).toWellFormed(), secret: true, long: false }],
    payload: { attentionId: item.id, questionId: question.id },
    expiresAt: item.waitUntil ?? item.expiresAt,
  });
}

const payloadSchema = z.object({ attentionId: z.uuid(), questionId: z.string() });

export interface PageDeps {
  readonly people: Pick<People, "get">;
  readonly seal: Seal;
  readonly answering: Omit<Answering, "attentionId" | "person" | "words">;
}

/** Takes what was written into a page: sealed until the turn that asked takes it. */
export async function pageHandler(
  unit: Unit,
  { people, seal, answering }: PageDeps,
  { payload, personId, values }: FilledForm,
): Promise<WebFormOutcome> {
  const { attentionId, questionId } = payloadSchema.parse(payload);
  const { answer: value } = values;
  const person = await people.get(unit.db, personId);
  if (person === undefined || value === undefined) return { kind: "over" };
  const words = wordsFor(person.locale);
  let name = "";
  const taken = await takeSecret(unit, { ...answering, attentionId, person, words }, questionId, async (item) => {
    name = item.teammateName;
    await keepSecret(unit, seal, { attentionId, questionId, value });
  });
  return taken ? { kind: "done", text: words.questions.page.done(name) } : { kind: "over" };
}
