/** A conversation that is tidied up: what was said becomes a summary. */
export const tidied = (name: string) => `Tidied up. ${name} remembers the gist.`;
export const nothingToTidy = "There is nothing to tidy up here yet.";
export const busy = (name: string) => `${name} is working here right now. Send /compact again once that is done.`;
export const tidyInside = "Each thread is a conversation of its own. Use this inside the one you mean.";
