import { clip, oneLine } from "../chat/index.ts";
import type { Words } from "../words/index.ts";
import { paragraphs, plain, strong } from "./markup.ts";
import { type Answer, answerTo, openQuestion, type Question, shownValues } from "./question.ts";
import type { AttentionItem, QuestionDetails } from "./types.ts";

type Subject = Pick<AttentionItem, "teammateName" | "answers"> & { readonly details: QuestionDetails };

/** What a card shows of a question; the whole card then fits one message anywhere. */
const preview = {
  title: 200,
  question: 900,
  lines: 14,
  description: 220,
  header: 120,
  answer: 200,
  message: 300,
} as const;

/** The text of a card with questions: the answers so far, and the question that waits; after its end only what was asked. */
export function questionText(item: Subject, words: Words, isOpen: boolean): string {
  const { details, answers } = item;
  const { questions } = details;
  const current = openQuestion(questions, answers);
  const [only] = questions;
  if (questions.length === 1 && only !== undefined) return asked(item, only, words, isOpen);
  return paragraphs(
    details.server !== undefined && strong(intro(item, words)),
    givenLines(item, words),
    current !== undefined && asked(item, current, words, isOpen),
  );
}

function asked(item: Subject, question: Question, words: Words, isOpen: boolean): string {
  const { questions, server } = item.details;
  const title = titleOf(question);
  const rest = title === oneLine(question.question) ? "" : plain(first(question.question));
  const nth = questions.indexOf(question) + 1;
  const of = questions.length;
  const name = plain(item.teammateName);
  const named = plain(title);
  const line =
    server !== undefined
      ? of === 1
        ? named
        : words.questions.oneOf(nth, of, named)
      : of === 1
        ? words.questions.asks(name, named)
        : words.questions.asksOneOf(name, nth, of, named);
  return paragraphs(
    server !== undefined && of === 1 && strong(intro(item, words)),
    strong(line),
    rest,
    described(question),
    isOpen && hint(question, words),
  );
}

function intro({ teammateName, details }: Subject, words: Words): string {
  const { name, message } = details.server ?? { name: "", message: "" };
  return words.questions.asksForTool(plain(teammateName), plain(name), plain(clip(oneLine(message), preview.message)));
}

/** One line: the question itself where it is short, else what it is about. */
function titleOf({ header, question }: Question): string {
  const line = oneLine(question);
  const isShort = line.length <= preview.title && !question.trim().includes("\n");
  return isShort || header.trim() === "" ? clip(line, preview.title) : clip(oneLine(header), preview.header);
}

function described({ options }: Question): string {
  if (options.every(({ description }) => description === undefined)) return "";
  const line = ({ label, description }: Question["options"][number]) => {
    const name = strong(plain(clip(oneLine(label), preview.header)));
    return description === undefined
      ? `- ${name}`
      : `- ${name}: ${plain(clip(oneLine(description), preview.description))}`;
  };
  return options.map(line).join("\n");
}

function hint(question: Question, words: Words): string {
  if (question.secret) return words.questions.secretByPage;
  if (question.multiple) return words.questions.chooseSeveral;
  return question.options.length === 0 ? words.questions.typeBelow : "";
}

function givenLines({ details, answers }: Subject, words: Words): string {
  return details.questions
    .flatMap((question) => {
      const answer = answerTo(answers, question);
      return answer === undefined
        ? []
        : [words.questions.given(plain(headerOf(question)), plain(answerInWords(question, answer, words)))];
    })
    .join("\n");
}

function headerOf({ header, question }: Question): string {
  return clip(oneLine(header.trim() === "" ? question : header), preview.header);
}

/** An answer in one line, plain. */
export function answerInWords(question: Question, answer: Answer, words: Words): string {
  if (answer.kind === "secret") return words.questions.hidden;
  if (answer.kind === "skipped") return words.questions.skippedOne;
  return clip(oneLine(shownValues(question, answer).join(", ")), preview.answer);
}

/** How a card ends that somebody answered: with the answer itself, where it was one. */
export function answeredEnding({ details, answers }: Subject, name: string, words: Words["questions"]): string {
  const [only, more] = details.questions;
  const answer = only === undefined ? undefined : answerTo(answers, only);
  if (only === undefined || more !== undefined || answer === undefined) return words.answeredBy(name);
  if (answer.kind === "secret" || answer.kind === "skipped") return words.answeredBy(name);
  const shown = plain(clip(oneLine(shownValues(only, answer).join(", ")), preview.answer));
  return answer.kind === "chosen" ? words.chosenBy(shown, name) : words.saidBy(shown, name);
}

/** What is asked, in a few words, for a list. */
export function questionSummary({ details, answers }: Pick<Subject, "details" | "answers">): string {
  const question = openQuestion(details.questions, answers) ?? details.questions[0];
  return question === undefined ? "" : clip(titleOf(question), 80);
}

/** All of it, where the card shows only the beginning; null where it shows everything. */
export function questionFile({ questions }: QuestionDetails): { readonly name: string; readonly text: string } | null {
  const isCut = questions.some(
    ({ question, options }) =>
      first(question) !== question.trim() ||
      options.some(({ description = "" }) => description.length > preview.description),
  );
  if (!isCut) return null;
  const text = questions
    .map(({ header, question, options }) =>
      [
        header,
        question,
        ...options.map(({ label, description }) =>
          description === undefined ? `- ${label}` : `- ${label}: ${description}`,
        ),
      ].join("\n\n"),
    )
    .join("\n\n\n");
  return { name: "questions.txt", text };
}

function first(text: string): string {
  const lines = text.trim().split("\n");
  return clip(lines.slice(0, preview.lines).join("\n"), preview.question);
}
