import { profileLimits } from "./profile.ts";

/** A teammate as somebody described it in a sentence; what it does not say is null. */
export interface Described {
  readonly name: string | null;
  readonly title: string | null;
  /** The sentence itself. */
  readonly job: string | null;
}

const mostNameWords = 3;
const mostTitleWords = 8;

/**
 * Reads "Penny, a bookkeeper who checks invoices" or "add a designer called Milo". By rules, so that the same words always
 * mean the same: the name stands before the comma, or after "called"; the title after "a", up to "who".
 */
export function readSentence(sentence: string): Described {
  const text = sentence
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/^(?:please )?(?:add|hire|create)(?: |$)/iu, "");
  if (text === "") return { name: null, title: null, job: null };
  const { name, rest } = findName(text);
  const title = findTitle(rest);
  // A name alone says nothing about the job.
  const job = rest === "" ? null : text.slice(0, profileLimits.job).toWellFormed();
  return { name, title, job };
}

function findName(text: string): { readonly name: string | null; readonly rest: string } {
  const called = /^(.*?)[,;]? ?\b(?:called|named) ([^,.;:]+?)(?=[,.;:]|$| (?:who|that|which|and|to|for)\b)(.*)$/iu.exec(
    text,
  );
  if (called && isName(called[2])) return { name: called[2] ?? null, rest: `${called[1] ?? ""}${called[3] ?? ""}` };
  const parted = /^([^,;:]+?)(?:[,;:]| [-–—] )\s*(.*)$/u.exec(text);
  if (parted && isName(parted[1])) return { name: parted[1] ?? null, rest: parted[2] ?? "" };
  const spoken = /^(.+?)(?: (?:is|as))? ((?:an?|the|who|that|which) .*)$/iu.exec(text);
  if (spoken && isName(spoken[1])) return { name: spoken[1] ?? null, rest: spoken[2] ?? "" };
  return isName(text) ? { name: text.replace(/[.!]+$/u, ""), rest: "" } : { name: null, rest: text };
}

/** At most three words, and none that begins a description. */
function isName(words: string | undefined): boolean {
  if (words === undefined || words.length > profileLimits.name) return false;
  return words.split(" ").length <= mostNameWords && !/^(?:an?|the|our|my|some(?:body|one)?|who|that)\b/iu.test(words);
}

function findTitle(rest: string): string | null {
  const withArticle = /\b(?:an?|the|our|my) (.+?)(?=,? (?:who|that|which)\b|[,.;:!?]|$)/iu.exec(rest)?.[1];
  const bare = /^(?!(?:who|that|which|some(?:body|one))\b)(.+?)(?=,? (?:who|that|which)\b|[,.;:!?]|$)/iu.exec(
    rest,
  )?.[1];
  const title = withArticle ?? bare;
  if (title === undefined || title.split(" ").length > mostTitleWords || title.length > profileLimits.title)
    return null;
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
}
