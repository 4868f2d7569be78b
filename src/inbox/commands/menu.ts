import type { CommandField, CommandSpec } from "../../chat/index.ts";
import { type Words, wordsFor } from "../../words/index.ts";

/** The commands in the order of a platform's menu, the everyday ones first. */
export const commandNames = [
  "new",
  "stop",
  "status",
  "inbox",
  "ask",
  "team",
  "agent",
  "rules",
  "invite",
  "link",
  "why",
  "help",
  "place",
  "start",
] as const;

export type CommandName = (typeof commandNames)[number];

/** A phone shows twelve without scrolling for long: these work, and stay out of short menus. */
const unlisted: readonly CommandName[] = ["place", "start"];

type Fields = Words["commands"]["fields"];

const fields: { readonly [Name in CommandName]?: (words: Fields) => readonly CommandField[] } = {
  ask: (words) => [
    { name: "teammate", description: words.teammate, required: true, completes: "teammate" },
    { name: "message", description: words.message, required: true },
  ],
  team: (words) => [{ name: "add", description: words.add, required: false }],
  agent: (words) => [{ name: "teammate", description: words.teammate, required: true, completes: "teammate" }],
  invite: (words) => [{ name: "role", description: words.role, required: false }],
  link: (words) => [{ name: "code", description: words.code, required: false }],
  start: (words) => [{ name: "code", description: words.code, required: false }],
};

/** What adapters put into the platform's menu. */
export function commandSpecs(words: Words = wordsFor(null)): readonly (CommandSpec & { readonly name: CommandName })[] {
  return commandNames.map((name) => ({
    name,
    description: words.commands.menu[name],
    menu: !unlisted.includes(name),
    fields: fields[name]?.(words.commands.fields) ?? [],
  }));
}
