import { platformName } from "./platforms.ts";

/** The menu, and what commands answer. */
export const menu = {
  new: "Start a fresh conversation",
  stop: "Stop what you asked for",
  status: "What runs, waits and is connected",
  inbox: "What waits for you",
  ask: "Ask a colleague: /ask NAME …",
  team: "Who works here, and what they are doing",
  agent: "One colleague: /agent NAME",
  routines: "What happens by itself, and when",
  routine: "Make one: /routine new every weekday at 9 …",
  rules: "What is allowed without asking",
  invite: "Invite somebody (owner and admins)",
  link: "Be the same person in another app",
  why: "What became of your last messages",
  zone: "Your time zone",
  help: "What I understand",
  memory: "What a colleague remembers",
  skill: "Use a skill: /skill NAME …",
  usage: "What was used: today, week or month",
  instructions: "A colleague's own instructions",
  compact: "Tidy up a long conversation",
  history: "Find what was said here",
  delete: "As a reply: take a message back",
  skills: "What colleagues know how to do",
  mcp: "MCP servers (owner and admins)",
  model: "Which model answers",
  login: "Sign in, or use a key (owner and admins)",
  place: "Who may ask here, and who answers (managers)",
  start: "Say hello, or join with a code",
} as const;

/** What may follow a command, where the platform has fields. */
export const fields = {
  teammate: "Who",
  message: "What you need",
  add: "Somebody new: Penny, a bookkeeper who checks invoices",
  role: "admin, manager, member or guest",
  code: "The code you were given",
  skill: "Which one",
  period: "today, week or month",
  routine: "new, run, test, pause, resume, edit, log, delete; or a name",
  routineText: "What should happen and when; or whose turn it is, by name",
  words: "What to look for",
  server: "A new one: NAME and its address or command",
  zone: "Lisbon, or Europe/Lisbon",
} as const;

interface HelpLine {
  readonly name: string;
  readonly description: string;
  /** True for the everyday ones. */
  readonly menu: boolean;
}

export const help = (lines: readonly HelpLine[]) =>
  [
    "Write what you need, and I get to it. Besides that:",
    "",
    ...helpLines(lines.filter(({ menu }) => menu)),
    "",
    "Now and then:",
    "",
    ...helpLines(lines.filter(({ menu }) => !menu)),
    "",
    "A message that is only “stop” stops what you asked for.",
    "In a thread with me you need not name me. “mute” makes me wait until I am named, “unmute” undoes it, and a line that begins with “!aside” is not for me.",
  ].join("\n");
const helpLines = (lines: readonly HelpLine[]) => lines.map((line) => `- /${line.name}: ${line.description}`);

/** `typed`: with what people type before a command's name. */
export const unknown = (typed: string, nearest: string | undefined) =>
  nearest === undefined
    ? `I don't know ${typed}. /help shows what I do.`
    : `I don't know ${typed}. Did you mean /${nearest}?`;
export const inPrivate = "Please ask me that in a direct message.";
export const needsPerson = "That is for people of this team.";
export const needsAdmin = "Only the owner and admins can do that.";

export const fresh = (teammate: string) =>
  `A fresh conversation with ${teammate}. What came before is no longer carried along.`;
export const busy = (teammate: string) =>
  `${teammate} is in the middle of something here. Stop it first, or start afresh when it is done.`;
export const stopButton = "Stop";
export const freshThreads = "Each thread is a conversation of its own. Write a new message, and a fresh one begins.";

export const askWhom = (names: readonly string[]) =>
  `Whom, and what? For example: /ask ${names[0] ?? "NAME"} what is new?`;
export const noSuchTeammate = (name: string, names: readonly string[]) =>
  `There is no ${name} here. You can ask ${list(names)}.`;

export const noRules = "Nothing is allowed for good: I ask each time.";
export const rules = (teammate: string, texts: readonly string[]) =>
  [`${teammate} may do this without asking:`, "", ...texts.map((text) => `- ${text}`)].join("\n");
export const revoke = (text: string) => `Revoke: ${text}`;
export const revoked = "Revoked. I ask again from now on.";
export const notYoursToRevoke = "Only a manager, or the person who made this rule, can revoke it.";

export const invite = (code: string, role: string, minutes: number, link: string | undefined) =>
  [
    `This code makes one person a ${role}. It works once, within ${minutes} minutes:`,
    "",
    `\`${code}\``,
    "",
    link === undefined
      ? "They send it to me, alone, in a direct message."
      : `They send it to me, alone, in a direct message: ${link}`,
  ].join("\n");
export const inviteRoles = (roles: readonly string[]) =>
  `You can invite as ${list(roles)}. For example: /invite ${roles[0] ?? "member"}`;

export const inboxEmpty = "Nothing waits for you.";
export const inboxTitle = (count: number) =>
  count === 1 ? "One thing waits for you:" : `${count} things wait for you:`;
export const inboxLine = (teammate: string, summary: string, ago: string, link: string | undefined) =>
  `- ${teammate}: ${link === undefined ? summary : `[${summary}](${link})`} · ${ago}`;

export const quiet = "Nothing runs, nothing waits.";
export const running = (teammate: string, person: string | null, place: string, since: string, waits: boolean) =>
  `- ${teammate} ${waits ? "waits for a decision" : "works"}${person === null ? "" : ` for ${person}`} in ${place} · ${since}`;
export const waitingLine = (count: number) => (count === 1 ? "1 message waits." : `${count} messages wait.`);
export const connection = (platform: string, name: string, state: string, detail: string | null) =>
  `- ${platformName(platform)} (${name}): ${state.replaceAll("_", " ")}${detail === null ? "" : `. ${detail}`}`;
export const routines = (active: number, next: string | null) =>
  `- Routines: ${active} active${next === null ? "" : `, next ${next}`}`;
export const installation = "This Shipmate";
export const system = (lines: readonly { readonly name: string; readonly state: string }[]) =>
  lines.map((line) => `- ${line.name}: ${line.state}`).join("\n");

export const zone = (name: string, time: string) =>
  `Your time zone is ${name}: it is ${time} there. \`/zone lisbon\` changes it.`;
export const zoneUnknown =
  "I don't know your time zone, so I tell times in UTC. Say where you are: `/zone lisbon` or `/zone Europe/Lisbon`.";
export const zoneSet = (name: string, time: string) =>
  `Your time zone is now ${name}: it is ${time} there. Routines you already have keep theirs.`;
export const noSuchZone = (given: string, near: readonly string[]) =>
  `I don't know the time zone ${given}. ${near.length === 0 ? "Give a large city near you, or a name such as `Europe/Lisbon`." : `Did you mean ${near.join(", ")}?`}`;
export const whyNothing = "I have seen no message of yours lately.";
export const whyTitle = "What became of your last messages:";
export const whyLine = (ago: string, kind: string, place: string, what: string) =>
  `- ${ago}, ${kind} in ${place}: ${what}`;
export const eventKinds = {
  message: "a message",
  command: "a command",
  edit: "an edit",
  deletion: "a deletion",
  button: "a button",
  form: "a form",
  home: "a look at the page",
  stop: "a stop",
  membership: "a change of members",
} as const;
export const outcomes = {
  delivered: "taken up",
  handled: "answered",
  merged: "joined to the message before it",
} as const;
export const reasons = {
  not_addressed: "not addressed to me, so I let it be",
  muted: "I was asked to listen there only when named",
  aside: "it was an aside among you",
  for_somebody_else: "it was meant for somebody else",
  not_set_up: "nobody owns me yet",
  stranger: "the account is not part of this team",
  place_closed: "nobody decided yet who may ask me there",
  not_allowed: "you may not ask me there",
  bot: "I don't answer bots",
  empty: "there was nothing in it",
  stale: "it reached me too late to answer",
  duplicate: "I had it already",
  unknown_command: "I don't know that command",
  too_many_waiting: "too much was waiting",
  away: "whom it was for is away",
  wrong_code: "the code was not right",
  too_many_codes: "too many wrong codes; try again in ten minutes",
  unknown_message: "I don't have the message it is about",
  unchanged: "nothing had changed",
  merged_text: "the text was sent in several parts, which I can't change one by one",
  unknown_button: "the button no longer works",
  invalid: "what was written there would not do",
  refused: "it was not yours to decide",
  nothing_to_stop: "nothing of yours was running",
  deleted: "it was deleted",
  broken: "something in it was too much for me; my log says what",
} as const;

export const ago = (ms: number) => {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
};

function list(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
