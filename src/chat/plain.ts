import { toMarkdown } from "./markdown.text.ts";
import { plainDocument } from "./markdown.ts";

/** A name or title from outside as Markdown that shows it letter by letter, on one line: a name cannot be a link or a mass ping. */
export function plain(name: string): string {
  return toMarkdown(plainDocument(name.replace(/\s+/gu, " ")));
}
