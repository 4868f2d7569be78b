import type { Access } from "../access/index.ts";
import { askModel, type CodexConnection } from "../codex/index.ts";
import { type AskForJson, improveDraft } from "../inbox/index.ts";
import type { Log } from "../shared/index.ts";
import type { QueueWorker, Storage } from "../storage/index.ts";
import type { Rooms } from "./rooms.ts";

const timeoutMs = 20_000;
const atATime = 2;

interface DraftWork {
  readonly storage: Storage;
  readonly rooms: Pick<Rooms, "teammates" | "outbox" | "clock">;
  readonly connection: CodexConnection;
  readonly access: Pick<Access, "decide">;
  readonly log: Log;
}

/** Has a model improve drafts of colleagues, where Codex is. A job that is lost loses nothing but that. */
export function startDrafts({ storage, rooms, connection, access, log }: DraftWork): Promise<QueueWorker> {
  const { db, queues } = storage;
  const { teammates, outbox, clock } = rooms;
  const ask: AskForJson = async ({ instructions, input, outputSchema }) => {
    const [first] = await teammates.list(db);
    const usable = first && (await access.decide(db, first));
    if (usable?.kind !== "usable") throw new Error("there is nobody to pay for it");
    const { model, modelProvider, config } = usable;
    const question = { instructions, input, outputSchema, model, modelProvider, config, effort: "low", timeoutMs };
    return JSON.parse(await askModel(connection, question));
  };
  const deps = { db, log, teammates, outbox, clock, ask };
  return queues.work("drafts", ({ draftId }) => improveDraft(deps, draftId), { concurrency: atATime });
}
