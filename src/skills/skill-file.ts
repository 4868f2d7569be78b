import { z } from "zod";
import { cleanText, oneLine } from "../chat/index.ts";
import { redact } from "../shared/index.ts";

export const longestName = 64;
export const longestDescription = 1_024;

const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;
const header = z.object({ name: z.string().trim(), description: z.string().trim().min(1) });

/** What a SKILL.md says about itself. */
export interface SkillHeader {
  readonly name: string;
  readonly description: string;
}

/** Why something cannot be a skill; the catalog has a sentence for each. */
export type SkillProblem =
  | "no_skill_file"
  | "no_header"
  | "name_bad"
  | "too_large"
  | "too_many_files"
  | "bad_path"
  | "link"
  | "not_an_archive"
  | "not_found";

export function isSkillName(name: string): boolean {
  return name.length <= longestName && namePattern.test(name);
}

/** Reads the YAML between the dashes at the top. */
export async function readHeader(text: string): Promise<SkillHeader | SkillProblem> {
  const [, yaml] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/u.exec(text) ?? [];
  if (yaml === undefined) return "no_header";
  const parsed = header.safeParse(await yamlOf(yaml));
  if (!parsed.success) return "no_header";
  const { name, description } = parsed.data;
  if (!isSkillName(name)) return "name_bad";
  return {
    name,
    description: oneLine(redact(cleanText(description)))
      .slice(0, longestDescription)
      .toWellFormed(),
  };
}

/** Aliases are not followed: a few lines of them can grow without end. */
async function yamlOf(text: string): Promise<unknown> {
  // Loaded where somebody brings a skill, and not at every start.
  const { parse } = await import("yaml");
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    return undefined;
  }
}
