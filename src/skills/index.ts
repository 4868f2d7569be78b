/** The skills room: folders with a SKILL.md, where they come from, and which teammates have them. */
export { createSkills, type Skill, type Skills } from "./skills.ts";
