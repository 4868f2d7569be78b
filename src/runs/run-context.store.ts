import type { PlaceKind } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Person } from "../people/index.ts";
import type { Db, RunStatus } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";

/** Everything about a run that does not change while it runs. */
export interface RunContext {
  readonly runId: string;
  readonly status: RunStatus;
  readonly conversationId: string;
  /** The routine whose lane it is in; null where people speak. */
  readonly routineId: string | null;
  readonly resetAt: Date | null;
  readonly trigger: string;
  readonly createdAt: Date;
  readonly codexThreadId: string | null;
  readonly codexTurnId: string | null;
  readonly model: string | null;
  readonly teammate: Teammate;
  /** Null where no person asked. */
  readonly requester: Person | null;
  readonly place: {
    readonly id: string;
    readonly kind: PlaceKind;
    readonly title: string | null;
    readonly platform: string;
    /** The bot there is one teammate's own. */
    readonly isOwnBot: boolean;
  };
  readonly to: Destination;
}

export async function loadContext(db: Db, runId: string): Promise<RunContext | undefined> {
  const row = await db
    .selectFrom("runs as r")
    .innerJoin("conversations as c", "c.id", "r.conversation_id")
    .innerJoin("places as p", "p.id", "c.place_id")
    .innerJoin("connections as k", "k.id", "p.connection_id")
    .innerJoin("teammates as t", "t.id", "r.teammate_id")
    .leftJoin("people as person", "person.id", "r.requester_person_id")
    .where("r.id", "=", runId)
    .select([
      "r.id",
      "r.status",
      "r.conversation_id",
      "r.trigger",
      "r.created_at",
      "r.codex_thread_id",
      "r.codex_turn_id",
    ])
    .select([
      "r.model as run_model",
      "c.reset_at",
      "c.routine_id",
      "c.thread",
      "p.kind",
      "p.title as place_title",
      "p.channel",
    ])
    .select([
      "p.id as place_id",
      "p.connection_id",
      "k.platform",
      "k.teammate_handle",
      "t.id as teammate_id",
      "t.handle",
      "t.name",
      "t.title",
      "t.job",
    ])
    .select([
      "t.instructions",
      "t.autonomy",
      "t.access",
      "t.busy_mode",
      "t.task_limit",
      "t.model",
      "t.effort",
      "t.picture",
      "t.notifications",
    ])
    .select(["person.id as person_id", "person.display_name", "person.role", "person.locale", "person.timezone"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    runId: row.id,
    status: row.status,
    conversationId: row.conversation_id,
    routineId: row.routine_id,
    resetAt: row.reset_at,
    trigger: row.trigger,
    createdAt: row.created_at,
    codexThreadId: row.codex_thread_id,
    codexTurnId: row.codex_turn_id,
    model: row.run_model,
    teammate: {
      id: row.teammate_id,
      handle: row.handle,
      name: row.name,
      title: row.title,
      job: row.job,
      instructions: row.instructions,
      autonomy: row.autonomy,
      access: row.access,
      busyMode: row.busy_mode,
      taskLimit: row.task_limit,
      model: row.model,
      effort: row.effort,
      picture: row.picture,
      notifications: row.notifications,
    },
    requester:
      row.person_id === null || row.display_name === null || row.role === null
        ? null
        : {
            id: row.person_id,
            displayName: row.display_name,
            role: row.role,
            locale: row.locale,
            timezone: row.timezone,
          },
    place: {
      id: row.place_id,
      kind: row.kind,
      title: row.place_title,
      platform: row.platform,
      isOwnBot: row.teammate_handle !== null,
    },
    to: {
      connectionId: row.connection_id,
      address: { channel: row.channel, thread: row.thread === "" ? undefined : row.thread },
      placeKind: row.kind,
    },
  };
}

/** Who asked for it, as of now: while a run lasts its requester may become one with another account of theirs. */
export async function requesterOf(db: Db, runId: string): Promise<string | null> {
  const run = await db.selectFrom("runs").select("requester_person_id").where("id", "=", runId).executeTakeFirst();
  return run?.requester_person_id ?? null;
}
