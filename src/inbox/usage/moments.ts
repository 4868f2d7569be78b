import { inReadersZone } from "../../shared/index.ts";

const dayMs = 24 * 60 * 60_000;

/** A moment to come, as short as it is clear: "15:55", "Thu 15:55" or "12 Dec"; in the reader's zone, or in UTC and saying so. */
export function momentOf(at: Date, now: Date, timezone: string | null): string {
  return inReadersZone(timezone, (zone) => inZone(at, now, zone));
}

function inZone(at: Date, now: Date, timeZone: string): string {
  const format = (parts: Intl.DateTimeFormatOptions, moment = at) =>
    new Intl.DateTimeFormat("en-GB", { ...parts, timeZone }).format(moment);
  const day = { day: "numeric", month: "short" } as const;
  const time = format({ hour: "2-digit", minute: "2-digit" });
  if (format(day) === format(day, now)) return time;
  if (at.getTime() - now.getTime() < 6 * dayMs) return `${format({ weekday: "short" })} ${time}`;
  return format(day);
}
