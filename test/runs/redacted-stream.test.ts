import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactedStream } from "../../src/runs/redacted-stream.ts";
import { redact } from "../../src/shared/index.ts";

const key = `sk-${"Z9".repeat(20)}`;
const pem = `-----BEGIN PRIVATE KEY-----\n${"QUJD\n".repeat(60)}-----END PRIVATE KEY-----\n`;

function streamed(pieces: readonly string[]): string {
  const stream = createRedactedStream();
  let said = "";
  for (const piece of pieces) {
    stream.push(piece);
    said += stream.take();
  }
  return said;
}

/** Cuts a text into pieces of the given lengths, over and over. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const words = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.string({ maxLength: 12 }) },
    fc.constantFrom(key, pem, `password=${"p".repeat(20)}`, `Bearer ${"t".repeat(30)}`, "🚀", "\n\n"),
  ),
  { maxLength: 60 },
);
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

test("F-66 however a text is cut, no secret leaves that the whole text would hide", () => {
  fc.assert(
    fc.property(words, lengths, (parts, sizes) => {
      const text = `${parts.join(" ")}\n`;
      const said = streamed(cut(text, sizes));
      for (const secret of [key, "QUJD\nQUJD", "p".repeat(20), "t".repeat(30)]) {
        expect(redact(text).includes(secret) || !said.includes(secret)).toBe(true);
      }
    }),
  );
});

test("F-66 a key cut in two by the pieces leaves as neither half", () => {
  const said = streamed(cut(`Here it is: ${key} and more\n`, [7]));
  expect(said).toBe("Here it is: [secret] and more\n");
});

test("a long private key stays hidden until it ends", () => {
  const body = `-----BEGIN PRIVATE KEY-----\n${"QUJDREVG\n".repeat(2_000)}`;
  const said = streamed(cut(`before\n${body}-----END PRIVATE KEY-----\nafter it\n`, [100]));
  expect(said).toBe("before\n[secret]\nafter it\n");
});

test("holds back no more than the last word, and not even that where words have no end", () => {
  const stream = createRedactedStream();
  stream.push("one two thr");
  expect(stream.take()).toBe("one two ");
  stream.push("x".repeat(2_000));
  expect(stream.take().length).toBeGreaterThan(1_000);
});

test("keeps the whole of a long text, piece by piece", () => {
  const text = "Line after line of it.\n".repeat(2_000);
  expect(streamed(cut(text, [300]))).toBe(text);
});
