/** What is looked at of a request, in characters, and the words of it that are looked for. */
const longestText = 10_000;
const mostTerms = 32;
const shortestWord = 3;
/** From this length on, what follows the word does not matter, and its last letter neither: "invoices" finds "invoice". */
const inflected = 5;

/** The words of a text as terms of a full-text query, the longest (which say most) first. Each is letters and digits only, and an optional ":*". */
export function termsOf(text: string): readonly string[] {
  const words =
    text
      .slice(0, longestText)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const terms = words
    .filter(
      (word) =>
        word.length >= shortestWord || /\p{N}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word),
    )
    .map((word) => (/\p{N}/u.test(word) || word.length < inflected ? word : `${word.slice(0, -1)}:*`));
  return [...new Set(terms)].sort((a, b) => b.length - a.length).slice(0, mostTerms);
}
