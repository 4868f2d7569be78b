/** The time of day as a person reads it: in their zone, or in UTC and saying so. */
export function timeOfDay(at: Date, timezone: string | null): string {
  if (timezone === null) return `${inZone(at, "UTC")} UTC`;
  try {
    return inZone(at, timezone);
  } catch {
    // A zone that this runtime does not know.
    return `${inZone(at, "UTC")} UTC`;
  }
}

function inZone(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(at);
}
