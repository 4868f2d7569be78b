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
