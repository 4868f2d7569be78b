import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMailbox, type Mailbox, type Trigger } from "../../src/mailbox/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { createPeople, type Person } from "../../src/people/index.ts";
import { ensureConnection, setConnectionState } from "../../src/places/index.ts";
import { newId, silentLog } from "../../src/shared/index.ts";
import { type Db, inTransaction, openStorage, type Role, type Unit } from "../../src/storage/index.ts";
import { createTeammates, type Teammate } from "../../src/teammates/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { createPlatform } from "../support/platform.ts";

/** The mailbox on a real database, without a worker: a test claims by hand. */
export interface Lanes extends AsyncDisposable {
  readonly db: Db;
  readonly mailbox: Mailbox;
  readonly teammate: Teammate;
  readonly clock: { now(): Date; pass(ms: number): void };
  unit<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
  person(name: string, role?: Role): Promise<Person>;
  /** A conversation of its own; a `task` counts to the teammate's limit. */
  lane(kind?: "main" | "channel" | "task"): Promise<string>;
  /** Queues a message and gives the delivery's id. */
  queue(
    lane: string,
    person: Person | null,
    more?: { trigger?: Trigger; readyAt?: Date; key?: string },
  ): Promise<string>;
  claim(lane: string, maxConcurrentRuns?: number): ReturnType<Mailbox["claim"]>;
  /** Ends a run as a finished turn would. */
  end(runId: string): Promise<void>;
  delivery(id: string): Promise<{ status: string; hold_reason: string | null; run_id: string | null }>;
  /** Posts that stand in the outbox, by their text. */
  posts(): Promise<{ op: string; text: string | null; dedupKey: string }[]>;
}

export async function openLanes(): Promise<Lanes> {
  await using resources = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), "lanes-"));
  resources.defer(() => rm(home, { recursive: true, force: true }));
  const database = resources.use(await createTestDatabase());
  const storage = resources.use(await openStorage({ home, databaseUrl: database.url }, silentLog));
  const { db, queues } = storage;
  let ahead = 0;
  const clock = {
    now: () => new Date(Date.now() + ahead),
    pass(ms: number) {
      ahead += ms;
    },
  };
  const platform = createPlatform();
  const adapters = { get: () => platform.adapter };
  const people = createPeople({ clock });
  const outbox = createOutbox({ db, adapters, queues, people, setConnectionState, clock, log: silentLog });
  const mailbox = createMailbox({ db, log: silentLog, clock, queues, outbox });
  const unit = <T>(work: (unit: Unit) => Promise<T>) => inTransaction(db, silentLog, work);
  const connection = await unit((each) => ensureConnection(each, { platform: "x", botId: "b", name: "Shipmate" }));
  const teammate = await unit((each) => createTeammates().ensureDefault(each));
  const kept = resources.move();
  return {
    db,
    mailbox,
    teammate,
    clock,
    unit,
    async person(name, role = "member") {
      const id = newId();
      await db.insertInto("people").values({ id, display_name: name, role }).execute();
      return { id, displayName: name, role, locale: null, timezone: null };
    },
    async lane(kind = "channel") {
      const placeId = newId();
      const id = newId();
      await db
        .insertInto("places")
        .values({ id: placeId, connection_id: connection.id, channel: placeId, kind: "group", access: "everyone" })
        .execute();
      await db
        .insertInto("conversations")
        .values({ id, place_id: placeId, teammate_id: teammate.id, kind, thread: kind === "task" ? "t1" : "" })
        .execute();
      return id;
    },
    async queue(lane, person, more = {}) {
      const messageId = newId();
      const { deliveryId } = await unit(async (each) => {
        await each.db
          .insertInto("messages")
          .values({
            id: messageId,
            conversation_id: lane,
            author: "person",
            person_id: person?.id ?? null,
            author_name: person?.displayName ?? "Shipmate",
            text: "Please.",
            sent_at: clock.now(),
          })
          .execute();
        return mailbox.deliver(each, {
          messageId,
          teammateId: teammate.id,
          conversationId: lane,
          requesterPersonId: person?.id ?? null,
          trigger: more.trigger ?? "message",
          idempotencyKey: more.key ?? `message:${messageId}`,
          readyAt: more.readyAt,
        });
      });
      return deliveryId;
    },
    claim: (lane, maxConcurrentRuns = 100) => mailbox.claim(lane, { computer: "main", maxConcurrentRuns }),
    async end(runId) {
      await unit(async (each) => {
        await each.db.updateTable("runs").set({ status: "completed" }).where("id", "=", runId).execute();
        await mailbox.settleRun(each, runId, { status: "completed", errorCode: null });
      });
    },
    delivery: (id) =>
      db
        .selectFrom("deliveries")
        .select(["status", "hold_reason", "run_id"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow(),
    async posts() {
      const rows = await db.selectFrom("posts").select(["op", "body", "dedup_key"]).orderBy("seq").execute();
      return rows.map((row) => ({ op: row.op, text: textOf(row.body), dedupKey: row.dedup_key }));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function textOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null || !("text" in body)) return null;
  return typeof body.text === "string" ? body.text : null;
}

/** The run of a claim that must have succeeded. */
export function claimed(claim: Awaited<ReturnType<Mailbox["claim"]>>) {
  if (claim.kind !== "claimed") throw new Error(`Expected a run, got ${JSON.stringify(claim)}`);
  return claim.run;
}
