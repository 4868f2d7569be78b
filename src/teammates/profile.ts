import type { Teammate } from "./teammates.ts";

/** What people may say about a teammate. */
export type Profile = Pick<
  Teammate,
  "name" | "title" | "job" | "autonomy" | "access" | "busyMode" | "model" | "effort" | "notifications" | "picture"
>;

export const profileLimits = { name: 80, title: 120, job: 2_000, model: 100, picture: 2_000 } as const;
export const mostTeammates = 100;

/** How everybody begins, as far as nobody says otherwise. */
export const newcomer = {
  instructions: "",
  autonomy: "ask_consequential",
  access: "workspace",
  busyMode: "steer",
  taskLimit: 4,
  notifications: true,
  model: null,
  effort: null,
  picture: null,
} as const;

export const efforts = ["minimal", "low", "medium", "high", "xhigh"] as const;
/** From the most asking to the least. */
export const autonomies = ["ask_all", "ask_consequential", "autonomous"] as const satisfies Teammate["autonomy"][];
export const accesses = ["workspace", "full"] as const satisfies Teammate["access"][];
export const busyModes = ["steer", "queue"] as const satisfies Teammate["busyMode"][];

/** Why a profile cannot be saved; the catalog has a sentence for each. */
export type ProfileProblem =
  | "name_missing"
  | "name_long"
  | "name_lines"
  | "name_letters"
  | "name_taken"
  | "title_missing"
  | "title_long"
  | "title_lines"
  | "job_missing"
  | "job_long"
  | "model_long"
  | "effort_unknown"
  | "picture_unknown"
  | "too_many"
  | "not_allowed"
  | "never_wider"
  | "last_one"
  | "gone";

/** What is wrong with it by itself, whoever else there is. */
export function problemIn(profile: Partial<Profile>): ProfileProblem | null {
  return (
    nameProblem(profile.name) ??
    titleProblem(profile.title) ??
    jobProblem(profile.job) ??
    modelProblem(profile.model) ??
    effortProblem(profile.effort) ??
    pictureProblem(profile.picture)
  );
}

function nameProblem(name: string | undefined): ProfileProblem | null {
  if (name === undefined) return null;
  if (name.trim() === "") return "name_missing";
  if (name.length > profileLimits.name) return "name_long";
  if (hasLines(name)) return "name_lines";
  return handleOf(name) === "" ? "name_letters" : null;
}

function titleProblem(title: string | undefined): ProfileProblem | null {
  if (title === undefined) return null;
  if (title.trim() === "") return "title_missing";
  if (title.length > profileLimits.title) return "title_long";
  return hasLines(title) ? "title_lines" : null;
}

function jobProblem(job: string | undefined): ProfileProblem | null {
  if (job === undefined) return null;
  if (job.trim() === "") return "job_missing";
  return job.length > profileLimits.job ? "job_long" : null;
}

function modelProblem(model: string | null | undefined): ProfileProblem | null {
  if (model === undefined || model === null) return null;
  return model.length > profileLimits.model || /\s/u.test(model) || model === "" ? "model_long" : null;
}

function effortProblem(effort: string | null | undefined): ProfileProblem | null {
  if (effort === undefined || effort === null) return null;
  return (efforts as readonly string[]).includes(effort) ? null : "effort_unknown";
}

function pictureProblem(picture: string | null | undefined): ProfileProblem | null {
  if (picture === undefined || picture === null) return null;
  return isEmoji(picture) || isPictureAddress(picture) ? null : "picture_unknown";
}

function hasLines(text: string): boolean {
  return /[\r\n\u2028\u2029]/u.test(text);
}

/** Exactly one, however many code points it takes: a flag, a family, a skin tone. */
function isEmoji(text: string): boolean {
  if (text.length > 40) return false;
  const [first, second] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  if (first === undefined || second !== undefined) return false;
  return /^\p{RGI_Emoji}$/v.test(text) || /^\p{Extended_Pictographic}\uFE0F?$/u.test(text);
}

/** The platforms fetch it themselves: only what needs no password and no plain connection. */
function isPictureAddress(text: string): boolean {
  if (text.length > profileLimits.picture || /\s/u.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "https:" && url.username === "" && url.password === "" && url.hostname !== "";
}

const longestHandle = 32;
/** Letters that no decomposition turns into plain ones. */
const folded: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};

/** What people type for a name: "Zoë Łuczak" is `zoe-luczak`. Letters of other scripts stay. Empty where nothing is left. */
export function handleOf(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßæœøđðłþı]/gu, (letter) => folded[letter] ?? letter);
  const cut = letters.replace(/[^\p{L}\p{N}\p{M}]+/gu, "-").slice(0, longestHandle);
  return cut.toWellFormed().replace(/^-+|-+$/gu, "");
}

/** The first of `penny`, `penny-2`, `penny-3` … that is free. */
export function freeHandle(name: string, taken: ReadonlySet<string>): string {
  const wanted = handleOf(name);
  for (let number = 1; ; number++) {
    const ending = number === 1 ? "" : `-${number}`;
    const handle = `${wanted.slice(0, longestHandle - ending.length)}${ending}`;
    if (!taken.has(handle)) return handle;
  }
}
