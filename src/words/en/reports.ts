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

/** A routine ended by itself. */
export const ended = {
  author: (name: string, teammate: string) =>
    `The routine "${name}" of ${teammate} has stopped: the person it belongs to may not use me any more. To have it go on as yours, press Resume in /routines.`,
  place: (name: string, teammate: string) =>
    `The routine "${name}" of ${teammate} has stopped: I'm no longer in the place its reports go to, or you may not ask me there any more. Choose another place in /routines, or press Resume there once that is mended.`,
};

/** A run that had nothing to say, where something is said all the same. */
export const nothingNew = "Nothing new.";
/** What its author hears of a run that came to nothing: beneath the routine's name. */
export const runAgain = "Run again";
export const noReport = (name: string) => `${name} ended without a report, so there is nothing to post.`;
export const noReportReason = "It ended without a report.";
export const stopped = (by: string | null) =>
  by === null ? "This run was stopped." : `This run was stopped by ${by}.`;
export const restarted = (name: string) => `I restarted in the middle of this run. Here is what ${name} had finished:`;
export const restartedEmpty = (name: string) =>
  `I restarted in the middle of this run, before ${name} had finished anything.`;
export const usageLimitUntil = (name: string, time: string) =>
  `${name} reached the plan's limit; it resets at ${time}. This run waits until then.`;
