import { z } from "zod";
import { redact } from "../shared/index.ts";
import type { ToolRooms } from "./rooms.ts";
import {
  type AnyTool,
  checked,
  said,
  type Tool,
  type ToolAnswers,
  type ToolQuestion,
  type ToolResult,
} from "./tool.ts";

/** Ask the person. */
export function questionTools(_rooms: ToolRooms): readonly AnyTool[] {
  return [checked(askUser)];
}

const option = z.strictObject({
  label: z.string().trim().min(1).max(120).describe("What the button says."),
  description: z
    .string()
    .trim()
    .max(2_000)
    .optional()
    .describe("What choosing it means, where the label alone does not say."),
});

const question = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{1,60}$/u)
    .optional()
    .describe("A short name for the answer, such as branch."),
  header: z.string().trim().min(1).max(120).describe("What it is about, in two or three words."),
  question: z.string().trim().min(1).max(2_000).describe("The question, as you would say it."),
  options: z
    .array(option)
    .max(5)
    .default([])
    .describe(
      "Answers to choose from, the one you recommend first. They can always answer in their own words instead.",
    ),
  multiple: z.boolean().default(false).describe("True where several options may be chosen."),
  secret: z
    .boolean()
    .default(false)
    .describe("True for a password, key or code: it is asked for on a page of its own and never stands in the chat."),
});

const args = z
  .strictObject({ questions: z.array(question).min(1).max(3) })
  .refine(({ questions }) => new Set(questions.map(idOf)).size === questions.length, {
    error: "two questions have the same id",
  })
  .refine(({ questions }) => questions.every(({ secret, options }) => !secret || options.length === 0), {
    error: "a secret question has no options",
  });

const waitMs = 10 * 60_000;

const askUser: Tool<typeof args> = {
  name: "ask_user",
  description:
    "Ask the person you work for one to three questions, with buttons to choose from. Use it whenever you need an answer to go on; don't ask for a choice in plain text. Waits up to ten minutes for the answers. Ask only what you can't find out yourself.",
  args,
  async run({ questions }, context) {
    const asked = questions.map((each, index): ToolQuestion => ({ ...each, id: idOf(each, index) }));
    const answers = await context.ask({ callId: context.callId, questions: asked, waitMs });
    return answers === null ? stillPending : answersResult(asked, answers);
  },
};

function idOf({ id }: { readonly id?: string | undefined }, index: number): string {
  return id ?? `q${index + 1}`;
}

const stillPending = said(
  "Nobody has answered yet. The question stays open. End your turn now with one sentence that says what you are waiting for; when somebody answers you will be told in a new turn. Don't guess the answer and don't ask again.",
);

function answersResult(questions: readonly ToolQuestion[], { choice, by, answers }: ToolAnswers): ToolResult {
  const who = by === null ? "They" : quoted(by.displayName);
  const lines = questions.map((each) => answerLine(each, answers[each.id])).join("\n");
  switch (choice) {
    case "answer":
      return said(
        [`${who} answered:`, lines, ...(questions.some(({ secret }) => secret) ? [discreet] : [])].join("\n"),
      );
    case "skip":
      return said(
        `${who} skipped this and gave no answer. Go on with what you think best and say what you assumed, or end your turn and say what is left.`,
      );
    case "stop":
      return said(`Stopped by ${who}. Do nothing further and end your turn.`, false);
    case "expired":
      return said(
        [
          "Not everything was answered in time, and the card is closed.",
          ...(Object.keys(answers).length === 0 ? [] : [lines]),
          "Go on without the rest, or end your turn and say what you need; you can ask again when somebody is there.",
        ].join("\n"),
        false,
      );
    case "cancelled":
      return said(
        [
          "They wrote a message instead of answering on the card, which is closed now. Their message comes next: take it as the answer where it is one, and ask again only where you still can't go on.",
          ...(Object.keys(answers).length === 0 ? [] : ["Answered before:", lines]),
        ].join("\n"),
      );
  }
}

const discreet =
  "What is marked as secret is for this task only: use it, and never repeat it in a message, a file, a memory or a command that is shown.";

function answerLine({ id, secret }: ToolQuestion, values: readonly string[] | undefined): string {
  if (values === undefined) return `${id}: not answered`;
  if (values.length === 0) return `${id}: skipped`;
  // A secret is told as it is: this is the one place where it is meant to be.
  return secret
    ? `${id} (secret): ${values.map((value) => JSON.stringify(value)).join(", ")}`
    : `${id}: ${values.map(quoted).join(", ")}`;
}

/** Names and answers are what people typed: quoted, so that they are read as their words. */
function quoted(text: string): string {
  return JSON.stringify(redact(text).slice(0, 4_000).toWellFormed());
}
