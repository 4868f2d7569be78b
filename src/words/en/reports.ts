/** What a routine reports, and what its author hears of where that went. */
export const late = (due: string) => `(late: due ${due})`;
export const couldNotFinish = (reason: string) => `⚠ Couldn't finish: ${reason}`;

export const notPosted = {
  rejected: (name: string, place: string, detail: string) =>
    `A report of the routine "${name}" could not be posted in ${place}: the platform didn't take it (${detail}). The run itself is fine; see /routines.`,
  gone: (name: string, place: string, detail: string) =>
    `The reports of the routine "${name}" can't reach ${place} any more: it is gone or closed to me (${detail}). Add me there again, or choose another place with /routines.`,
  unreachable: (name: string, place: string, detail: string) =>
    `I tried for a day to post a report of the routine "${name}" in ${place} and gave up (${detail}).`,
} as const;
export const noThread = (name: string, place: string, detail: string) =>
  `The routine "${name}" has no thread of its own in ${place}: the platform didn't let me make one (${detail}). Its reports are posted in ${place} itself until it does.`;
export const notThere = (name: string, place: string) =>
  `The report of the routine "${name}" was not posted in ${place}: I'm not there any more. Add me again, or choose another place with /routines.`;
export const unnamedPlace = "a direct message";
