import { mkdtemp, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import type { Adapter } from "../../src/chat/index.ts";
import { createOutbox, type Destination, type NewPost, type Sender } from "../../src/outbox/index.ts";
import { createPeople } from "../../src/people/index.ts";
import { ensureConnection, setConnectionState } from "../../src/places/index.ts";
import { newId, silentLog } from "../../src/shared/index.ts";
import { inTransaction, openStorage, type PostPurpose } from "../../src/storage/index.ts";
import { createTestDatabase } from "../support/database.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));

/** The outbox on a database of its own; the platform is the test's. */
export async function openPostOffice() {
  const database = await createTestDatabase();
  const home = await mkdtemp(`${scratch}outbox-`);
  const storage = await openStorage({ home, databaseUrl: database.url }, silentLog);
  const { db, queues } = storage;
  let ahead = 0;
  const clock = { now: () => new Date(Date.now() + ahead) };
  const people = createPeople({ clock });
  let adapter: Adapter | undefined;
  let connectionId = "";
  let senders: Sender[] = [];
  const adapters = { get: (id: string) => (id === connectionId ? adapter : undefined) };
  const deps = { db, adapters, queues, people, setConnectionState, clock, log: silentLog };
  const make = () => createOutbox(deps);
  let outbox = make();
  const dm = "dm-ada";

  const to = (channel: string): Destination => ({
    connectionId,
    address: { channel },
    placeKind: channel.startsWith("dm") ? "dm" : "group",
  });

  async function enqueue(...posts: readonly NewPost[]): Promise<string[]> {
    const ids = await inTransaction(db, silentLog, async (unit) => {
      const all: string[] = [];
      for (const post of posts) all.push(...(await outbox.enqueue(unit, post)).postIds);
      return all;
    });
    return ids;
  }

  return {
    db,
    dm,
    to,
    enqueue,
    deps: () => deps,
    get outbox() {
      return outbox;
    },
    get connectionId() {
      return connectionId;
    },
    /** Empty tables, one connection to this platform, and Ada, who owns the bot and has a private chat. */
    async reset(next: Adapter, ownerChannel = dm): Promise<void> {
      for (const sender of senders.splice(0)) await sender.stop();
      ahead = 0;
      adapter = next;
      await sql`truncate connections, people cascade`.execute(db);
      await inTransaction(db, silentLog, async (unit) => {
        connectionId = (await ensureConnection(unit, { platform: "stand-in", botId: "bot", name: "Shipmate" })).id;
        const personId = newId();
        await unit.db.insertInto("people").values({ id: personId, display_name: "Ada", role: "owner" }).execute();
        await people.meet(unit, connectionId, { id: "ada", name: "Ada", isBot: false }, ownerChannel);
        await unit.db.updateTable("identities").set({ person_id: personId }).execute();
      });
      outbox = make();
    },
    send(): Sender {
      const sender = outbox.startSender(connectionId);
      senders.push(sender);
      return sender;
    },
    /** A process that knows nothing but the database takes over; what the old one was doing is never heard of again. */
    async restart(): Promise<Sender> {
      outbox = make();
      await outbox.recover(db, connectionId);
      return this.send();
    },
    /** Time passes, and the sender looks again. */
    async pass(ms: number): Promise<void> {
      ahead += ms;
      const sender = senders.at(-1);
      sender?.wake();
      await sender?.idle();
    },
    /** Lets time pass until nothing waits any more. */
    async drain(): Promise<void> {
      for (let round = 0; round < 60; round += 1) {
        const left = await db.selectFrom("posts").select("id").where("status", "in", ["pending", "sending"]).execute();
        if (left.length === 0) return;
        await this.pass(5 * 60_000);
      }
      throw new Error("the outbox does not come to rest");
    },
    answer(channel: string, text: string, more: { key?: string; lane?: string; purpose?: PostPurpose } = {}): NewPost {
      return {
        op: "post",
        post: { text, notify: true },
        to: to(channel),
        purpose: more.purpose ?? "answer",
        lane: more.lane ?? `conversation:${channel}`,
        dedupKey: more.key ?? newId(),
      };
    },
    async statuses(): Promise<string[]> {
      const rows = await db.selectFrom("posts").select("status").orderBy("seq").execute();
      return rows.map((row) => row.status);
    },
    unit: <T>(work: Parameters<typeof inTransaction<T>>[2]) => inTransaction(db, silentLog, work),
    async [Symbol.asyncDispose]() {
      for (const sender of senders.splice(0)) await sender.stop();
      senders = [];
      await storage.close();
      await database.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export type PostOffice = Awaited<ReturnType<typeof openPostOffice>>;
