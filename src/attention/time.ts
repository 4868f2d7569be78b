import { inReadersZone } from "../shared/index.ts";

/** The time of day as a person reads it: in their zone, or in UTC and saying so. */
export function timeOfDay(at: Date, timezone: string | null): string {
  return inReadersZone(timezone, (timeZone) =>
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(at),
  );
}
