/** What was used: /usage and its picture. */

/** Such as 812, 12.4k, 1.2M, 3B, 1.1T. */
export const tokens = (count: number): string => {
  let value = count;
  for (const unit of ["", "k", "M", "B", "T"]) {
    const shown = value >= 100 || unit === "" ? Math.round(value) : Math.round(value * 10) / 10;
    if (shown < 1000 || unit === "T") return `${shown}${unit}`;
    value /= 1000;
  }
  return String(count);
};
const tasks = (count: number) => (count === 1 ? "1 task" : `${count} tasks`);

export const title = { today: "Usage · today", week: "Usage · last 7 days", month: "Usage · last 30 days" } as const;
export const yourTitle = {
  today: "Your usage · today",
  week: "Your usage · last 7 days",
  month: "Your usage · last 30 days",
} as const;
export const plan = (count: string, runs: number) => `Plan: **${count}** tokens, ${tasks(runs)}`;
export const key = (count: string, runs: number) => `API key: **${count}** tokens, ${tasks(runs)}`;
export const readAndWritten = (read: string, cached: number, written: string) =>
  `${read} read (${cached} % of it from the cache), ${written} written`;
export const teammates = "Teammates";
export const people = "People";
export const line = (name: string, count: string) => `- ${name} · ${count}`;
/** Where a line was paid in both ways, or with a key while the plan paid elsewhere. */
export const lineOfBoth = (name: string, plan: string, key: string) => `- ${name} · ${plan} plan, ${key} key`;
export const lineOfKey = (name: string, key: string) => `- ${name} · ${key} key`;
export const others = (count: number) => (count === 1 ? "1 other" : `${count} others`);
export const unasked = "without being asked";
export const planLimits = "Plan limits";

const bar = (percent: number): string => {
  const full = percent <= 0 ? 0 : percent >= 100 ? 10 : Math.min(9, Math.max(1, Math.round(percent / 10)));
  return "▓".repeat(full) + "░".repeat(10 - full);
};
export const window = (name: string, percent: number, resets: string | undefined) =>
  `${name} \`${bar(percent)}\` ${Math.floor(percent)} % used${resets === undefined ? "" : ` · resets ${resets}`}`;
export const windowName = (minutes: number | null): string => {
  if (minutes === null) return "Limit";
  if (minutes === 7 * 24 * 60) return "Week";
  if (minutes % (24 * 60) === 0) return minutes === 24 * 60 ? "Day" : `${minutes / (24 * 60)} days`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
};

export const nothing = {
  today: "Nothing was used today.",
  week: "Nothing was used in the last 7 days.",
  month: "Nothing was used in the last 30 days.",
} as const;
export const nothingOfYours = {
  today: "You asked for nothing today that used a model.",
  week: "You asked for nothing in the last 7 days that used a model.",
  month: "You asked for nothing in the last 30 days that used a model.",
} as const;
export const unknownPeriod = "I can add up today, week or month: /usage week, for example.";
export const periods = { today: "Today", week: "Week", month: "Month" } as const;
export const asPicture = "As a picture";
export const drawn = "Here it is as a picture.";

export const picture = {
  file: { today: "usage-today.png", week: "usage-7-days.png", month: "usage-30-days.png" },
  total: (count: string) => `${count} tokens`,
  plan: (count: string) => `Plan ${count}`,
  key: (count: string) => `API key ${count}`,
  byTeammate: "By teammate",
  byStep: { today: "By hour", week: "By day", month: "By day" },
  most: (count: string) => `at most ${count}`,
  /** Beneath the picture, and for those who don't see it. */
  caption: (title: string, total: string, parts: readonly string[]) =>
    parts.length === 0 ? `${title}: nothing was used.` : `${title}: ${total} tokens. ${parts.join(", ")}.`,
  part: (name: string, count: string) => `${name} ${count}`,
} as const;
