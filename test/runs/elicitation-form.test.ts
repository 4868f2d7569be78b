import { describe, expect, it } from "vitest";
import { contentOf, formQuestions } from "../../src/runs/elicitation-form.ts";

const form = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });
const chosen = (...values: string[]) => ({ kind: "chosen", values }) as const;
const said = (value: string) => ({ kind: "said", values: [value] }) as const;

describe("the fields of an MCP form", () => {
  it("become questions, those that have to be answered first", () => {
    const questions = formQuestions(
      form(
        {
          note: { type: "string" },
          size: { type: "string", title: "Size", description: "How big?", enum: ["s", "l"] },
        },
        ["size"],
      ),
    );
    expect(questions).toMatchObject([
      {
        id: "size",
        header: "Size",
        question: "How big?",
        free: false,
        skippable: false,
        options: [{ label: "s" }, { label: "l" }],
      },
      { id: "note", header: "note", question: "note", free: true, skippable: true, options: [] },
    ]);
  });

  it("are told by the names of their options and answered with their values", () => {
    const questions = formQuestions(
      form({
        old: { type: "string", enum: ["s"], enumNames: ["Small"] },
        one: { type: "string", oneOf: [{ const: "l", title: "Large" }] },
        many: {
          type: "array",
          items: {
            anyOf: [
              { const: "a", title: "Art" },
              { const: "c", title: "Code" },
            ],
          },
        },
        plain: { type: "array", items: { type: "string", enum: ["x", "y"] } },
        sure: { type: "boolean" },
      }),
    );
    expect(questions?.map(({ options, multiple }) => [options.map(({ label }) => label).join(), multiple])).toEqual([
      ["Small", false],
      ["Large", false],
      ["Art,Code", true],
      ["x,y", true],
      ["Yes,No", false],
    ]);
    const answers = {
      old: chosen("s"),
      one: chosen("l"),
      many: chosen("a", "c"),
      plain: chosen("y"),
      sure: chosen("false"),
    };
    expect(contentOf(questions ?? [], answers)).toEqual({
      old: "s",
      one: "l",
      many: ["a", "c"],
      plain: ["y"],
      sure: false,
    });
  });

  it("that are numbers or have a form of their own are checked, and given as numbers", () => {
    const questions = formQuestions(
      form({
        count: { type: "integer", minimum: 1 },
        price: { type: "number" },
        mail: { type: "string", format: "email" },
        code: { type: "string", minLength: 3, maxLength: 5 },
      }),
    );
    expect(questions?.map(({ check }) => check)).toEqual([
      { kind: "integer", least: 1, most: undefined },
      { kind: "number", least: undefined, most: undefined },
      { kind: "email" },
      { kind: "text", shortest: 3, longest: 5 },
    ]);
    const answers = { count: said("3"), price: said("2,5"), mail: { kind: "skipped", values: [] } as const };
    expect(contentOf(questions ?? [], answers)).toEqual({ count: 3, price: 2.5 });
  });

  it("that no question can ask make the whole form impossible", () => {
    expect(formQuestions(form({ person: { type: "object", properties: {} } }))).toBeNull();
    expect(formQuestions(form({}))).toBeNull();
    expect(
      formQuestions(form(Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`f${n}`, { type: "string" }])))),
    ).toBeNull();
    const many = Array.from({ length: 26 }, (_, n) => `o${n}`);
    expect(formQuestions(form({ one: { type: "string", enum: many } }))).toBeNull();
    expect(formQuestions("nonsense")).toBeNull();
  });
});
