import type { Person } from "../../people/index.ts";

/** Such as "2 May, 10:22", with the year where it is another one; in the reader's zone, or in UTC and saying so. */
export function whenSaid(at: Date, now: Date, { timezone, locale }: Pick<Person, "timezone" | "locale">): string {
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? {} : ({ year: "numeric" } as const);
  const format = (timeZone: string, language: string) =>
    new Intl.DateTimeFormat(language, {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone,
      ...year,
    }).format(at);
  if (timezone === null) return `${format("UTC", "en-GB")} UTC`;
  try {
    return format(timezone, locale ?? "en-GB");
  } catch {
    // A zone or a language that this runtime does not know.
    return `${format("UTC", "en-GB")} UTC`;
  }
}
