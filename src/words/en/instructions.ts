/** A teammate's own instructions: what it changed itself, and what people write. */
export const changed = (name: string) => `${name} changed its instructions.`;
export const overruled = (name: string) =>
  `${name} changed its instructions, but somebody had changed them meanwhile. Theirs stand.`;
export const wasCut = "It wrote more than 8,000 characters; the rest is in AGENTS.long.md in its folder.";
export const view = "View";
export const undo = "Undo";
