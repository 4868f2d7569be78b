import { inTransaction } from "../storage/index.ts";
import { personaOf } from "../teammates/index.ts";
import { type ActiveRun, replyTo } from "./active-run.ts";
import type { RunDelivery } from "./deliveries.store.ts";
import type { RunDeps } from "./settings.ts";
import type { StoredFile } from "./types.ts";

/** Tells people which of their files we could not take, once a message: the model only knows that they are missing. */
export async function tellFileProblems(
  deps: Pick<RunDeps, "db" | "log" | "outbox">,
  run: ActiveRun,
  deliveries: readonly RunDelivery[],
  files: readonly StoredFile[],
): Promise<void> {
  const { runId, conversationId, to, place } = run.context;
  const told = deliveries.flatMap((delivery) => {
    const sent = files.filter((file) => file.messageId === delivery.messageId);
    const text = sentences(sent, run.words.files.named);
    return text === "" ? [] : [{ delivery, text }];
  });
  if (told.length === 0) return;
  await inTransaction(deps.db, deps.log, async (unit) => {
    for (const { delivery, text } of told) {
      const ownMessage = place.kind === "dm" ? undefined : (delivery.platformMessageId ?? replyTo(run));
      await deps.outbox.enqueue(unit, {
        op: "post",
        // The answer, which follows, notifies.
        post: { text, replyTo: ownMessage, notify: false },
        to,
        purpose: "notice",
        speaker: personaOf(run.context.teammate),
        lane: `conversation:${conversationId}`,
        dedupKey: `file-problem:${delivery.messageId}`,
        conversationId,
        runId,
      });
    }
  });
}

/** One line a problem; with the file's name where there were several files to tell apart. */
function sentences(files: readonly StoredFile[], named: (name: string, problem: string) => string): string {
  const lines = files.flatMap(({ name, problem }) => {
    if (problem === undefined) return [];
    return [files.length === 1 ? problem : named(name, problem)];
  });
  return lines.join("\n\n");
}
