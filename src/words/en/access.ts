import { duration } from "./time.ts";

/** Who pays for the model, signing in, keys, and which model answers. */
type Payer = "plan" | "api_key";
type Cause = "usage_limit" | "overloaded" | "unreachable" | "model_not_found" | "key_rejected";

export const payers = { plan: "the plan", api_key: "the API key" } as const satisfies Record<Payer, string>;

/** Beneath a message that waits for the plan. */
export const useKey = "Use the API key";
export const setKey = "Set an API key";
export const limitNews = (payer: Payer, resetsAt: string | null) =>
  payer === "plan"
    ? `The plan's limit is reached${resetsAt === null ? "" : `; it resets at ${resetsAt}`}. /login shows who pays, and what else can.`
    : "What the API key may spend is used up. /login shows who pays, and what else can.";
export const rejectedNews = (payer: Payer) =>
  payer === "plan"
    ? "The plan's sign-in is no longer accepted. Send /login to sign in again."
    : "The model's provider did not accept the API key. Send /login to set a new one.";
export const keyPaysBy = (name: string) => `The API key pays · chosen by ${name}`;
export const keyPaysAlready = "The API key pays already.";
export const planIsBack = "The plan can be used again, so it pays.";
export const noKeyAnyMore = "No API key is set any more. /login sets one.";
export const cancelledBy = (name: string) => `Cancelled by ${name}`;
export const cancelled = "Taken out of the line.";

/** `/login`. */
export const title = "**Who pays for the model**";
export const planLine = {
  none: "- **Plan:** not signed in",
  ready: (label: string | null, used: readonly string[]) =>
    `- **Plan:** signed in${label === null ? "" : ` (${label})`}${used.map((each) => ` · ${each}`).join("")}`,
  limited: (until: string | null) =>
    `- **Plan:** its limit is reached${until === null ? "" : `; it resets at ${until}`}`,
  invalid: "- **Plan:** the sign-in is no longer accepted",
} as const;
export const used = (percent: number, minutes: number | null) =>
  minutes === null
    ? `${Math.round(percent)} % used`
    : `${Math.round(percent)} % of ${minutes >= 2880 ? `${Math.round(minutes / 1440)} days` : duration(minutes * 60_000)} used`;
export const keyLine = {
  none: "- **API key:** none",
  environment: "- **API key:** set as OPENAI_API_KEY",
  form: "- **API key:** set here",
  limited: "- **API key:** what it may spend is used up",
  invalid: "- **API key:** not accepted by the provider",
} as const;
export const nobodyPays = "Nobody pays yet, so nobody can answer. Sign in with a plan, or use an API key.";
export const paysNow = (payer: Payer, chosen: boolean) => `Now: ${payers[payer]} pays${chosen ? ", as chosen" : ""}.`;
export const paysInstead = (payer: Payer, instead: Payer) =>
  `Now: ${payers[payer]} pays, until ${payers[instead]} can be used again.`;
export const paysNot = (payer: Payer) => `Now: nobody pays, since ${payers[payer]} cannot be used.`;
export const endpoint =
  "Model requests go to the endpoint in OPENAI_BASE_URL. Its key is OPENAI_API_KEY: set both in the environment or in .env, and start Shipmate again.";
export const whoPays = "Who pays";
export const automatic = "Whoever can; the plan first";
export const onlyPayer = { plan: "The plan", api_key: "The API key" } as const satisfies Record<Payer, string>;
export const signIn = "Sign in with a plan";
export const signOut = "Sign out";
export const anotherKey = "Set another key";
export const forgetKey = "Forget the key";
export const saved = "Saved.";
export const keyForgotten = "The key is forgotten.";
export const noKeyHere = "No key was set here.";

/** Signing in by a code. */
export const cancel = "Cancel";
export const askingForCode = "Asking for a sign-in code…";
export const openPage = "Open the sign-in page";
export const codeCard = (code: string) =>
  `**Sign in with a plan**\n\nOpen the page and enter this code. It works for 15 minutes.\n\n\`${code}\`\n\nEnter it only on the page this button opens.`;
export const signedIn = "Signed in.";
export const planPays = (label: string | null) =>
  `You are signed in${label === null ? "" : ` (${label})`}. Teammates can think again; /login shows who pays.`;
export const signInFailed = {
  unreachable:
    "The sign-in service cannot be reached from Codex's machine right now. Try /login again later, or use an API key.",
  refused: "The sign-in was not completed. Send /login to try again.",
  late: "The code ran out before it was used. Send /login for a new one.",
  restarted: "Codex restarted before the sign-in was completed. Send /login to try again.",
  unanswered: "Codex did not answer. Send /login to try again.",
} as const;
export const signInCancelled = "Sign-in cancelled.";
export const signInOpen = "A sign-in is under way already. Cancel it first, or finish it.";
export const signingOut = "Signing out…";
export const signedOut = "Signed out. The plan pays for nothing any more.";
export const signInOver = "That sign-in is over.";

/** The key's page. */
export const keyPage = {
  title: "API key",
  intro: "The key that pays for the model. It is stored encrypted and never shown again.",
  label: "API key (begins with sk-)",
} as const;
export const openKeyPage = "Open the page";
export const keyCard = (minutes: number, opensAnywhere: boolean) =>
  `Write the key on this page, never in a chat. It opens once, for ${minutes} minutes.${opensAnywhere ? "" : " It opens only on the machine Shipmate runs on; SHIPMATE_PUBLIC_URL makes it open elsewhere."}`;
export const keyInPrivate = "I sent you the page in a direct message.";
export const writeFirst = "Send me /login in a direct message: the page for the key is yours alone.";
export const notAKey = "That is no API key: it begins with sk- and has no spaces.";
export const keyTaken = "The key is stored. You can close this page.";
export const keySet = "The API key is set.";
export const notAllowedAnyMore = "Only the owner and admins set the key.";
export const pastedKey =
  "That looks like an API key. I did not keep it, but it stands in this chat: delete the message, and better make a new key. To use one, send /login in a direct message.";
export const pastedKeyOfOther =
  "That looks like an API key. I did not keep it, but it stands in this chat: delete the message, and better make a new key.";

/** `/model`. */
export const modelCard = (name: string) => `**${name}'s model**`;
export const answersWith = (model: string, why: string) => `- **Answers with:** ${model}, ${why}`;
export const codexChoice = "Codex's own choice";
export const why = {
  own: "its own",
  usual: "the usual one",
  backup: (from: string | null, cause: Cause, until: string | null) =>
    `a backup for ${from ?? "the usual model"} since ${causes[cause]}; ${until === null ? "it stays so until somebody changes it back" : `until ${until}`}`,
} as const;
export const causes = {
  usage_limit: "the limit was reached",
  overloaded: "it had too much to do",
  unreachable: "it could not be reached",
  model_not_found: "the provider did not know it",
  key_rejected: "the provider did not accept who pays",
} as const satisfies Record<Cause, string>;
export const movedNote = (from: string | null, cause: Cause) =>
  `instead of ${from ?? "the usual model"}: ${causes[cause]}`;
export const effortLine = (effort: string) => `- **Effort:** ${effort}`;
export const backupsLine = (names: readonly string[]) =>
  `- **Backups:** ${names.length === 0 ? "none" : names.join(", then ")}`;
export const backupName = (model: string, payer: Payer | null) =>
  payer === null ? model : `${model} (${payers[payer]} pays)`;
export const payerLine = (payer: Payer) => `- **Paid by:** ${payers[payer]}`;
export const payerEndpoint = "- **Paid by:** the endpoint in OPENAI_BASE_URL";
export const payerNone = "- **Paid by:** nobody. /login changes that.";
export const modelViews = { facts: "Back", model: "Model", effort: "Effort", backups: "Backups" } as const;
export const asBackup = (name: string) => `Backup: ${name}`;
export const modelSelect = "Model";
export const effortSelect = "Effort";
export const backupSelect = "Add a backup";
export const usual = "Usual";
export const usualIs = (name: string) => `Usual (${name})`;
export const onKey = (model: string) => `${model}, paid by the API key`;
export const removeBackup = (model: string) => `Remove ${model}`;
export const goBack = "Back to its own model";
export const whichTeammate = (names: readonly string[]) =>
  `Whose model? ${names.map((name) => `/model ${name}`).join(" · ")}`;
export const tooManyBackups = (most: number) => `At most ${most} backups.`;
