import { expect, test } from "vitest";
import { readSentence } from "../../src/teammates/index.ts";

const read: readonly (readonly [sentence: string, name: string | null, title: string | null])[] = [
  ["Penny, a bookkeeper who checks invoices", "Penny", "Bookkeeper"],
  ["add Penny, a bookkeeper who checks invoices", "Penny", "Bookkeeper"],
  ["please add Penny, our bookkeeper", "Penny", "Bookkeeper"],
  ["add a bookkeeper called Penny", "Penny", "Bookkeeper"],
  ["a bookkeeper named Penny who checks invoices", "Penny", "Bookkeeper"],
  ["a bookkeeper called Penny, to check invoices", "Penny", "Bookkeeper"],
  ["Penny, bookkeeper", "Penny", "Bookkeeper"],
  ["Penny: the bookkeeper", "Penny", "Bookkeeper"],
  ["Penny - an in-house bookkeeper", "Penny", "In-house bookkeeper"],
  ["Penny is a bookkeeper that checks invoices", "Penny", "Bookkeeper"],
  ["Penny the bookkeeper", "Penny", "Bookkeeper"],
  ["Penny who checks invoices", "Penny", null],
  ["Penny, who checks invoices", "Penny", null],
  ["Penny Two, a tester", "Penny Two", "Tester"],
  ["Penny", "Penny", null],
  ["add Penny.", "Penny", null],
  ["a bookkeeper who checks invoices", null, "Bookkeeper"],
  ["add", null, null],
  ["", null, null],
  ["somebody who can write long texts about many things for us", null, null],
];

for (const [sentence, name, title] of read) {
  test(`"${sentence}" is ${name ?? "nobody yet"}, ${title ?? "without a title"}`, () => {
    expect(readSentence(sentence)).toMatchObject({ name, title });
  });
}

test("the job is the sentence itself, and a name alone is no job", () => {
  expect(readSentence("add Penny, a bookkeeper who checks invoices").job).toBe(
    "Penny, a bookkeeper who checks invoices",
  );
  expect(readSentence("Penny").job).toBeNull();
});

test("a sentence as long as a book is cut to what a job may hold", () => {
  expect(readSentence(`Penny, a bookkeeper who ${"checks ".repeat(2_000)}`).job?.length).toBe(2_000);
});
