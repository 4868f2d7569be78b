import { plain } from "../chat/index.ts";
import type { Mailbox } from "../mailbox/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { People } from "../people/index.ts";
import type { Places } from "../places/index.ts";
import { createRoutines, type Routine, type Routines } from "../routines/index.ts";
import type { RunControl } from "../runs/index.ts";
import { type Clock, type Log, newId } from "../shared/index.ts";
import type { Queues, Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";

export interface RoutineParts {
  readonly queues: Pick<Queues, "add">;
  readonly mailbox: Pick<Mailbox, "deliver" | "cancelLane">;
  readonly runs: Pick<RunControl, "stopLane">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly people: Pick<People, "get" | "dmOf" | "owners">;
  readonly places: Pick<Places, "get">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Gives the routines room what lies above it. */
export function wireRoutines(parts: RoutineParts): Routines {
  const { queues, mailbox, runs, clock, log } = parts;
  return createRoutines({
    clock,
    log,
    queues,
    deliver: mailbox.deliver,
    cancelLane: mailbox.cancelLane,
    stopLane: runs.stopLane,
    tellAuthor: (unit, routine) => tellOfItsEnd(parts, unit, routine),
  });
}

/** Once for each end, since it ended in this transaction. */
async function tellOfItsEnd(parts: RoutineParts, unit: Unit, routine: Routine): Promise<void> {
  const { outbox } = parts;
  const reader = await readerOf(parts, unit, routine);
  if (reader === undefined) return;
  const { ended } = wordsFor(reader.locale).reports;
  const { name, teammateName } = routine;
  const because = routine.stoppedBecause === "place" ? "place" : "author";
  await outbox.enqueue(unit, {
    op: "post",
    post: { text: ended[because](plain(name), plain(teammateName)), notify: true },
    to: reader.to,
    purpose: "notice",
    lane: `routine:${routine.id}:ended`,
    dedupKey: `routine:${routine.id}:ended:${newId()}`,
  });
}

/** Its author in private, or else where it was made; the owner where its author is gone, or can't be reached. */
async function readerOf({ people, places }: RoutineParts, { db }: Unit, { author, home, stoppedBecause }: Routine) {
  if (author !== null && stoppedBecause !== "author") {
    const person = await people.get(db, author.id);
    const to = await people.dmOf(db, author.id);
    if (to !== null) return { to, locale: person?.locale };
    const place = await places.get(db, home.placeId);
    if (place && place.archivedAt === null) {
      const { connectionId, channel, kind: placeKind } = place;
      const address = { channel, thread: home.thread === "" ? undefined : home.thread };
      return { to: { connectionId, address, placeKind }, locale: person?.locale };
    }
  }
  const [owner] = await people.owners(db);
  const to = owner && (await people.dmOf(db, owner.id));
  return to ? { to, locale: owner?.locale } : undefined;
}
