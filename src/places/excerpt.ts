import { cleanText, clip, oneLine } from "../chat/index.ts";
import { redact } from "../shared/index.ts";

/**
 * A text on one line around the first of the words, without secrets, at most about so many characters; undefined where none
 * of the words is left in it once the secrets are out: what looks for a secret finds nothing.
 */
export function excerptOf(text: string, words: readonly string[], longest: number): string | undefined {
  const line = oneLine(redact(cleanText(text)));
  const lower = line.toLowerCase();
  const hits = words.map((word) => lower.indexOf(word.toLowerCase()));
  if (hits.length === 0 || hits.some((at) => at < 0)) return undefined;
  const from = Math.max(0, Math.min(...hits) - Math.floor(longest / 3));
  // Not in the middle of a word, nor of a character.
  const start = from === 0 ? 0 : line.indexOf(" ", from) + 1 || from;
  const rest = line.slice(start).toWellFormed();
  return `${start > 0 ? "…" : ""}${clip(rest, longest)}`;
}

/** The words somebody looks for, each once. */
export function wordsIn(query: string): readonly string[] {
  const words = oneLine(cleanText(query)).toLowerCase().split(" ");
  return [...new Set(words.filter((word) => word !== ""))].slice(0, mostWords);
}

const mostWords = 8;
