import { allows, type Person } from "../people/index.ts";
import { type Clock, hashToken, newToken, redact } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import * as store from "./calendar.store.ts";
import { calendarEvents, type Placed } from "./calendar-events.ts";
import { calendarFile } from "./calendar-file.ts";
import { type NamedPlace, namedPlaces } from "./face-places.store.ts";
import type { Routines } from "./routines.ts";
import type { Routine } from "./types.ts";

/** Calendars of when routines are due, each by an address of its person's own. None is there until somebody wants one. */
export interface Calendars {
  isOn(db: Db, personId: string): Promise<boolean>;
  /** A new address, of which only a hash is kept; the one before ends at once. */
  renew(unit: Unit, personId: string): Promise<{ readonly url: string; readonly opensAnywhere: boolean }>;
  /** False where there was none. */
  turnOff(unit: Unit, personId: string): Promise<boolean>;
  /**
   * The next 30 days as an iCalendar file, of one teammate where named; undefined for an address that is none. Managers see every
   * routine, others their own and those of places they share.
   */
  file(db: Db, token: string, teammate?: string): Promise<string | undefined>;
}

export interface CalendarsDeps {
  readonly routines: Pick<Routines, "list">;
  /** Where we are found from outside, without a slash at its end, and whether other machines reach it. */
  readonly address: () => { readonly base: string; readonly opensAnywhere: boolean };
  readonly clock: Clock;
}

export function createCalendars({ routines, address, clock }: CalendarsDeps): Calendars {
  return {
    isOn: store.hasFeed,
    async renew({ db }, personId) {
      const token = newToken();
      await store.saveFeed(db, personId, hashToken(token), clock.now());
      const { base, opensAnywhere } = address();
      return { url: `${base}/calendar/${token}.ics`, opensAnywhere };
    },
    turnOff: ({ db }, personId) => store.deleteFeed(db, personId),
    async file(db, token, teammate) {
      const person = await store.readerOf(db, hashToken(token));
      if (person === undefined || !allows(person.role, "member")) return undefined;
      const shown = await shownTo(db, person, await routines.list(db), teammate);
      const words = wordsFor(person.locale).outside.calendar;
      return calendarFile(words.name, calendarEvents(shown, clock.now(), person.locale));
    },
  };
}

async function shownTo(db: Db, person: Person, all: readonly Routine[], teammate?: string): Promise<Placed[]> {
  const atWork = await store.namesAtWork(db);
  const wanted = teammate?.trim().toLowerCase();
  const due = all.filter(({ active, teammateId }) => {
    const names = atWork.get(teammateId);
    return active && names !== undefined && (wanted === undefined || names.includes(wanted));
  });
  const placesOf = ({ home, destinations }: Routine) =>
    destinations.length === 0 ? [home.placeId] : destinations.map(({ placeId }) => placeId);
  const ids = due.flatMap((routine) => [routine.home.placeId, ...placesOf(routine)]);
  const names = await namedPlaces(db, ids);
  const seesAll = allows(person.role, "manager");
  const shared = seesAll ? new Set<string>() : await store.placesShared(db, person, ids);
  // Who knows of a routine by one place need not know of its others.
  const known = (routine: Routine, placeIds: readonly string[]) =>
    seesAll || routine.author?.id === person.id ? placeIds : placeIds.filter((placeId) => shared.has(placeId));
  return due.flatMap((routine) => {
    if (known(routine, [routine.home.placeId, ...placesOf(routine)]).length === 0) return [];
    const where = known(routine, placesOf(routine)).map((placeId) => placeName(names.get(placeId), person));
    return [{ routine: { ...routine, name: redact(routine.name) }, where: [...new Set(where)].join(", ") }];
  });
}

function placeName(place: NamedPlace | undefined, person: Person): string {
  const words = wordsFor(person.locale).outside.calendar;
  if (place === undefined) return words.unknownPlace;
  if (place.kind === "dm") return place.person === null ? words.unknownPlace : words.privateChat(place.person);
  return place.title ?? words.unknownPlace;
}
