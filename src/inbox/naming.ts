import type { Teammate } from "../teammates/index.ts";

type Named = Pick<Teammate, "id" | "handle" | "name">;

/** More are not addressed with one message. */
const mostNamed = 32;

/**
 * The teammates a text addresses, in the order they are named: `Milo, …`, `Milo and Penny: …` at the start, `@Milo`
 * anywhere. Most sentences that begin like this address nobody ("Thanks, …").
 */
export function addressedIn(text: string, teammates: readonly Named[]): readonly string[] {
  return [...new Set([...namedFirst(text, teammates), ...mentionedIn(text, teammates)])].slice(0, mostNamed);
}

/** Whether it is worth looking who works here: cheap, and never wrong in saying no. */
export function mayAddress(text: string): boolean {
  return text.includes("@") || /^\s*(?:[^\s:,]+\s+){0,12}[^\s:,]+\s*[:,]/u.test(text);
}

/** Those mentioned as people type it: `@Milo`. Not in code, and not as a part of an e-mail or web address. */
export function mentionedIn(text: string, teammates: readonly Named[]): readonly string[] {
  if (!text.includes("@") || teammates.length === 0) return [];
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_.+/@-])@${anyName(teammates)}(?![@/]|\\.[\\p{L}\\p{N}])`, "giu");
  return [...withoutCode(text).matchAll(mention)].flatMap(([, name]) => idOf(name, teammates));
}

function namedFirst(text: string, teammates: readonly Named[]): string[] {
  if (teammates.length === 0) return [];
  // A name counts once a comma or a colon closes it, or the last one of an enumeration.
  const next = new RegExp(`\\s*@?${anyName(teammates)}\\s*(?:(and\\b|&)|([:,])(?=\\s|$)(?:\\s*and\\b)?)`, "iuy");
  const named: string[] = [];
  let open: string[] = [];
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    open.push(...idOf(match[1], teammates));
    if (match[3] === undefined) continue;
    named.push(...open);
    open = [];
    if (match[3] === ":") break;
  }
  return named;
}

/** Cuts `NAME the rest` into who is named and the rest; the first word is the name where nobody here is called so. */
export function splitName(text: string, teammates: readonly Named[]): { id?: string; name: string; rest: string } {
  const known =
    teammates.length > 0 && new RegExp(`^\\s*@?${anyName(teammates)}[:,]?\\s*([\\s\\S]*)$`, "iu").exec(text);
  if (known) {
    const [, name = "", rest = ""] = known;
    const [id] = idOf(name, teammates);
    if (id !== undefined) return { id, name, rest: rest.trim() };
  }
  const [, name = "", rest = ""] = /^\s*@?([^\s:,]*)[:,]?\s*([\s\S]*)$/u.exec(text) ?? [];
  return { name, rest: rest.trim() };
}

/** Matches each teammate's handle and name, the longest first, as a word of its own. */
function anyName(teammates: readonly Named[]): string {
  const names = teammates
    .flatMap(({ handle, name }) => [handle, name])
    .filter((name) => name !== "")
    .toSorted((one, other) => other.length - one.length)
    .map(literally);
  return `(${names.join("|")})(?![\\p{L}\\p{N}_-])`;
}

/** As part of a pattern that matches these words, however far apart they are. */
export function literally(words: string): string {
  return words.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&").replace(/\s+/gu, "\\s+");
}

function idOf(name: string | undefined, teammates: readonly Named[]): string[] {
  const wanted = name === undefined ? "" : plainName(name);
  const found = teammates.find((each) => plainName(each.handle) === wanted || plainName(each.name) === wanted);
  return found ? [found.id] : [];
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\s+/gu, " ");
}

function withoutCode(text: string): string {
  return text.replace(/(`{3,}|~{3,})[\s\S]*?(?:\1|$)|`[^`\n]+`/gu, " ");
}
