import { z } from "zod";

export interface QuestionOption {
  readonly label: string;
  readonly description?: string | undefined;
  /** What is told instead of the label, where who asks wants another word for it. */
  readonly value?: string | undefined;
}

/** What an answer in somebody's own words has to be. */
export type AnswerCheck =
  | { readonly kind: "number" | "integer"; readonly least?: number | undefined; readonly most?: number | undefined }
  | { readonly kind: "text"; readonly shortest?: number | undefined; readonly longest?: number | undefined }
  | { readonly kind: "email" | "url" | "date" | "time" };

export interface Question {
  /** Of its own among those that are asked together. */
  readonly id: string;
  /** In a few words, for the list of answers. */
  readonly header: string;
  readonly question: string;
  /** At most 25. */
  readonly options: readonly QuestionOption[];
  /** True where several options may be chosen. */
  readonly multiple: boolean;
  /** True where the answer must never stand in a chat. */
  readonly secret: boolean;
  /** False where only the options will do. */
  readonly free: boolean;
  /** False where it must be answered. */
  readonly skippable: boolean;
  readonly check?: AnswerCheck | undefined;
}

const check = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["number", "integer"]), least: z.number().optional(), most: z.number().optional() }),
  z.object({ kind: z.literal("text"), shortest: z.number().optional(), longest: z.number().optional() }),
  z.object({ kind: z.enum(["email", "url", "date", "time"]) }),
]);

export const questionSchema = z.object({
  id: z.string(),
  header: z.string(),
  question: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional(), value: z.string().optional() })),
  multiple: z.boolean(),
  secret: z.boolean(),
  free: z.boolean(),
  skippable: z.boolean(),
  check: check.optional(),
});

/** `chosen`: from the options. `said`: in own words. `secret`: sealed elsewhere. No values: skipped. */
export interface Answer {
  readonly kind: "chosen" | "said" | "secret" | "skipped";
  readonly values: readonly string[];
}

/** The answers so far, by question, and what is ticked of the one that is open. What comes next follows from them. */
export interface Answers {
  readonly given: Readonly<Record<string, Answer>>;
  readonly ticked: readonly number[];
}

const answersSchema = z.object({
  given: z
    .record(
      z.string(),
      z.object({ kind: z.enum(["chosen", "said", "secret", "skipped"]), values: z.array(z.string()) }),
    )
    .default({}),
  ticked: z.array(z.number()).default([]),
});

/** Reads what `attention.answers` holds. */
export function readAnswers(value: unknown): Answers {
  return answersSchema.parse(value);
}

/** The answer to one question, where there is one. */
export function answerTo(answers: Answers, question: Pick<Question, "id">): Answer | undefined {
  return Object.hasOwn(answers.given, question.id) ? answers.given[question.id] : undefined;
}

/** The question that waits; undefined once all are answered. */
export function openQuestion(questions: readonly Question[], answers: Answers): Question | undefined {
  return questions.find((question) => answerTo(answers, question) === undefined);
}

export function withAnswer(answers: Answers, question: Pick<Question, "id">, answer: Answer): Answers {
  return { given: { ...answers.given, [question.id]: answer }, ticked: [] };
}

/** Ticks an option, or takes the tick away. The same again changes nothing: cards lag behind fingers. */
export function withTick(answers: Answers, option: number, on: boolean): Answers {
  const others = answers.ticked.filter((each) => each !== option);
  return { ...answers, ticked: on ? [...others, option].sort((a, b) => a - b) : others };
}

export function chosen(question: Question, options: readonly number[]): Answer {
  const values = options.flatMap((index) => {
    const option = question.options[index];
    return option === undefined ? [] : [option.value ?? option.label];
  });
  return { kind: "chosen", values };
}

/** An answer as people read it, plain. */
export function shownValues(question: Question, { kind, values }: Answer): readonly string[] {
  if (kind !== "chosen") return values;
  return values.map((value) => question.options.find((option) => option.value === value)?.label ?? value);
}

/** What somebody wrote: one of the options by its name, or their own words. */
export function written(question: Question, text: string): Answer {
  const named = question.options.findIndex(({ label }) => label.trim().toLowerCase() === text.toLowerCase());
  return named >= 0 ? chosen(question, [named]) : { kind: "said", values: [text] };
}

/** What is wrong with own words; null when they will do. */
export type AnswerProblem = "no_option" | Exclude<AnswerCheck["kind"], "text"> | "range" | "length";

export function problemWith(question: Question, answer: Answer): AnswerProblem | null {
  if (answer.kind !== "said") return null;
  if (!question.free) return "no_option";
  const [text = ""] = answer.values;
  return question.check === undefined ? null : checkProblem(question.check, text);
}

function checkProblem(asked: AnswerCheck, text: string): AnswerProblem | null {
  switch (asked.kind) {
    case "number":
    case "integer": {
      const number = Number(text.replace(",", "."));
      if (text === "" || !Number.isFinite(number)) return asked.kind;
      if (asked.kind === "integer" && !Number.isSafeInteger(number)) return "integer";
      return number < (asked.least ?? number) || number > (asked.most ?? number) ? "range" : null;
    }
    case "text": {
      const { length } = [...text];
      return length < (asked.shortest ?? 0) || length > (asked.longest ?? length) ? "length" : null;
    }
    case "email":
      return z.email().safeParse(text).success ? null : "email";
    case "url":
      return URL.canParse(text) ? null : "url";
    case "date":
      return z.iso.date().safeParse(text).success ? null : "date";
    case "time":
      return z.iso.datetime({ offset: true, local: true }).safeParse(text).success ? null : "time";
  }
}
