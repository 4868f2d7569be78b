/** Work that happens by itself: the card of a new one, the list, one routine, and its log. */
export const title = "**Routines**";

/** A draft, and what its buttons and fields are called. */
export const draft = {
  heading: (name: string, where: string, when: string) => `**${name}** → ${where} · ${when}`,
  change: (name: string) => `Change of ${name}:`,
  noName: "No name yet",
  noTime: "no time yet",
  onCall: "when called from outside",
  zone: (when: string, zone: string) => `${when} (${zone})`,
  next: (times: string) => `next: ${times}`,
  zoneGuessed: "UTC, as I don't know your time zone. Change → Zone",
  ifMissed: { run_once: "if missed: run once, late", skip: "if missed: skip" },
  atLimit: { wait: "at the plan's limit: wait", skip: "at the plan's limit: skip" },
  by: (teammate: string) => `${teammate} does it`,
  newSecret: "Saving makes a new secret for the webhook; the one it has ends.",
  checkIn: "a check-in: silent when nothing is new",
  needsTime: "It needs a time. Press When.",
  needsInstruction: "It needs something to do. Press What.",
  cancelled: "No routine, then.",
  unchanged: "It stays as it was.",
  over: "That card is over. /routines shows what there is.",
  replaced: "There is a newer card for this below.",
} as const;

export const buttons = {
  create: "Create",
  save: "Save",
  change: "Change",
  cancel: "Cancel",
  name: "Name",
  when: "When",
  what: "What",
  whole: "Whole text",
  where: "Where",
  zone: "Zone",
  back: "Back",
  done: "Done",
  remove: (place: string) => `✕ ${place}`,
  ownThread: (place: string) => `Own thread in ${place}`,
  noThread: (place: string) => `No thread in ${place}`,
  missed: { run_once: "If missed: run late", skip: "If missed: skip" },
  atLimit: { wait: "At the limit: wait", skip: "At the limit: skip" },
  write: "Write it…",
  runNow: "Run now",
  test: "Test",
  runTest: "Run a test",
  pause: "Pause",
  resume: "Resume",
  edit: "Edit",
  log: "Log",
  delete: "Delete…",
  deleteNow: "Delete",
  keep: "Keep",
  stop: "Stop",
  all: "All routines",
  more: "More",
  earlier: "Back",
  secret: "URL and secret",
} as const;

/** Titles are at most 24 characters, labels at most 45. */
export const forms = {
  begin: { title: "New routine", label: "What should happen, and when?" },
  name: { title: "Name", label: "What should it be called?" },
  when: { title: "When", label: "When? For example: weekdays 8:30" },
  what: { title: "What", label: "What should happen?" },
  zone: { title: "Zone", label: "Which time zone? For example: Lisbon" },
} as const;
export const selects = {
  where: "Where its reports go",
  teammate: "Who does it",
  open: "Open a routine",
} as const;

export const tryWhen = "Try: weekdays 8:30 · every 2 hours · mon, thu 14:00 · 0 8 * * 1-5";
export const unreadWhen = `I can't read a time there. ${tryWhen}`;
export const wrongWhen = (problem: string) => `${problem} ${tryWhen}`;
export const moreThanTime = (rest: string) => `“${rest}” is more than a time. ${tryWhen}`;
export const unknownZone = (near: readonly string[]) =>
  `I don't know that time zone. Try: ${near.length === 0 ? "Lisbon · Europe/Berlin · UTC" : near.join(" · ")}`;

/** Where reports go. */
export const places = {
  here: "here",
  channel: (title: string) => (title.startsWith("#") ? title : `#${title}`),
  dm: (person: string) => `${person} (in private)`,
  unnamed: "a place without a name",
  elsewhere: "another place",
  thread: (place: string) => `a thread in ${place}`,
  own: (place: string) => `${place} (a thread of its own)`,
  choose: "Choose where its reports go: one place, or several.",
  none: "Nothing chosen: they come here.",
} as const;

export const days = { today: "today", tomorrow: "tomorrow", yesterday: "yesterday" } as const;

export const howToBegin = (command: string) => `To begin: ${command} new every weekday at 9 tell me what is new`;
export const empty = (mayMake: boolean) =>
  [
    "No routines here yet. A routine is work that happens by itself: a report each morning, a reminder, a look at something every hour.",
    ...(mayMake ? [howToBegin("/routine")] : []),
  ].join("\n\n");
export const ask = "What should happen, and when? For example: every weekday at 8:30 post the open incidents to #ops";
export const which = (names: readonly string[]) =>
  names.length === 0
    ? howToBegin("/routine")
    : `Which one? /routine ${names[0] ?? "NAME"}, for example. All of them: /routines. A new one: /routine new …`;
export const noSuch = (name: string) => `There is no routine called ${name} here. /routines shows those there are.`;
export const membersOnly = "Routines are for members of the team.";

/** One routine in the list: what it is, and how it stands beneath. */
export const line = (nth: number, name: string, when: string, parts: readonly string[]) =>
  `${nth}. **${name}** · ${when}\n   ${parts.join(" · ")}`;
export const next = (when: string) => `next: ${when}`;
export const waitsForCall = "waits for a call";
export const notDue = "no next time";
export const paused = "⏸ paused";
export const stopped = {
  author: "⏹ stopped: whose routine it was may not use me any more",
  place: "⏹ stopped: the place it was for is gone",
  over: "done, nothing more is due",
} as const;
export const away = (teammate: string) => `${teammate} is away`;

export const facts = {
  heading: (name: string, where: string, when: string) => `**${name}** → ${where} · ${when}`,
  last: (what: string) => `last: ${what}`,
  whose: (teammate: string, author: string | null) => (author === null ? teammate : `${teammate}, for ${author}`),
} as const;

export const you = "you";
/** What became of a run; `at` is when it was due. */
export const run = {
  queued: "in line",
  running: "▸ running",
  needs_attention: (who: string | null) => (who === null ? "✋ waiting for somebody" : `✋ waiting for ${who}`),
  succeeded: (at: string) => `✓ ${at}`,
  quiet: (at: string) => `🔕 ${at}, no news`,
  failed: (at: string, why: string | null) => (why === null ? `⚠ failed, ${at}` : `⚠ failed, ${at}: ${why}`),
  interrupted: (at: string) => `⚠ cut off, ${at}`,
  cancelled: (at: string) => `⏹ stopped, ${at}`,
  skipped: (at: string, why: string) => `↷ skipped, ${at}: ${why}`,
} as const;
export const skips = {
  missed: "I was not running",
  overlap: "the one before was still running",
  hidden: "its colleague was away",
  limit: "the plan's limit was reached",
  author: "whose routine it is may not use me any more",
  place: "its place was gone",
  paused: "it was paused",
} as const;
export const late = "late";
export const missed = (count: number) => (count === 1 ? "stands for 1 missed" : `stands for ${count} missed`);
export const sources = { manual: "run by hand", test: "test", webhook: "called from outside" } as const;
export const delivered = (places: readonly string[]) => `→ ${places.join(", ")}`;
export const undelivered = (places: readonly string[]) => `could not be posted to ${places.join(", ")}`;
export const onItsWay = (places: readonly string[]) => `on its way to ${places.join(", ")}`;

export const log = {
  title: (name: string) => `**${name}** · last runs`,
  none: "It has not run yet.",
  line: (parts: readonly string[]) => `- ${parts.join(" · ")}`,
} as const;

/** What a press came to. */
export const done = {
  created: (name: string, next: string) => `✓ Created: **${name}** · ${next}`,
  changed: (name: string, next: string) => `✓ Saved: **${name}** · ${next}`,
  saved: "Saved.",
  started: "Started.",
  testing: "The test run is on its way; it shows here.",
  running: "It is running already.",
  paused: "Paused.",
  resumed: "It goes on.",
  deleted: (name: string) => `Deleted: **${name}**.`,
  stopping: "Stopping.",
} as const;
/** For everybody in a place, where the card was one person's alone. */
export const told = {
  created: (who: string, name: string, where: string, when: string) =>
    `${who} made a routine: **${name}** → ${where} · ${when}`,
  changed: (who: string, name: string, where: string, when: string) =>
    `${who} changed the routine **${name}** → ${where} · ${when}`,
  paused: (who: string, name: string) => `⏸ ${who} paused the routine **${name}**.`,
  resumed: (who: string, name: string) => `▶ ${who} let the routine **${name}** go on.`,
  deleted: (who: string, name: string) => `${who} deleted the routine **${name}**.`,
} as const;
export const deleteSure = (name: string) => `Delete **${name}**? A run of it that is under way is stopped.`;

export const problems = {
  not_allowed: "Only the one whose routine it is, or a manager, can do that.",
  outranked:
    "It acts with the rights of somebody who may do more than you. You can pause it; what it does is theirs to change.",
  gone: "That routine is gone. /routines shows those there are.",
  no_teammate: "That colleague is not here any more. Change → choose another one.",
  name_empty: "A routine needs a name.",
  name_too_long: "That name is too long: 80 characters at most.",
  name_taken: "There is a routine of that name already. Change → Name.",
  instruction_empty: "A routine needs something to do. Change → What.",
  instruction_too_long: "That is too long: 100,000 characters at most.",
  too_many: (limit: number) => `There are ${limit} routines already. Delete one first: /routines`,
  place: (place: string) => `I can't post to ${place} for you any more. Change → Where.`,
  too_many_destinations: (limit: number) => `Reports can go to ${limit} places at most.`,
} as const;
