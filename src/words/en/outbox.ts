/** What people see when a post did not go as it should. */
export const maybeRepeat = "♻︎ This may be a repeat: I'm not sure the first one arrived.";

export const rejected = (place: string, detail: string) =>
  `I couldn't post something in ${place}: the platform didn't take it (${detail}).`;
export const gone = (place: string, detail: string) =>
  `I can't post in ${place} any more: it is gone or closed to me (${detail}). What waited for it stays unsent. Add me again there if you want me back.`;
export const unreachable = (place: string, detail: string) =>
  `I tried for a day to post something in ${place} and gave up (${detail}).`;
export const unnamedPlace = "a direct message";
export const threadIn = (place: string) => `a thread in ${place}`;
