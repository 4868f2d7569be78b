/** What a colleague remembers: the list, one memory, and what is done to it. */
export const title = (teammate: string) => `**What ${teammate} remembers**`;
export const nothing = (teammate: string) =>
  `${teammate} remembers nothing here yet. Say what to remember, or add it below.`;
export const line = (nth: number, text: string, notes: string) => `${nth}. ${text} · ${notes}`;
/** What follows a text: for whom it is, and more. */
export const notes = (scope: string, pinned: boolean, changed?: string) =>
  [scope, ...(pinned ? ["always in mind"] : []), ...(changed === undefined ? [] : [changed])].join(" · ");
export const scopes = {
  everywhere: "everywhere",
  here: "only here",
  place: (title: string) => `only in ${title}`,
  elsewhere: "only in another place",
  you: "only for you",
} as const;
/** What is for other people alone is counted and not shown. */
export const others = (count: number) =>
  count === 1 ? "One more is only for somebody else." : `${count} more are only for other people.`;
export const somebodyElse = (names: readonly string[]) => `Somebody else's: /memory ${names[0] ?? "NAME"}`;

export const buttons = {
  more: "More",
  back: "Back",
  add: "Add…",
  edit: "Edit",
  forget: "Forget",
  pin: "Always keep in mind",
  unpin: "Only when it fits",
  everywhere: "Use everywhere",
  here: "Only here",
  you: "Only for me",
  forgetAll: "Forget everything…",
  forgetAllNow: "Forget everything",
  keep: "Keep it",
} as const;

/** Titles are at most 24 characters, labels at most 45. */
export const forms = {
  edit: { title: "Edit", label: "What should be remembered?" },
  add: { title: "Add", label: "What should be remembered?" },
} as const;

export const saved = "Saved.";
export const forgotten = "Forgotten.";
export const known = "That is remembered already.";
export const sureAll = (teammate: string, count: number) =>
  `Should ${teammate} forget everything? That is ${count === 1 ? "1 memory" : `${count} memories`}, also those of other places and people. It can't be undone.`;
export const forgottenAll = (teammate: string) => `${teammate} remembers nothing any more.`;

export const problems = {
  empty: "Write the fact in a sentence.",
  long: "That is too long: a memory has at most 500 characters.",
  secret: "That is a secret, and secrets are never remembered.",
  full: "There are 64 memories already. Forget one first.",
  place_full: "There is no room for more about this place. Forget one first.",
  changed: "That was changed meanwhile. Here is how it is now.",
  unknown: "That is not remembered any more.",
  not_allowed: "Only managers and above can change what holds everywhere.",
} as const;
