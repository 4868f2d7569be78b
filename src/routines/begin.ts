import { allows } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import type { RoutineSkip, Unit } from "../storage/index.ts";
import type * as routines from "./routines.store.ts";
import type { RoutinesDeps } from "./routines.ts";
import * as runs from "./runs.store.ts";
import * as saving from "./save.store.ts";

type BeginDeps = Pick<RoutinesDeps, "clock" | "deliver" | "tellAuthor">;

export interface Begin extends Omit<runs.NewRun, "id"> {
  /** Not begun before. */
  readonly readyAt?: Date | undefined;
  /** A second run with the same key is the first one; its own id where none is given. */
  readonly key?: string | undefined;
}

/**
 * Puts a run into the line of its routine, which the caller holds: row, message and delivery in the caller's transaction.
 * Undefined where there is a run for that moment already.
 */
export async function begin(
  deps: BeginDeps,
  unit: Unit,
  routine: routines.StoredRoutine,
  { readyAt, key, ...run }: Begin,
): Promise<string | undefined> {
  const id = newId();
  const messageId = await runs.addRun(unit.db, routine, { id, ...run }, deps.clock.now());
  if (messageId === undefined) return undefined;
  const { deliveryId } = await deps.deliver(unit, {
    messageId,
    teammateId: routine.teammateId,
    conversationId: routine.conversationId,
    requesterPersonId: routine.author?.id ?? null,
    trigger: "routine",
    idempotencyKey: key ?? `routine:${id}`,
    readyAt,
  });
  await runs.setDelivery(unit.db, id, deliveryId);
  return id;
}

/** Why a routine cannot run any more as it is: nobody may ask for it, or its reports could go nowhere. */
export function endOf({
  authorRole,
  hasPlace,
}: routines.StoredRoutine): Extract<RoutineSkip, "author" | "place"> | null {
  if (authorRole === null || !allows(authorRole, "member")) return "author";
  return hasPlace ? null : "place";
}

/** Ends it until somebody resumes it, and tells whom it concerns. */
export async function end(
  { clock, tellAuthor }: BeginDeps,
  unit: Unit,
  routine: routines.StoredRoutine,
  because: "author" | "place",
): Promise<void> {
  const to = { active: false, stoppedBecause: because, nextDueAt: null } as const;
  await saving.change(unit.db, routine.id, to, clock.now());
  await tellAuthor(unit, { ...routine, ...to });
}
