/** Skills: what teammates know how to do. */
export const asks = {
  install: (name: string) => `Install the skill “${name}” for itself`,
  enable: (name: string) => `Have the skill “${name}” from now on`,
} as const;

export const problems = {
  no_skill_file: "There is no SKILL.md in it.",
  no_header: "Its SKILL.md must begin with a name and a description between two lines of ---.",
  name_bad: "Its name must be lower-case words joined by dashes, at most 64 characters: release-notes.",
  too_large: "It is larger than 5 MB.",
  too_many_files: "It has more than 200 files.",
  bad_path: "A file in it has a place or a name that no folder can take.",
  link: "There is a link in it. I take plain files only.",
  not_an_archive: "I can't read that archive. Send a .zip, or the SKILL.md alone.",
  not_found: "There is no such folder.",
} as const;

export const title = "**Skills**";
export const none = "No skills yet.";
export const line = (name: string, description: string, who: readonly string[]) =>
  `- **${name}**: ${description} · ${who.length === 0 ? "nobody has it" : who.join(", ")}`;
export const more = (count: number) => `and ${count} more. /skills NAME shows one.`;
export const howToUse = (name: string) => `To use one: “/${name} …” in a message, or /skill ${name} …`;
/** `typed`: what goes along with a file. */
export const howToAdd = (typed: string) => `To add one, send me a SKILL.md or a .zip with “${typed}” beneath it.`;
export const open = "Open";
export const add = "Add";
/** A title is at most 24 characters, a label at most 45. */
export const addForm = { title: "Add a skill", label: "Paste a SKILL.md, or reply with a file" } as const;

export const one = (name: string, description: string) => `**${name}**\n${description}`;
export const hasIt = (names: readonly string[]) => `Has it: ${names.length === 0 ? "nobody yet" : names.join(", ")}`;
export const whoHasIt = "Give it or take it away";
export const give = (name: string) => `Give to ${name}`;
export const take = (name: string) => `Take from ${name}`;
export const remove = "Remove";
export const back = "All skills";
export const sure = (name: string, names: readonly string[]) =>
  names.length === 0 ? `Remove ${name} for good?` : `Remove ${name} for good? ${names.join(", ")} would lose it.`;
export const removeNow = "Remove it";
export const keep = "Keep it";
export const removed = (name: string) => `${name} is removed.`;
export const given = (name: string) => `${name} has it from the next task on.`;
export const taken = (name: string) => `${name} doesn't have it any more.`;
export const gone = "That skill is not here any more.";
export const tooMany = (name: string) => `${name} has 32 skills already. Take one away first.`;
export const added = "Added. Who should have it?";
export const replaced = "Replaced: whoever had it has the new one from the next task on.";
export const notAdded = (why: string) => `Not added. ${why}`;
export const needsManager = "Only managers and above can add or give skills.";
export const needsOwner = "Only the owner can add a skill from a folder of this computer.";
export const absolutePath = "Give the whole path of the folder: /skills add /home/ada/release-notes";
export const notText = "Send a SKILL.md or a .zip.";

export const noSuchSkill = (name: string) => `There is no skill called ${name}. /skills shows what there is.`;
export const nobodyHas = (name: string) => `Nobody here has ${name} yet. /skills gives it to somebody.`;
export const useWhat = (name: string) => `What should be done with ${name}?`;
export const sayWhat = "Say what";
export const useForm = { title: "Use a skill", label: "What should be done?" } as const;
export const whichSkill = (name: string | undefined) =>
  name === undefined
    ? "There are no skills yet. /skills says how to add one."
    : `Which skill? For example: /skill ${name} …`;
