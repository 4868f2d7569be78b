/** What the terminal itself says; everything else comes from the catalogs. */
export const words = {
  hint: "Type a message and press Enter. /help shows commands, Ctrl-C stops what runs, twice quits.",
  quitHint: "Press Ctrl-C again to quit.",
  noFile: (path: string) => `I can't find a file at ${path}.`,
  fileUsage: "Say which file: /file PATH, and words if you like.",
  fileTooLarge: "That file is too large to take in.",
  formNow: (value: string) => `now: ${value}`,
  formHint: "Type it and press Enter. An empty line leaves it as it is.",
  formLeft: "Left as it is.",
};
