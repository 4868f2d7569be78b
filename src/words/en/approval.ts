import { platformName } from "./platforms.ts";

/** Cards that ask for a decision, and what the buttons on them answer. */
export const asks = {
  command: (name: string) => `${name} asks: run a command`,
  fileChange: (name: string, count: number) => `${name} asks: change ${count === 1 ? "a file" : `${count} files`}`,
  permissions: (name: string) => `${name} asks: more rights for this task`,
  action: (name: string, title: string) => `${name} asks: ${title}`,
  mcpTool: (name: string, tool: string, server: string) => `${name} asks: use the tool ${tool} of ${server}`,
} as const;

/** What a teammate may do for the rest of its task, once it is granted. */
export const rights = {
  network: "use the network",
  read: (path: string) => `read ${path}`,
  write: (path: string) => `change files in ${path}`,
  deny: (path: string) => `stay out of ${path}`,
} as const;

export const folder = (cwd: string) => `in ${cwd}`;
/** On a copy of a card in another place than the one where it was asked. */
export const askedFor = (name: string) => `for ${name}`;
export const because = (reason: string) => `because ${reason}`;
export const grants = (root: string) => `and everything else in ${root}, for this task`;
export const irreversible = "This can't be undone.";
export const wholeInFile = "The whole is in the file above.";
export const alwaysMeans = (prefix: string) => `"Always" allows every command that begins with: ${prefix}`;
export const change = { add: "new", update: "changed", delete: "deleted" } as const;
export const moreFiles = (count: number) => `and ${count} more`;

export const buttons = {
  approve: "Approve",
  deny: "Deny",
  denyWithNote: "Deny…",
  session: "For this task",
  always: (prefix: string) => `Always: ${prefix}`,
  stop: "Stop",
} as const;

/** The form behind "Deny…". */
export const noteForm = { title: "Deny", label: (name: string) => `Why? ${name} reads this` } as const;

export const approvedBy = (name: string, time: string) => `Approved by ${name} · ${time}`;
export const approvedForTaskBy = (name: string, time: string) => `Approved for this task by ${name} · ${time}`;
export const approvedAlwaysBy = (name: string, time: string, prefix: string) =>
  `Approved by ${name}, from now on always for "${prefix}" · ${time}`;
export const deniedBy = (name: string, time: string) => `Denied by ${name} · ${time}`;
export const stoppedBy = (name: string, time: string) => `Stopped by ${name} · ${time}`;
export const stopped = "Stopped";
export const expired = "Expired";
export const noLongerNeeded = "No longer needed";
export const answeredElsewhere = "Answered elsewhere";
/** On a question whose person wrote a message instead. */
export const wentOn = "Went on with your message";
/** On the copy of a card in another place than the one where it was decided. */
export const answeredIn = (platform: string, name: string, time: string, verdict: string) =>
  `Answered in ${platformName(platform)} by ${name} · ${time} · ${verdict}`;
export const verdicts = {
  approve: "approved",
  approve_session: "approved for this task",
  always: "approved, from now on always",
  deny: "denied",
  stop: "stopped",
} as const;

export const reminder = (name: string) => `${name} is still waiting for your decision.`;

export const done = {
  approve: "Approved.",
  approve_session: "Approved for this task.",
  always: "Approved, and from now on without asking.",
  deny: "Denied.",
  stop: "Stopping.",
} as const;

export const deniedWithNote = (name: string) => `Denied. ${name} gets your note.`;

export const onlyThey = (name: string) => `Only ${name} can do this.`;
export const onlyTheyOr = (name: string, role: string) => `Only ${name} or ${role} can decide this.`;
export const onlyRole = (role: string) => `Only ${role} can decide this.`;
export const roles = {
  owner: "an owner",
  admin: "an owner or admin",
  manager: "a manager",
  member: "a member of the team",
  guest: "someone I know",
} as const;
export const stranger = "I don't know you yet, so I can't take that.";

export const already = {
  approved: (name: string, time: string) => `${name} already approved this at ${time}.`,
  denied: (name: string, time: string) => `${name} already denied this at ${time}.`,
  stopped: (name: string, time: string) => `${name} already stopped this at ${time}.`,
  expired: "This has expired, so nothing was done.",
  closed: "This is no longer needed.",
  used: (name: string, time: string) => `${name} already used this at ${time}.`,
  usedByYou: (time: string) => `You already used this at ${time}.`,
  usedBySomebody: "This was used already.",
} as const;
export const unknown = "This button is no longer active.";

/** What a card is about, for a list: "run npm test". */
export const summary = {
  command: (command: string) => `run ${command}`,
  fileChange: (count: number, first: string) => (count === 1 ? `change ${first}` : `change ${count} files`),
  permissions: "more rights for a task",
  mcpTool: (tool: string, server: string) => `use ${tool} of ${server}`,
  link: (server: string) => `open a page for ${server}`,
} as const;
