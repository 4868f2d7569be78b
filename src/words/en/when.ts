/** When a routine is due, and what is wrong with a time. */

type Schedule =
  | { readonly kind: "hourly"; readonly minute: number }
  | { readonly kind: "daily" | "weekdays" | "once"; readonly at: string }
  | { readonly kind: "weekly"; readonly days: readonly (keyof typeof days)[]; readonly at: string }
  | { readonly kind: "monthly"; readonly day: number; readonly at: string }
  | { readonly kind: "interval"; readonly everyMinutes: number }
  | { readonly kind: "cron"; readonly expression: string };

type Problem =
  | { readonly kind: "zone"; readonly zone: string }
  | {
      readonly kind: "cron";
      readonly expression: string;
      readonly problem: { readonly part: "count" } | { readonly part: keyof typeof cronParts; readonly text: string };
    }
  | { readonly kind: "never" | "no_time" }
  | { readonly kind: "too_often"; readonly minutes: number; readonly least: number }
  | { readonly kind: "too_rare"; readonly days: number }
  | { readonly kind: "past" | "no_such_date"; readonly at: string }
  | { readonly kind: "anchor"; readonly anchor: string };

const days = {
  mon: "Mondays",
  tue: "Tuesdays",
  wed: "Wednesdays",
  thu: "Thursdays",
  fri: "Fridays",
  sat: "Saturdays",
  sun: "Sundays",
} as const;

const cronParts = {
  minute: "minute (0-59)",
  hour: "hour (0-23)",
  day: "day of the month (1-31)",
  month: "month (1-12)",
  weekday: "weekday (0-6, Sunday is 0)",
} as const;

/** Such as "weekdays 08:30", in one line, without the zone. The zone is for times that are kept in UTC. */
export const schedule = (of: Schedule, zone: string): string => {
  switch (of.kind) {
    case "hourly":
      return `every hour at :${String(of.minute).padStart(2, "0")}`;
    case "daily":
      return `every day ${of.at}`;
    case "weekdays":
      return `weekdays ${of.at}`;
    case "weekly":
      return `${weekly(of.days)} ${of.at}`;
    case "monthly":
      return `${monthly(of.day)} ${of.at}`;
    case "interval":
      return `every ${amount(of.everyMinutes)}`;
    case "cron":
      return code(of.expression);
    case "once":
      return `once, ${moment(of.at, zone)}`;
  }
};

export const problem = (of: Problem): string => {
  switch (of.kind) {
    case "zone":
      return `I don't know the time zone ${code(of.zone)}. Name a city's, such as Europe/Lisbon.`;
    case "cron":
      return of.problem.part === "count"
        ? `${code(of.expression)} needs five parts: minute, hour, day, month, weekday.`
        : `In ${code(of.expression)} I can't read ${code(of.problem.text)} as the ${cronParts[of.problem.part]}.`;
    case "never":
      return "That day never comes. Choose another one.";
    case "no_time":
      return "I miss the time of day. Add it, such as “at 9:00”.";
    case "too_often":
      return of.minutes < 1
        ? `That is too often. Leave at least ${of.least} minutes between two times.`
        : `Two times would be ${amount(of.minutes, true)} apart. Leave at least ${of.least} minutes.`;
    case "too_rare":
      return `That is too far apart. Choose at most ${of.days} days.`;
    case "past":
      return `${moment(of.at, "UTC")} is over. Choose a time that is still to come.`;
    case "no_such_date":
      return `${code(of.at.replace("T", " "))} is in no calendar. Choose another day.`;
    case "anchor":
      return `I can't read ${code(of.anchor)} as a moment to count from. Write it like 2026-12-04T09:00Z.`;
  }
};

/** Where the clocks leave out the time that was asked for: local times, 2026-03-29T02:30. */
export const moved = (wanted: string, runs: string) => {
  const sameDay = wanted.slice(0, 10) === runs.slice(0, 10);
  return `${wanted.slice(11, 16)} does not exist on ${date(wanted)}; it runs ${sameDay ? "" : `on ${date(runs)} `}at ${runs.slice(11, 16)}`;
};

function weekly(names: readonly (keyof typeof days)[]): string {
  if (names.length === 7) return "every day";
  const inOrder = (Object.keys(days) as (keyof typeof days)[]).filter((name) => names.includes(name));
  const [only] = inOrder;
  if (inOrder.length === 1 && only !== undefined) return days[only];
  return new Intl.ListFormat("en-GB").format(inOrder.map((name) => days[name].slice(0, 3)));
}

function monthly(day: number): string {
  if (day === 31) return "the last day of the month";
  const nth = `the ${day}${/^[^1]?[123]$/.test(String(day)) ? ["st", "nd", "rd"][(day % 10) - 1] : "th"} of the month`;
  return day < 29 ? nth : `${nth} (the last day of shorter months)`;
}

function amount(minutes: number, counted = false): string {
  const [size, unit] =
    minutes % 1440 === 0 && minutes > 1440 ? [1440, "day"] : minutes % 60 === 0 ? [60, "hour"] : [1, "minute"];
  const count = minutes / size;
  return count === 1 ? (counted ? `1 ${unit}` : unit) : `${count} ${unit}s`;
}

/** A local time, or one in UTC (with Z) as the zone's clocks show it. */
function moment(at: string, zone: string): string {
  const [instant, timeZone] = at.endsWith("Z") ? [at, zone] : [`${at}Z`, "UTC"];
  const parts = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const when = new Date(instant);
  const day = new Intl.DateTimeFormat("en-GB", { ...parts, timeZone }).format(when).replaceAll(",", "");
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(when);
  return `${day} ${time}`;
}

function date(local: string): string {
  const parts = { day: "numeric", month: "long", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat("en-GB", parts).format(new Date(`${local.slice(0, 10)}T00:00Z`));
}

/** What somebody wrote, as it stands. */
function code(text: string): string {
  const line = text.replaceAll("`", "'").replace(/\s+/g, " ");
  return `\`${line.length > 60 ? `${line.slice(0, 59)}…` : line}\``;
}
