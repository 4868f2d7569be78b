/** Routines by talking: what a teammate did to one, and the check-in that is offered with a greeting. */
export const noted = {
  paused: (teammate: string, name: string) => `⏸ ${teammate} paused the routine **${name}**.`,
  deleted: (teammate: string, name: string) => `${teammate} deleted the routine **${name}**.`,
} as const;

/** At most 40 characters on the button. */
export const checkIn = {
  offer: "Check in on weekdays at 9:00",
  name: (person: string) => `Check-in for ${person}`,
  instruction:
    "Look at what we talked about lately, at what is still open of it, and at what you look after for me. If there is something I should know or decide today, say it in a few lines, the most important first. If there is nothing, stay quiet.",
} as const;
