import type { CommandSpec } from "../../chat/index.ts";
import { type Words, wordsFor } from "../../words/index.ts";

/** The commands in the order of a platform's menu, the everyday ones first. */
export const commandNames = [
  "new",
  "stop",
  "status",
  "inbox",
  "ask",
  "team",
  "rules",
  "why",
  "invite",
  "help",
  "start",
] as const;

export type CommandName = (typeof commandNames)[number];

/** What adapters put into the platform's menu. At most 12, so that a phone shows them without scrolling for long. */
export function commandSpecs(words: Words = wordsFor(null)): readonly CommandSpec[] {
  return commandNames.map((name) => ({ name, description: words.commands.menu[name], menu: true, fields: [] }));
}
