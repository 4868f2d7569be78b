/** A teammate's own instructions: what it changed itself, and what people write. */
export const changed = (name: string) => `${name} changed its instructions.`;
export const overruled = (name: string) =>
  `${name} changed its instructions, but somebody had changed them meanwhile. Theirs stand.`;
export const wasCut = "It wrote more than 8,000 characters; the rest is in AGENTS.long.md in its folder.";
export const view = "View";
export const undo = "Undo";
export const undone = (name: string, by: string) => `${name} changed its instructions. Undone by ${by}.`;
export const isUndone = "Undone. It counts from the next task on.";
export const undoProblems = {
  already: "That was undone before.",
  changed_since: "They were changed again since, so I left them as they are. /instructions shows them.",
  not_allowed: "Only managers and above can do that.",
  gone: "That change is not here any more.",
} as const;
export const difference = (name: string) => `What ${name} changed:`;
export const differenceFile = "instructions.diff";

export const title = (name: string) => `**Instructions of ${name}**`;
export const none = "None of its own yet.";
export const inFile = "They are in the file below.";
export const fileName = (handle: string) => `instructions-${handle}.md`;
/** What stands around them in the same file. */
export const around =
  "Before them I tell it who it is, what its job is, what it may do without asking, and who its colleagues are.";
export const others = (names: readonly string[]) => `For somebody else: /instructions ${names[0] ?? "NAME"}`;
export const edit = "Edit";
/** `typed`: what goes along with a file. */
export const upload = (typed: string) => `To replace them, send me a .md or .txt file with “${typed}” beneath it.`;
export const tooLongToEdit = (typed: string) =>
  `They are too long to edit here. Send me a .md or .txt file with “${typed}” beneath it.`;
/** A title is at most 24 characters, a label at most 45. */
export const form = { title: "Instructions", label: "How should it work? “none” clears it" } as const;
export const nothing: readonly string[] = ["", "-", "none"];

export const saved = "Saved. It counts from the next task on.";
export const unchanged = "They said that already.";
export const conflict = "Somebody changed these instructions since you began. What yours would change:";
export const saveMine = "Save mine";
export const keepTheirs = "Keep theirs";
export const kept = "Theirs stay.";
export const problems = {
  not_allowed: "Only managers and above can do that.",
  too_long: "Instructions have at most 8,000 characters.",
  gone: "That colleague is not here any more.",
  not_text: "I take a .md or .txt file for instructions.",
} as const;
export const uploadProblems = {
  too_large: "That file is too large.",
  unavailable: "I couldn't fetch that file. Send it once more.",
  not_here: "I can't take files here.",
} as const;
