import type { Routine, RoutineRun } from "../routines/index.ts";
import { wordsFor } from "../words/index.ts";
import { type Asking, knownRoutines } from "./routine-asking.ts";
import { whereOf } from "./routine-places.ts";

/** One line each, without ids: a name is enough to speak of one. */
export async function describeRoutines(asking: Asking): Promise<string> {
  const { rooms } = asking;
  const known = await knownRoutines(asking);
  if (known.length === 0) return "You have no routines here.";
  const lines = known.map(async (routine) => {
    const [last] = await rooms.routines.runs(rooms.db, routine.id, 1);
    return lineOf(asking, routine, last);
  });
  return (await Promise.all(lines)).join("\n");
}

function lineOf({ places, person }: Asking, routine: Routine, last: RoutineRun | undefined): string {
  const { name, kind, trigger, timezone, author, active, stoppedBecause, nextDueAt } = routine;
  return JSON.stringify({
    name,
    when:
      trigger.kind === "webhook"
        ? "when called from outside"
        : wordsFor(null).when.schedule(trigger.schedule, timezone),
    zone: timezone,
    next: nextText(routine),
    last: last === undefined ? "never ran" : outcomeOf(last),
    where: whereOf(routine, places),
    ...(kind === "check_in" && { check_in: true }),
    ...(author !== null && author.id !== person.id && { of: author.name }),
    ...(!active && nextDueAt === null && stoppedBecause !== null && { stopped: stopped[stoppedBecause] }),
  });
}

const stopped = {
  author: "its author may not have it any more",
  place: "its place is gone",
  over: "it was due for the last time",
} as const;

function nextText({ active, nextDueAt, timezone, trigger }: Routine): string {
  if (!active) return "paused";
  if (nextDueAt === null) return trigger.kind === "webhook" ? "with the next call" : "never again";
  return localText(nextDueAt, timezone);
}

/** 2026-12-04 09:00, in the routine's zone. */
function localText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);
}

function outcomeOf({ status, quiet, failure, skippedBecause, scheduledFor }: RoutineRun): string {
  const at = scheduledFor.toISOString().slice(0, 16);
  const why = failure ?? skippedBecause;
  return `${at}Z ${quiet ? "nothing new" : status}${why === null ? "" : `: ${why}`}`;
}
