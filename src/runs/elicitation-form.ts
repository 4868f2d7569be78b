import { z } from "zod";
import type { Answer, AnswerCheck, Question, QuestionOption } from "../attention/index.ts";
import type { JsonValue } from "../codex/index.ts";
import { wordsFor } from "../words/index.ts";

/** More than this is a form for a web page. */
const mostFields = 5;
const mostOptions = 25;

const named = { title: z.string().optional(), description: z.string().optional() };
const text = z.strictObject({
  type: z.literal("string"),
  ...named,
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  format: z.enum(["email", "uri", "date", "date-time"]).optional(),
  default: z.string().optional(),
});
const number = z.strictObject({
  type: z.enum(["number", "integer"]),
  ...named,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});
const flag = z.strictObject({ type: z.literal("boolean"), ...named, default: z.boolean().optional() });
const choice = z.object({ const: z.string(), title: z.string() });
const one = z.strictObject({
  type: z.literal("string"),
  ...named,
  enum: z.array(z.string()).min(1).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(choice).min(1).optional(),
  default: z.string().optional(),
});
const several = z.strictObject({
  type: z.literal("array"),
  ...named,
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.union([
    z.object({ type: z.literal("string"), enum: z.array(z.string()).min(1) }),
    z.object({ anyOf: z.array(choice).min(1) }),
  ]),
  default: z.array(z.string()).optional(),
});

const form = z.object({
  type: z.literal("object"),
  properties: z.record(z.string(), z.union([text, number, flag, one, several])),
  required: z.array(z.string()).optional(),
});
type Field = z.infer<typeof form>["properties"][string];

/** The fields of an MCP form as questions; null where it asks for something that no question can. */
export function formQuestions(schema: unknown): readonly Question[] | null {
  const parsed = form.safeParse(schema);
  if (!parsed.success) return null;
  const fields = Object.entries(parsed.data.properties);
  const required = new Set(parsed.data.required);
  if (fields.length === 0 || fields.length > mostFields) return null;
  // What has to be there comes first, in the order of the server.
  const sorted = [...fields.filter(([name]) => required.has(name)), ...fields.filter(([name]) => !required.has(name))];
  const questions = sorted.map(([name, field]) => toQuestion(name, field, required.has(name)));
  return questions.every(({ options }) => options.length <= mostOptions) ? questions : null;
}

function toQuestion(name: string, field: Field, isRequired: boolean): Question {
  const header = field.title ?? name;
  const options = optionsOf(field);
  const check = checkOf(field);
  return {
    id: name,
    header,
    question: field.description ?? header,
    options,
    multiple: field.type === "array",
    secret: false,
    free: options.length === 0,
    skippable: !isRequired,
    ...(check === undefined ? {} : { check }),
  };
}

function optionsOf(field: Field): readonly QuestionOption[] {
  const titled = ({ const: value, title }: z.infer<typeof choice>) => ({ label: title, value });
  switch (field.type) {
    case "boolean": {
      const { yes, no } = wordsFor(undefined).questions;
      return [
        { label: yes, value: "true" },
        { label: no, value: "false" },
      ];
    }
    case "array":
      return "anyOf" in field.items
        ? field.items.anyOf.map(titled)
        : field.items.enum.map((value) => ({ label: value, value }));
    case "string": {
      if ("oneOf" in field && field.oneOf !== undefined) return field.oneOf.map(titled);
      if (!("enum" in field) || field.enum === undefined) return [];
      const { enum: values, enumNames = [] } = field;
      return values.map((value, index) => ({ label: enumNames[index] ?? value, value }));
    }
    case "number":
    case "integer":
      return [];
  }
}

function checkOf(field: Field): AnswerCheck | undefined {
  switch (field.type) {
    case "number":
    case "integer":
      return { kind: field.type, least: field.minimum, most: field.maximum };
    case "string": {
      if (!("format" in field || "minLength" in field || "maxLength" in field)) return undefined;
      if (field.format !== undefined) return { kind: formats[field.format] };
      return { kind: "text", shortest: field.minLength, longest: field.maxLength };
    }
    case "boolean":
    case "array":
      return undefined;
  }
}

const formats = { email: "email", uri: "url", date: "date", "date-time": "time" } as const;

/** The answers as the server's form wants them; what was skipped is left out. */
export function contentOf(questions: readonly Question[], answers: Readonly<Record<string, Answer>>): JsonValue {
  const entries = questions.flatMap((question): [string, JsonValue][] => {
    const [first, ...more] = answers[question.id]?.values ?? [];
    return first === undefined ? [] : [[question.id, jsonOf(question, [first, ...more])]];
  });
  return Object.fromEntries(entries);
}

function jsonOf({ multiple, options, check }: Question, values: readonly [string, ...string[]]): JsonValue {
  if (multiple) return [...values];
  const [value] = values;
  if (check?.kind === "number" || check?.kind === "integer") return Number(value.replace(",", "."));
  const isFlag = options.length === 2 && options[0]?.value === "true" && options[1]?.value === "false";
  return isFlag ? value === "true" : value;
}
