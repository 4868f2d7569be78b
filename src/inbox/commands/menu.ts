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
  "memory",
  "skill",
  "usage",
  "routines",
  "help",
  "routine",
  "rules",
  "instructions",
  "compact",
  "history",
  "delete",
  "skills",
  "mcp",
  "model",
  "login",
  "invite",
  "link",
  "why",
  "zone",
  "place",
  "start",
] as const;

export type CommandName = (typeof commandNames)[number];

/** A phone shows twelve without scrolling for long: the others work, and stay out of short menus. */
const listed = commandNames.slice(0, commandNames.indexOf("help") + 1);

type Fields = Words["commands"]["fields"];

const fields: { readonly [Name in CommandName]?: (words: Fields) => readonly CommandField[] } = {
  ask: (words) => [
    { name: "teammate", description: words.teammate, required: true, completes: "teammate" },
    { name: "message", description: words.message, required: true },
  ],
  team: (words) => [{ name: "add", description: words.add, required: false }],
  agent: (words) => [{ name: "teammate", description: words.teammate, required: true, completes: "teammate" }],
  memory: (words) => [{ name: "teammate", description: words.teammate, required: false, completes: "teammate" }],
  skill: (words) => [
    { name: "skill", description: words.skill, required: true, completes: "skill" },
    { name: "message", description: words.message, required: false },
  ],
  routine: (words) => [
    { name: "action", description: words.routine, required: false, completes: "routine" },
    { name: "text", description: words.routineText, required: false },
  ],
  usage: (words) => [{ name: "period", description: words.period, required: false }],
  instructions: (words) => [{ name: "teammate", description: words.teammate, required: false, completes: "teammate" }],
  history: (words) => [{ name: "words", description: words.words, required: false }],
  skills: (words) => [{ name: "teammate", description: words.teammate, required: false, completes: "teammate" }],
  mcp: (words) => [{ name: "add", description: words.server, required: false }],
  model: (words) => [{ name: "teammate", description: words.teammate, required: false, completes: "teammate" }],
  invite: (words) => [{ name: "role", description: words.role, required: false }],
  link: (words) => [{ name: "code", description: words.code, required: false }],
  zone: (words) => [{ name: "zone", description: words.zone, required: false }],
  start: (words) => [{ name: "code", description: words.code, required: false }],
};

/** What adapters put into the platform's menu. */
export function commandSpecs(words: Words = wordsFor(null)): readonly (CommandSpec & { readonly name: CommandName })[] {
  return commandNames.map((name) => ({
    name,
    description: words.commands.menu[name],
    menu: listed.includes(name),
    fields: fields[name]?.(words.commands.fields) ?? [],
  }));
}
