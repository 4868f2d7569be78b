import type { Person } from "../../people/index.ts";
import { dateLanguage, inReadersZone } from "../../shared/index.ts";

/** Such as "2 May, 10:22", with the year where it is another one; in the reader's zone, or in UTC and saying so. */
export function whenSaid(at: Date, now: Date, { timezone, locale }: Pick<Person, "timezone" | "locale">): string {
  const year = at.getUTCFullYear() === now.getUTCFullYear() ? {} : ({ year: "numeric" } as const);
  return inReadersZone(timezone, (timeZone) =>
    new Intl.DateTimeFormat(dateLanguage(locale), {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone,
      ...year,
    }).format(at),
  );
}
