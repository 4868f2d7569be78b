import { dateLanguage, inReadersZone } from "../shared/index.ts";
import type { Words } from "../words/index.ts";
import { nextDue, type Schedule } from "./schedule.ts";

export interface Reader {
  readonly timezone: string | null;
  readonly locale: string | null;
}

/** The next times a schedule is due, at most so many. */
export function nextTimes(schedule: Schedule, zone: string, now: Date, count: number): readonly Date[] {
  const times: Date[] = [];
  for (let after = now; times.length < count; ) {
    const due = nextDue(schedule, zone, after);
    if (due === undefined) break;
    times.push(due);
    after = due;
  }
  return times;
}

/** Schedules that say at what time of day they are due: the days alone tell the rest. */
const namesTime: ReadonlySet<Schedule["kind"]> = new Set(["daily", "weekdays", "weekly", "monthly"]);

/** Such as "Tue 1, Wed 2, Thu 3 Dec", or with times where the schedule does not say them: "Tue 1 Dec 10:00, 12:00, 14:00". In that zone. */
export function timesText(schedule: Schedule, zone: string, times: readonly Date[], locale: string | null): string {
  const days = Map.groupBy(times, (time) => write(time, zone, "en-CA", { dateStyle: "short" }));
  const language = dateLanguage(locale);
  const named = [...days.values()].map((dues, index, all) => {
    const [first, next] = [dues[0], all[index + 1]?.[0]];
    if (first === undefined) return "";
    const month = (date: Date) => write(date, zone, "en-CA", { month: "short", year: "numeric" });
    const goesOn = namesTime.has(schedule.kind) && next !== undefined && month(next) === month(first);
    const day = dayText(first, zone, language, !goesOn);
    if (namesTime.has(schedule.kind)) return day;
    return `${day} ${dues.map((due) => clock(due, zone, language)).join(", ")}`;
  });
  return named.join(", ");
}

/** Such as "tomorrow 08:30" or "Tue 8 Dec 08:30"; in the reader's zone, or in UTC and saying so. */
export function momentText(at: Date, now: Date, { timezone, locale }: Reader, { days }: Words["routines"]): string {
  return inReadersZone(timezone, (zone) => {
    const language = dateLanguage(locale);
    const apart = dayNumber(at, zone) - dayNumber(now, zone);
    const near = { [-1]: days.yesterday, 0: days.today, 1: days.tomorrow }[apart];
    return `${near ?? dayText(at, zone, language, true)} ${clock(at, zone, language)}`;
  });
}

/** The last part of an IANA name: "Europe/Lisbon" is "Lisbon". */
export function zoneName(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

/** Put together here: languages differ in order and commas, and a list of days needs one of them. */
function dayText(at: Date, zone: string, language: string, withMonth: boolean): string {
  const part = (options: Intl.DateTimeFormatOptions) => write(at, zone, language, options);
  const parts = [
    part({ weekday: "short" }),
    part({ day: "numeric" }),
    ...(withMonth ? [part({ month: "short" })] : []),
  ];
  return parts.join(" ");
}

function clock(at: Date, zone: string, language: string): string {
  return write(at, zone, language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

function dayNumber(at: Date, zone: string): number {
  return (
    Date.parse(`${write(at, zone, "en-CA", { year: "numeric", month: "2-digit", day: "2-digit" })}T00:00Z`) / 86_400_000
  );
}

function write(at: Date, timeZone: string, language: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, { timeZone, ...options }).format(at);
}
