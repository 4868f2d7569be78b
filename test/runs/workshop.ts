import { rm } from "node:fs/promises";
import { vi } from "vitest";
import { type AccessSettings, createAccess, createAccountWatch, createSignIns } from "../../src/access/index.ts";
import { createMind } from "../../src/app/mind.ts";
import { wireRoutines } from "../../src/app/routines.ts";
import { type Attention, createAttention } from "../../src/attention/index.ts";
import type { PlaceKind } from "../../src/chat/index.ts";
import {
  type CodexConnection,
  type CodexServer,
  type ConfigValue,
  createConnection,
  createThreads,
  type OpenTransport,
  webSocketTransport,
} from "../../src/codex/index.ts";
import { createMailbox, type Mailbox, type Trigger } from "../../src/mailbox/index.ts";
import type { Memories } from "../../src/memory/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { createPeople, type Person, type Role } from "../../src/people/index.ts";
import { conversationKind, createPlaces, ensureConnection, setConnectionState } from "../../src/places/index.ts";
import type { Routines } from "../../src/routines/index.ts";
import { createRunControl, createRunWorker, type RunLimits, type RunWorker } from "../../src/runs/index.ts";
import { newId, openSeal, silentLog } from "../../src/shared/index.ts";
import { type Db, inTransaction, openStorage, type Storage, type Unit } from "../../src/storage/index.ts";
import { createTeammates, type Teammate, type Teammates } from "../../src/teammates/index.ts";
import { createTools } from "../../src/tools/index.ts";
import { createWebForms } from "../../src/web-forms/index.ts";
import { newHome, startableServer } from "../codex/scene.ts";
import { type FakeModel, startFakeModel } from "../fakes/model/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { createPlatform, type Platform, type PlatformMessage, type PlatformOptions } from "../support/platform.ts";

export interface Room {
  readonly conversationId: string;
  readonly placeId: string;
  readonly channel: string;
  readonly thread: string;
}

export interface Said {
  readonly deliveryId: string;
  readonly messageId: string;
  readonly platformMessageId: string;
}

/** One life of our process: it can be killed, and another one takes its place on the same database and the same Codex. */
export interface Life {
  readonly storage: Storage;
  readonly connection: CodexConnection;
  readonly mailbox: Mailbox;
  readonly routines: Routines;
  readonly attention: Attention;
  readonly worker: RunWorker;
  readonly teammates: Teammates;
  /** Takes its line, its queues and its database away, as a crash does. */
  kill(): Promise<void>;
}

export interface SayOptions {
  /** A number of our own when absent. */
  readonly platformMessageId?: string;
  readonly trigger?: Trigger;
  readonly readyAt?: Date;
  readonly files?: readonly { readonly id: string; readonly name: string }[];
}

export interface LifeOptions {
  readonly limits?: Partial<RunLimits>;
  readonly maxConcurrentRuns?: number;
  readonly codexOutlivesUs?: boolean;
  readonly isolated?: boolean | undefined;
  readonly ownsComputer?: () => boolean;
  /** Who pays, where it is not the endpoint that Codex was started with. */
  readonly access?: Partial<AccessSettings> | undefined;
  /** What happens to the line to Codex: gets the real one, gives one with faults. */
  readonly line?: (open: OpenTransport) => OpenTransport;
  /** What happens to what teammates remember: gets the real room, gives one where something happens meanwhile. */
  readonly memories?: (real: Memories) => Memories;
}

/** A teammate at work: real database, real Codex on a scripted model, and a chat platform in memory. */
export interface Workshop extends AsyncDisposable {
  readonly db: Db;
  readonly model: FakeModel;
  readonly platform: Platform;
  /** Where a second bot is, which is one teammate's own. */
  readonly other: Platform;
  readonly server: CodexServer;
  readonly home: string;
  readonly teammate: Teammate;
  readonly ada: Person;
  readonly ben: Person;
  readonly clock: { now(): Date; pass(ms: number): void };
  start(options?: LifeOptions): Promise<Life>;
  unit<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
  /** A place of its own, or a thread in another room's. */
  room(kind: PlaceKind, title?: string, thread?: { readonly of: Room; readonly id: string }): Promise<Room>;
  /** From now on only the other bot is in that place. */
  giveToOther(room: Room): Promise<void>;
  /** Hires another teammate; its rooms are those of others. */
  team(name: string, more?: { readonly picture?: string; readonly job?: string }): Promise<Teammate>;
  /** Something that somebody says in a place and that is not for us. */
  aside(room: Room, name: string, text: string, platformMessageId: string, agoMs?: number): Promise<void>;
  hire(name: string, role: Role): Promise<Person>;
  say(life: Life, room: Room, person: Person, text: string, more?: SayOptions): Promise<Said>;
  delivery(
    id: string,
  ): Promise<{ status: string; joined: string | null; holdReason: string | null; runId: string | null }>;
  runs(): Promise<
    { id: string; status: string; errorCode: string | null; reply: string | null; error: string | null }[]
  >;
  /** Waits until Codex has ended the conversation's turn, whether or not we heard of it. */
  turnOver(room: Room): Promise<void>;
  /** Waits for a message with this text in a place. */
  shows(room: Pick<Room, "channel">, text: string | RegExp): Promise<PlatformMessage>;
}

export async function openWorkshop(
  config: Readonly<Record<string, ConfigValue>> = {},
  chat: PlatformOptions = {},
): Promise<Workshop> {
  await using resources = new AsyncDisposableStack();
  const home = newHome();
  resources.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const database = resources.use(await createTestDatabase());
  const model = resources.use(await startFakeModel());
  // Commands run in a login shell; whatever the developer's own profile does has no place in a test.
  const environment = { ...process.env, HOME: home };
  const server = resources.use(startableServer(home, model, { config, environment }));
  await server.start();
  const storage = resources.use(await openStorage({ home, databaseUrl: database.url }, silentLog));
  const { db } = storage;
  const lives = resources.use(new AsyncDisposableStack());
  const platform = createPlatform(chat);
  const other = createPlatform();
  let otherId = "";
  const adapters = { get: (id: string) => (id === otherId ? other.adapter : platform.adapter) };
  let ahead = 0;
  const clock = {
    now: () => new Date(Date.now() + ahead),
    pass(ms: number) {
      ahead += ms;
    },
  };
  const unit = <T>(work: (unit: Unit) => Promise<T>) => inTransaction(db, silentLog, work);
  const connectionRow = await unit((each) =>
    ensureConnection(each, { platform: "stand-in", botId: newId(), name: "Shipmate" }),
  );
  const teammate = await unit((each) => createTeammates().ensureDefault(each));
  const ownBot = { platform: "stand-in", botId: newId(), name: teammate.name };
  otherId = (await unit((each) => ensureConnection(each, ownBot))).id;
  await db.updateTable("connections").set({ teammate_handle: teammate.handle }).where("id", "=", otherId).execute();
  let messages = 0;

  async function hire(name: string, role: Role): Promise<Person> {
    const id = newId();
    await db.insertInto("people").values({ id, display_name: name, role }).execute();
    await db
      .insertInto("identities")
      .values({
        id: newId(),
        connection_id: connectionRow.id,
        platform_user_id: name.toLowerCase(),
        person_id: id,
        display_name: name,
        dm_channel: `dm-${name.toLowerCase()}`,
      })
      .execute();
    return { id, displayName: name, role, locale: null, timezone: null };
  }

  async function start(options: LifeOptions = {}): Promise<Life> {
    const own = await openStorage({ home, databaseUrl: database.url }, silentLog);
    const { queues } = own;
    const log = silentLog;
    const people = createPeople({ clock });
    const outbox = createOutbox({ db: own.db, adapters, queues, people, setConnectionState, clock, log });
    const mailbox = createMailbox({ db: own.db, log, clock, queues, outbox });
    const { deliver } = mailbox;
    const attention = createAttention({
      outbox,
      adapters,
      queues,
      people,
      deliver,
      webForms: createWebForms({
        address: () => ({ base: "https://shipmate.example", opensAnywhere: true }),
        clock,
        log,
      }),
      seal: await openSeal(home),
      folder: `${home}/cards`,
      clock,
      log,
    });
    const access: AccessSettings = {
      endpoint: "scripted",
      apiKey: undefined,
      remote: false,
      model: undefined,
      ...options.access,
    };
    const mind = createMind({ home, seal: await openSeal(home), queues, clock, log });
    const { teammates } = mind;
    const runs = createRunControl({ queues, mailbox, clock });
    const routines = wireRoutines({
      queues,
      mailbox,
      runs,
      outbox,
      people,
      places: createPlaces({ clock }),
      clock,
      log,
    });
    const real = webSocketTransport((signal) => server.endpoint(signal));
    const open = options.line?.(real) ?? real;
    const connection = createConnection({ open, version: "0.1.0", log, reconnectMs: 20 });
    const watch = createAccountWatch({ db: own.db, log, clock, connection, settings: access });
    await watch.start();
    const worker = createRunWorker({
      db: own.db,
      log,
      clock,
      queues,
      mailbox,
      outbox,
      attention,
      people,
      adapters,
      connection,
      threads: createThreads(connection),
      ...mind,
      routines,
      memories: options.memories?.(mind.memories) ?? mind.memories,
      tools: createTools({ ...mind, routines, db: own.db, log, clock, people }),
      access: createAccess({ clock, keys: mind.keys, codex: watch, settings: access }),
      signIns: createSignIns({
        db: own.db,
        log,
        clock,
        connection,
        show: async () => {},
        onUsable: async (unit) => void (await mailbox.endLimit(unit)),
        look: watch.look,
      }),
      settings: {
        computer: "main",
        home,
        maxConcurrentRuns: options.maxConcurrentRuns ?? 4,
        codexOutlivesUs: options.codexOutlivesUs ?? false,
        isolated: options.isolated ?? false,
        ownsComputer: options.ownsComputer,
      },
      limits: { checkMs: 50, ...options.limits },
    });
    await outbox.recover(own.db, connectionRow.id);
    const senders = [connectionRow.id, otherId].map((id) => outbox.startSender(id));
    await worker.start();
    let over: Promise<void> | undefined;
    const kill = () => {
      over ??= (async () => {
        await watch.stop().catch(() => undefined);
        await connection.close();
        await own.close();
        for (const sender of senders) await sender.stop().catch(() => undefined);
      })();
      return over;
    };
    lives.defer(kill);
    return { storage: own, connection, mailbox, routines, attention, worker, teammates, kill };
  }

  const kept = resources.move();
  return {
    db,
    model,
    platform,
    other,
    server,
    home,
    teammate,
    clock,
    ada: await hire("Ada", "owner"),
    ben: await hire("Ben", "member"),
    start,
    unit,
    hire,
    async giveToOther({ placeId }) {
      await db.updateTable("places").set({ connection_id: otherId }).where("id", "=", placeId).execute();
    },
    async room(kind, title, inside) {
      const placeId = inside?.of.placeId ?? newId();
      const conversationId = newId();
      const channel = inside?.of.channel ?? `channel-${placeId}`;
      const thread = inside?.id ?? "";
      if (inside === undefined) {
        await db
          .insertInto("places")
          .values({
            id: placeId,
            connection_id: connectionRow.id,
            channel,
            kind,
            title: title ?? null,
            access: "everyone",
          })
          .execute();
      }
      await db
        .insertInto("conversations")
        .values({
          id: conversationId,
          place_id: placeId,
          teammate_id: teammate.id,
          kind: conversationKind(kind, thread),
          thread,
        })
        .execute();
      return { conversationId, placeId, channel, thread };
    },
    async team(name, { picture, job } = {}) {
      const more = { job: job ?? "Helps too.", picture: picture ?? null, name, handle: name.toLowerCase() };
      const { busyMode, taskLimit, ...rest } = { ...teammate, ...more, id: newId() };
      await db
        .insertInto("teammates")
        .values({ ...rest, busy_mode: busyMode, task_limit: taskLimit })
        .execute();
      return { ...teammate, ...more, id: rest.id };
    },
    async aside(room, name, text, platformMessageId, agoMs = 0) {
      const said = { author_name: name, text, platform_message_id: platformMessageId };
      await db
        .insertInto("seen_messages")
        .values({
          ...said,
          place_id: room.placeId,
          thread: room.thread,
          sent_at: new Date(clock.now().getTime() - agoMs),
        })
        .execute();
    },
    async say(life, room, person, text, more = {}) {
      messages += 1;
      const messageId = newId();
      const platformMessageId = more.platformMessageId ?? `p${messages}`;
      const { deliveryId } = await inTransaction(life.storage.db, silentLog, async (each) => {
        const conversation = await each.db
          .selectFrom("conversations")
          .select("place_id")
          .where("id", "=", room.conversationId)
          .executeTakeFirstOrThrow();
        await each.db
          .insertInto("messages")
          .values({
            id: messageId,
            conversation_id: room.conversationId,
            place_id: conversation.place_id,
            thread: room.thread,
            author: "person",
            person_id: person.id,
            author_name: person.displayName,
            text,
            platform_message_id: platformMessageId,
            sent_at: clock.now(),
          })
          .execute();
        for (const [position, file] of (more.files ?? []).entries()) {
          await each.db
            .insertInto("attachments")
            .values({
              id: newId(),
              message_id: messageId,
              position,
              name: file.name,
              kind: "document",
              platform_file_id: file.id,
            })
            .execute();
        }
        return life.mailbox.deliver(each, {
          messageId,
          teammateId: teammate.id,
          conversationId: room.conversationId,
          requesterPersonId: person.id,
          trigger: more.trigger ?? "message",
          idempotencyKey: `message:${messageId}`,
          readyAt: more.readyAt,
        });
      });
      return { deliveryId, messageId, platformMessageId };
    },
    async delivery(id) {
      const row = await db
        .selectFrom("deliveries")
        .select(["status", "joined", "hold_reason as holdReason", "run_id as runId"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return row;
    },
    runs: () =>
      db
        .selectFrom("runs")
        .select(["id", "status", "error_code as errorCode", "reply", "error"])
        .orderBy("created_at")
        .execute(),
    async turnOver(room) {
      const { codex_thread_id: threadId } = await db
        .selectFrom("codex_threads")
        .select("codex_thread_id")
        .where("conversation_id", "=", room.conversationId)
        .executeTakeFirstOrThrow();
      const open = webSocketTransport((signal) => server.endpoint(signal));
      await using connection = createConnection({ open, version: "0.1.0", log: silentLog });
      await connection.ready();
      const threads = createThreads(connection);
      await vi.waitFor(async () => {
        const [turn] = await threads.readTurns(threadId, 1);
        if (turn === undefined || turn.status === "inProgress") throw new Error("the turn is not over");
      }, 20_000);
    },
    shows: (room, text) =>
      vi.waitFor(
        () => {
          const found = platform
            .seen(room.channel)
            .find((each) => (typeof text === "string" ? each.text.includes(text) : text.test(each.text)));
          if (found === undefined) {
            throw new Error(`Still waiting for ${text}; seen: ${JSON.stringify(platform.texts(room.channel))}`);
          }
          return found;
        },
        { timeout: 20_000, interval: 20 },
      ),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
