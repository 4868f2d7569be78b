/** Routines by talking: what a teammate did to one, and the check-in that is offered with a greeting. */
export const noted = {
  paused: (teammate: string, name: string) => `⏸ ${teammate} paused the routine **${name}**.`,
  deleted: (teammate: string, name: string) => `${teammate} deleted the routine **${name}**.`,
} as const;
