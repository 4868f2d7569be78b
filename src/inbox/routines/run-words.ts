import { clip } from "../../chat/index.ts";
import { momentText, type Routine, type RoutineRun } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";

const longestReason = 120;

/** A moment as whoever looks reads it: in their zone, or else in the routine's. */
export function momentFor(
  { deps, person, words }: PersonScene,
  { timezone }: Pick<Routine, "timezone">,
  at: Date,
): string {
  const reader = { timezone: person.timezone ?? timezone, locale: person.locale };
  return momentText(at, deps.clock.now(), reader, words.routines);
}

/** When it is due next, or why it is not. */
export function stateText(scene: PersonScene, routine: Routine): string {
  const { routines: words } = scene.words;
  if (routine.stoppedBecause !== null) return words.stopped[routine.stoppedBecause];
  if (!routine.active) return words.paused;
  if (routine.nextDueAt !== null) return words.next(momentFor(scene, routine, routine.nextDueAt));
  return routine.trigger.kind === "webhook" ? words.waitsForCall : words.notDue;
}

/** What became of a run, in a few words. */
export function runText(scene: PersonScene, routine: Routine, run: RoutineRun): string {
  const words = scene.words.routines.run;
  const at = momentFor(scene, routine, run.scheduledFor);
  switch (run.status) {
    case "queued":
      return words.queued;
    case "running":
      return words.running;
    case "needs_attention": {
      const isTheirs = routine.author?.id === scene.person.id;
      return words.needs_attention(isTheirs ? scene.words.routines.you : routine.author && plain(routine.author.name));
    }
    case "succeeded":
      return run.quiet ? words.quiet(at) : words.succeeded(at);
    case "failed":
      return words.failed(at, failureText(run));
    case "interrupted":
      return words.interrupted(at);
    case "cancelled":
      return words.cancelled(at);
    case "skipped":
      return words.skipped(at, skipText(scene, run));
  }
}

function skipText({ words }: PersonScene, { skippedBecause }: RoutineRun): string {
  return words.routines.skips[skippedBecause ?? "missed"];
}

/** In the teammate's words; what is only a code says nothing to people. */
function failureText({ failure }: RoutineRun): string | null {
  if (failure === null || /^[a-z]+(?:[_-][a-z]+)*$/u.test(failure)) return null;
  return plain(clip(failure, longestReason));
}

export function isUnderWay(run: RoutineRun | undefined): run is RoutineRun {
  return run?.status === "running" || run?.status === "needs_attention";
}
