/** MCP servers: more tools for teammates. */
export const title = "**MCP servers** give your teammates more tools.";
export const none = "There are none yet.";
export const howToAdd =
  "To add one: /mcp NAME https://host/path, or /mcp NAME command arguments. A key it needs is announced before that, without its value: /mcp NAME TOKEN= command.";
export const moreByName = "The others: /mcp NAME";
export const chooseLabel = "Server";

export const state = {
  unknown: "not tested yet",
  ready: (tools: number) => `● ready, ${tools === 1 ? "1 tool" : `${tools} tools`}`,
  needs_secret: "needs a key",
  needs_sign_in: "needs you to sign in",
  failed: (why: string) => `doesn't work: ${why}`,
  off: "switched off",
} as const;
export const forEveryone = "for everyone";
export const forOne = (name: string) => `for ${name}`;
/** One line of a list. */
export const line = (name: string, how: string, whose: string | null) =>
  `- **${name}** · ${how}${whose === null ? "" : ` · ${whose}`}`;
export const heading = (name: string, how: string) => `**${name}** · ${how}`;
export const runs = (command: string, folder: string) => `Runs ${command} in ${folder}`;
export const tools = (names: readonly string[], more: number) =>
  `Tools: ${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
export const lacksKeys = (names: readonly string[]) => `Still to be set: ${names.join(", ")}`;
/** The usual place of a key over HTTP. */
export const token = "its token";

export const why = {
  no_answer: "nothing answers there",
  bad_answer: "what answers there is no MCP server",
  no_program: "there is no such program",
  program_ended: "the program ended before it was ready",
  too_slow: "it took too long to start",
  no_variable: (name: string) => `Shipmate's environment has no ${name}`,
  no_codex: "Codex could not be reached to test it",
  other: (detail: string | null) => detail ?? "it did not say why",
} as const;

export const connecting = (name: string) => `Connecting to ${name}…`;
export const testing = (name: string) => `Testing ${name}…`;
export const beginning = (name: string) => `Asking ${name} where to sign in…`;
export const stillTesting = "Still testing.";

export const outcome = {
  added: "Saved. Teammates have it from their next turn on.",
  changed: "Changed. Teammates follow from their next turn on.",
  dropped:
    "Its keys were removed, as they would have gone somewhere else now. Set them again if it is the right place.",
  keySet: "The key is set.",
  keyRefused: "The key is set, but the server does not take it.",
  notSaved: (name: string, reason: string) => `${name} was not saved: ${reason}. Put that right and send it again.`,
  notChanged: (name: string, reason: string) => `${name} stays as it was: ${reason}.`,
  notTested: (name: string, reason: string) => `${name} could not be tested: ${reason}.`,
  nameTaken: (name: string) => `There is a server called ${name} already, or one whose name differs in a dash only.`,
  tooMany: "There are 32 servers already. Remove one first.",
  gone: "That server was removed or changed meanwhile. Look at /mcp again.",
  signInOver: "That sign-in didn't work, or took too long. Try again, or set a key instead if the server takes one.",
  removed: (name: string) => `${name} is removed, and its keys with it.`,
} as const;

export const signIn = {
  needed: (name: string) =>
    `${name} wants you to sign in. Open the page, then press Continue. If your browser ends on a page that can't be opened, copy that page's address and paste it here.`,
  open: "Sign in",
  continue: "Continue",
  paste: "Paste address…",
  brought: "Thank you. One moment…",
} as const;

export const removeSure = (name: string) =>
  `Remove ${name}? Its tools go away for all who have it, and its keys are deleted.`;
export const buttons = {
  add: "Add…",
  test: "Test",
  again: "Test again",
  setKey: "Set key…",
  otherKey: "Another key…",
  change: "Change…",
  enable: "Enable",
  disable: "Disable",
  remove: "Remove…",
  removeSure: "Remove",
  keep: "Keep",
  back: "All servers",
} as const;
export const whose = "Who has it";
export const everyone = "Everyone";
export const saved = "Saved.";
export const unknownServer = (name: string) =>
  `There is no server called ${name}. /mcp shows those there are; to add it, write its address or command after the name.`;

/** Titles are at most 24 characters, labels at most 45. */
export const forms = {
  add: { title: "Add a server", label: "NAME https://… or NAME command arguments" },
  change: { title: "Change the server", label: "Address, or command with its arguments" },
  key: { title: "Key", label: "Name of the variable or header it goes in" },
  returned: { title: "Sign in", label: "The address your browser ended on" },
} as const;

export const problems = {
  name_missing: "A server needs a name first: /mcp NAME https://host/path",
  name_letters: "A name has at most 32 small letters, digits, dashes and underscores.",
  name_reserved: "That name is taken by Shipmate itself. Choose another one.",
  empty: "After the name comes an address, or a command with its arguments.",
  quote_open: "A quotation mark is not closed.",
  bad_address: "That is not an address I can use. It begins with http:// or https://.",
  bad_key_name: "That is no name for a key. Over HTTP it is a header's, for a program a variable's.",
  key_in_clear:
    "That looks like a key, and it would stand in this chat and in what I store. Leave it out: write NAME= before the command or address, and set it with Set key….",
  folder_relative: "Say the folder from the root on, such as /srv/tools.",
  too_long: "That is too long.",
} as const;

export const keyPage = {
  title: (server: string) => `A key for ${server}`,
  intro: (server: string, place: string, goesTo: string) =>
    `It is stored sealed and given only to ${server} (${goesTo}), as ${place}. To take it from a variable of Shipmate's own environment instead, write env:NAME; only the owner can.`,
  label: "Key",
  card: (server: string, minutes: number, opensAnywhere: boolean) =>
    `Set the key for ${server} on this page. It works once, for ${minutes} minutes.${opensAnywhere ? "" : " It opens only on the machine Shipmate runs on."}`,
  open: "Set the key",
  taken: "The key is stored. I test it now and tell you in the chat.",
  notAllowed: "Only the owner and admins can set this.",
  onlyOwner: "Only the owner can take a key from Shipmate's environment.",
  notAKey: "A key is one line without special characters.",
} as const;
export const referenceOnlyOwner = "Only the owner can take a key from Shipmate's environment.";

/** In the owner's /status. */
export const statusLine = (name: string, how: string) => `- MCP server ${name}: ${how}. /mcp ${name}`;

/** What a teammate wants, on the card that asks. */
export const wish = {
  add: (name: string) => `Add the MCP server ${name}`,
  change: (name: string) => `Change the MCP server ${name}`,
  remove: (name: string) => `Remove the MCP server ${name}`,
  contacts: (address: string) => `Contacts ${address}`,
  runs: (command: string, folder: string) =>
    `Runs ${command}\nin ${folder}\non this computer, outside every sandbox, whenever a teammate works`,
  ownFolder: "a folder of its own, which teammates cannot write to",
  inWorkspace: "Part of it lies in a teammate's own folder, where teammates can change what it does.",
  keys: (names: readonly string[]) => `Wants keys, which you set afterwards: ${names.join(", ")}`,
  whose: (name: string | null) => (name === null ? "Its tools are for every teammate." : `Its tools are for ${name}.`),
  before: (place: string) => `Until now: ${place}`,
  dropsKeys: "Its keys are removed, as they would go somewhere else.",
  removes: "Its tools go away for all who have it, and its keys are deleted.",
} as const;
