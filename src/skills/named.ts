import { join } from "node:path";
import { skillFileName } from "./bundle.ts";
import type { Skill } from "./skills.ts";

const mentioned = /(?<![^\s(])\/([a-z0-9]+(?:-[a-z0-9]+)*)(?![\p{L}\p{N}_/.-])/gu;

/** The skills that a text asks for as people type it: `/release-notes`, at its start or after a space. Not in code. */
export function namedSkills(text: string, skills: readonly Skill[]): readonly Skill[] {
  if (skills.length === 0 || !text.includes("/")) return [];
  const outside = text.replace(/(`{3,}|~{3,})[\s\S]*?(?:\1|$)|`[^`\n]+`/gu, " ");
  const names = new Set([...outside.matchAll(mentioned)].map(([, name]) => name));
  return skills.filter(({ name }) => names.has(name));
}

/** Where a skill's SKILL.md lies in a teammate's folder, for Codex. */
export function skillPath(workspace: string, { name }: Pick<Skill, "name">): string {
  return join(workspace, ...placedBelow, name, skillFileName);
}

/** Where Codex looks for skills, below its current folder. */
export const placedBelow = [".agents", "skills"] as const;
