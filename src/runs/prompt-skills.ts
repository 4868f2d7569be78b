import { namedSkills, type Skill, skillPath } from "../skills/index.ts";
import type { NamedSkill, PromptMessage } from "./types.ts";

/** The skills that people ask for in these messages, where the turn finds them. What is quoted or forwarded asks for nothing. */
export function skillsIn(
  messages: readonly PromptMessage[],
  skills: readonly Skill[],
  workspace: string,
): readonly NamedSkill[] {
  const asked = messages.filter(({ author, forwardedFrom }) => author === "person" && forwardedFrom === undefined);
  const text = asked.map((message) => message.text).join("\n");
  return namedSkills(text, skills).map((skill) => ({ name: skill.name, path: skillPath(workspace, skill) }));
}
