import { type Button, clip, oneLine, type Post, type Select } from "../chat/index.ts";
import type { Unit } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import type { StoredItem } from "./attention.store.ts";
import { visible } from "./markup.ts";
import { openQuestion, type Question } from "./question.ts";
import { issueTokens } from "./tokens.ts";
import type { QuestionDetails } from "./types.ts";

/** What a press on a card with questions is about; the payload of its token. */
export type QuestionStep =
  | { readonly step: "choose"; readonly questionId: string; readonly option: number }
  | { readonly step: "tick"; readonly questionId: string; readonly option: number; readonly on: boolean }
  | { readonly step: "done" | "skip" | "write" | "privately"; readonly questionId: string }
  | { readonly step: "decline" };

export type QuestionItem = StoredItem & { readonly details: QuestionDetails };

export function isQuestion(item: StoredItem): item is QuestionItem {
  return item.details.kind === "question";
}

/** Tokens of this moment, by the key of what they do; every drawing of a card has its own. */
export type QuestionTokens = Readonly<Record<string, string>>;

export async function issueQuestionTokens(unit: Unit, item: QuestionItem): Promise<QuestionTokens> {
  return issueTokens(unit, {
    choices: stepsOf(item).map((payload) => ({ key: keyOf(payload), action: "answer", payload })),
    attentionId: item.id,
    ...(item.runId === null ? {} : { runId: item.runId }),
  });
}

function stepsOf({ details, answers, method }: QuestionItem): readonly QuestionStep[] {
  const question = openQuestion(details.questions, answers);
  const decline: readonly QuestionStep[] = method === "elicitation" ? [{ step: "decline" }] : [];
  if (question === undefined) return decline;
  const { id: questionId } = question;
  const options = question.options.map(
    (_, option): QuestionStep =>
      question.multiple
        ? { step: "tick", questionId, option, on: !answers.ticked.includes(option) }
        : { step: "choose", questionId, option },
  );
  const steps: (QuestionStep | false)[] = [
    ...(question.secret ? [] : options),
    question.multiple && !question.secret && { step: "done", questionId },
    question.free && !question.secret && { step: "write", questionId },
    question.secret && { step: "privately", questionId },
    question.skippable && { step: "skip", questionId },
    ...decline,
  ];
  return steps.filter((step) => step !== false);
}

function keyOf(step: QuestionStep): string {
  return "option" in step ? `${step.step}:${step.option}` : step.step;
}

export interface ButtonLimits {
  /** Characters of a label. */
  readonly label: number;
  /** True where the card has a link to the page for a secret already. */
  readonly linked: boolean;
}

/** More options than this, or longer ones, read better as a list. */
const fewOptions = 3;
const shortLabel = 30;
/** What stands beside each other on a phone. */
const rowCharacters = 34;
const rowButtons = 4;

/** The buttons of the question that waits, and a list where it has many options. */
export function questionControls(
  { details, answers }: QuestionItem,
  tokens: QuestionTokens,
  words: Words["questions"],
  limits: ButtonLimits,
): Pick<Post, "buttons" | "selects"> {
  const question = openQuestion(details.questions, answers);
  if (question === undefined) return {};
  const asList = !question.multiple && needsList(question);
  const options = question.secret || asList ? [] : optionButtons(question, answers.ticked, tokens, words, limits.label);
  const first = question.options.length === 0 && !question.secret;
  const actions = [
    action("done", words.buttons.done, tokens, { style: "primary" }),
    action("write", first ? words.buttons.answer : words.buttons.other, tokens, {
      opensForm: true,
      ...(first ? { style: "primary" } : {}),
    }),
    limits.linked ? undefined : action("privately", words.buttons.privately, tokens, { style: "primary" }),
    action("skip", words.buttons.skip, tokens),
    action("decline", words.buttons.decline, tokens),
  ].filter((each) => each !== undefined);
  return {
    buttons: inRows(options, actions),
    ...(asList && !question.secret ? { selects: [listOf(question, tokens)] } : {}),
  };
}

function needsList({ options }: Question): boolean {
  return options.length > fewOptions || options.some(({ label }) => label.length > shortLabel);
}

function listOf({ header, question, options }: Question, tokens: QuestionTokens): Select {
  return {
    label: clip(oneLine(visible(header.trim() === "" ? question : header)), 60),
    options: options.map(({ label, description }, index) => ({
      label: oneLine(visible(label)),
      token: tokens[`choose:${index}`] ?? "",
      ...(description === undefined ? {} : { description: oneLine(visible(description)) }),
    })),
  };
}

function optionButtons(
  { options, multiple }: Question,
  ticked: readonly number[],
  tokens: QuestionTokens,
  words: Words["questions"],
  limit: number,
): readonly Button[] {
  return options.map(({ label }, index) => {
    const name = oneLine(visible(label));
    const shown = ticked.includes(index) ? words.ticked(name) : name;
    return { label: clip(shown, limit), token: tokens[`${multiple ? "tick" : "choose"}:${index}`] ?? "" };
  });
}

function action(
  step: string,
  label: string,
  tokens: QuestionTokens,
  more: Pick<Button, "style" | "opensForm"> = {},
): Button | undefined {
  const token = tokens[step];
  return token === undefined ? undefined : { label, token, ...more };
}

/** As many beside each other as a phone shows whole; what ends the question stays in the last row. */
function inRows(options: readonly Button[], actions: readonly Button[]): readonly (readonly Button[])[] {
  const rows: Button[][] = [];
  for (const button of options) {
    const row = rows.at(-1);
    if (row !== undefined && fits([...row, button])) row.push(button);
    else rows.push([button]);
  }
  const last = rows.at(-1);
  if (last !== undefined && fits([...last, ...actions])) last.push(...actions);
  else if (actions.length > 0) rows.push([...actions]);
  return rows;
}

function fits(row: readonly Button[]): boolean {
  return row.length <= rowButtons && row.reduce((sum, { label }) => sum + label.length, 0) <= rowCharacters;
}
