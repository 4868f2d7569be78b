import { oneLine, plainDocument, toMarkdown } from "../chat/index.ts";

export function paragraphs(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== "").join("\n\n");
}

/** Text from outside, shown as the letters it has: nothing in it becomes a link, a mention or a heading. */
export function plain(text: string): string {
  return toMarkdown(plainDocument(visible(text)));
}

/** Characters that change what is seen and not what is run: directions, and what has no width. */
const invisible =
  /[\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\u3164\uFEFF]/gu;

/** Whoever approves must see what runs: `rm` written backwards, or a name with something unseen in it, shows as it is. */
export function visible(text: string): string {
  return text.replace(
    invisible,
    (letter) => `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

export const strong = (text: string) => `**${text}**`;

export function code(text: string): string {
  const fence = fenceFor(text, 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${fence}${pad}${visible(oneLine(text))}${pad}${fence}`;
}

export function fenced(text: string, language: string): string {
  if (text === "") return "";
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(least, longest + 1));
}
