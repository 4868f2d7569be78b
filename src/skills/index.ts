/** The skills room: folders with a SKILL.md, where they come from, which teammates have them, and their copies in workspaces. */
export { bundleOfArchive } from "./archive.ts";
export { type Bundle, bundleOfText } from "./bundle.ts";
export { bundleInside, bundleOfFolder } from "./folder.ts";
export { namedSkills, skillPath } from "./named.ts";
export { placeSkills } from "./placing.ts";
export type { SkillProblem } from "./skill-file.ts";
export {
  createSkills,
  type InstalledSkill,
  type Skill,
  type Skills,
} from "./skills.ts";
