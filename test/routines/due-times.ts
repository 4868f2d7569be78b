import type { Schedule } from "../../src/routines/index.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** In these months no clock of these zones changes: hours they are ahead of UTC. */
export const zones = { UTC: 0, "Europe/Lisbon": 1, "Asia/Kolkata": 5.5, "America/New_York": -4 } as const;
export type TestZone = keyof typeof zones;

/** Every due time in (after, upTo], found by looking at each minute: slow, and easy to believe. */
export function dueTimes(schedule: Schedule, zone: TestZone, after: Date, upTo: Date): number[] {
  const found: number[] = [];
  const first = Math.floor(after.getTime() / minute) * minute + minute;
  for (let at = first; at <= upTo.getTime(); at += minute) if (isDue(schedule, zone, at)) found.push(at);
  return found;
}

function isDue(schedule: Schedule, zone: TestZone, at: number): boolean {
  const local = new Date(at + zones[zone] * 60 * minute);
  const time = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}`;
  const weekday = local.getUTCDay();
  switch (schedule.kind) {
    case "hourly":
      return local.getUTCMinutes() === schedule.minute;
    case "daily":
      return time === schedule.at;
    case "weekdays":
      return time === schedule.at && weekday > 0 && weekday < 6;
    case "weekly":
      return time === schedule.at && schedule.days.includes(names[weekday] as (typeof schedule.days)[number]);
    case "monthly": {
      const isLast = new Date(local.getTime() + day).getUTCDate() === 1;
      const date = local.getUTCDate();
      return time === schedule.at && (date === schedule.day || (isLast && schedule.day > date));
    }
    case "interval": {
      const since = at - Date.parse(schedule.anchor);
      return since >= 0 && since % (schedule.everyMinutes * minute) === 0;
    }
    case "once":
    case "cron":
      throw new Error("what is due once, or by a pattern, has tests of its own");
  }
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
