/** Skills: the list, installing and enabling, and asking for one by name. */
export { skillsActions, skillsForms } from "./actions.ts";
export { takeSkillFile } from "./adding.ts";
export { skillCommand, takeSkillByName } from "./skill-command.ts";
export { skillsCommand } from "./skills-command.ts";
