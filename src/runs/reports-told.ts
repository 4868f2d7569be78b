import { z } from "zod";
import { type Digest, takeDigests } from "../routines/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RunDeps } from "./settings.ts";
import { tidiesUp } from "./tidying.ts";

const quoteShape = z.object({ messageId: z.string(), fromUs: z.literal(true) });

/** The reports that were posted where the run takes place and that this turn is the first to be told of, or that it answers. */
export async function reportsFor({ db }: Pick<RunDeps, "db">, run: ActiveRun): Promise<Digest[]> {
  const { runId, conversationId, teammate, place, to } = run.context;
  if (tidiesUp(run)) return [];
  const thread = to.address.thread ?? "";
  const quoted = run.deliveries.flatMap(({ quote }) => quoteShape.safeParse(quote).data?.messageId ?? []);
  return takeDigests(db, {
    runId,
    conversationId,
    teammateId: teammate.id,
    placeId: place.id,
    thread,
    startsThread: thread !== "" && run.deliveries.some((each) => each.platformMessageId === thread),
    answers: thread === "" ? quoted : [thread, ...quoted],
  });
}
