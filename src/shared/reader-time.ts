/** Whether this runtime can tell the time there; what a platform reports may be anything. */
export function knownZone(timezone: string | null): string | undefined {
  if (timezone === null) return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: timezone });
    return timezone;
  } catch {
    return undefined;
  }
}

/** The reader's language for dates; English where there is none or it is no language. */
export function dateLanguage(locale: string | null): string {
  if (locale === null) return "en-GB";
  try {
    new Intl.DateTimeFormat(locale);
    return locale;
  } catch {
    return "en-GB";
  }
}

/** A moment as `write` puts it in a zone: the reader's, or UTC and saying so. */
export function inReadersZone(timezone: string | null, write: (zone: string) => string): string {
  const zone = knownZone(timezone);
  return zone === undefined ? `${write("UTC")} UTC` : write(zone);
}

/** Hours and minutes in the reader's zone, or in UTC and saying so; with the day where it is not today. */
export function clockTime(at: Date, now: Date, timezone: string | null, locale: string | null): string {
  return inReadersZone(timezone, (timeZone) => {
    const day = (date: Date) => new Intl.DateTimeFormat("en-CA", { timeZone }).format(date);
    return new Intl.DateTimeFormat(dateLanguage(locale), {
      timeZone,
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      ...(day(at) === day(now) ? {} : { weekday: "short", day: "numeric", month: "short" }),
    }).format(at);
  });
}
