import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import {
  type AttentionDetails,
  type AttentionItem,
  createAttention,
  type NewAttention,
  type PressResult,
  type Question,
} from "../../src/attention/index.ts";
import { createMailbox } from "../../src/mailbox/index.ts";
import { createOutbox, type Sender } from "../../src/outbox/index.ts";
import { createPeople, type Person, type Role } from "../../src/people/index.ts";
import { createPlaces, ensureConnection, ensureConversation, setConnectionState } from "../../src/places/index.ts";
import { newId, openSeal, silentLog } from "../../src/shared/index.ts";
import { inTransaction, openStorage, type RunStatus, type Unit } from "../../src/storage/index.ts";
import { createTeammates } from "../../src/teammates/index.ts";
import { createWebForms } from "../../src/web-forms/index.ts";
import { createTestDatabase } from "../support/database.ts";
import { createPlatform, type PlatformOptions } from "../support/platform.ts";

const scratch = fileURLToPath(new URL("../../.shipmate-test/", import.meta.url));

export const command: AttentionDetails = {
  kind: "command",
  command: "/bin/bash -lc 'npm run build'",
  cwd: "site/",
  reason: "the cached build is stale",
  amendment: ["npm", "run", "build"],
  canApproveForSession: true,
};

export const publish: AttentionDetails = {
  kind: "request_approval",
  title: "publish the report",
  details: "To the public page, as it is in report.md.",
  reversible: false,
};

function methodOf({ kind }: AttentionDetails): NewAttention["method"] {
  if (kind === "question") return "ask_user";
  return kind === "link" ? "elicitation" : kind;
}

/** Attention among its real neighbours: outbox, mailbox, people, a database; the platform is a stand-in. */
export async function openDesk(options: PlatformOptions = {}) {
  await mkdir(scratch, { recursive: true });
  const database = await createTestDatabase();
  const home = await mkdtemp(`${scratch}attention-`);
  const storage = await openStorage({ home, databaseUrl: database.url }, silentLog);
  const { db, queues } = storage;
  let ahead = 0;
  const clock = { now: () => new Date(Date.now() + ahead) };
  const platform = createPlatform(options);
  const other = createPlatform({ name: "elsewhere" });
  let otherId = "";
  const people = createPeople({ clock });
  const places = createPlaces({ clock });
  const adapters = { get: (id: string) => (id === otherId ? other.adapter : platform.adapter) };
  const outbox = createOutbox({ db, adapters, queues, people, setConnectionState, clock, log: silentLog });
  const mailbox = createMailbox({ db, log: silentLog, clock, queues, outbox });
  const folder = join(home, "details");
  const seal = await openSeal(home);
  const webForms = createWebForms({
    address: () => ({ base: "https://shipmate.example", opensAnywhere: true }),
    clock,
    log: silentLog,
  });
  const make = () =>
    createAttention({
      outbox,
      adapters,
      queues,
      people,
      deliver: mailbox.deliver,
      webForms,
      seal,
      folder,
      clock,
      log: silentLog,
    });
  let attention = make();
  let sender: Sender | undefined;
  let otherSender: Sender | undefined;
  const unit = <T>(work: (unit: Unit) => Promise<T>) => inTransaction(db, silentLog, work);

  /** What the worker was told to look at. */
  const announced: string[] = [];
  await queues.work("control", async (job) => {
    if (job.kind === "decided") announced.push(job.attentionId);
  });

  let connectionId = "";
  let teammate = { id: "", name: "" };
  let conversationId = "";
  let runId = "";
  const group = { channel: "ops", kind: "group", title: "Ops" } as const;

  async function person(name: string, role: Role, more: Partial<Person> = {}): Promise<Person> {
    return unit(async (each) => {
      const id = newId();
      const handle = name.toLowerCase();
      const identity = await people.meet(each, connectionId, { id: handle, name, isBot: false }, `dm-${handle}`);
      const made: Person = { id, displayName: name, role, locale: null, timezone: null, ...more };
      const { displayName: display_name, timezone } = made;
      await each.db.insertInto("people").values({ id, display_name, role, timezone }).execute();
      await each.db.updateTable("identities").set({ person_id: id }).where("id", "=", identity.id).execute();
      return made;
    });
  }

  /** A connection to another platform, where this person has a private chat with us. */
  async function reachableElsewhere({ id, displayName }: Person): Promise<string> {
    const channel = `other-dm-${displayName.toLowerCase()}`;
    await unit(async (each) => {
      otherId = (await ensureConnection(each, { platform: "elsewhere", botId: "bot-2", name: "Shipmate" })).id;
      const account = { id: displayName, name: displayName, isBot: false };
      const identity = await people.meet(each, otherId, account, channel);
      await each.db.updateTable("identities").set({ person_id: id }).where("id", "=", identity.id).execute();
      await each.db
        .updateTable("identities")
        .set({ dm_channel: null })
        .where("person_id", "=", id)
        .where("connection_id", "=", connectionId)
        .execute();
    });
    otherSender = outbox.startSender(otherId);
    return channel;
  }

  async function startRun(): Promise<string> {
    const id = newId();
    const row = { teammate_id: teammate.id, conversation_id: conversationId, trigger: "message", computer: "local" };
    await db
      .insertInto("runs")
      .values({ id, ...row, status: "running" })
      .execute();
    return id;
  }

  /** Asks in Ada's private chat, or in the group. */
  const ask = (requester: Person | null, questions: readonly Question[], more: Partial<NewAttention> = {}) =>
    open(requester, { method: "ask_user", details: { kind: "question", questions }, ...more });

  const inPrivate = (channel: string) => ({ connectionId, address: { channel }, placeKind: "dm" }) as const;

  async function open(requester: Person | null, more: Partial<NewAttention> = {}): Promise<string> {
    const details = more.details ?? command;
    const { id } = await unit((each) =>
      attention.open(each, {
        kind: details.kind === "question" ? "question" : "approval",
        teammate,
        runId,
        conversationId,
        requester,
        to: { connectionId, address: { channel: group.channel }, placeKind: "group" },
        replyTo: "m-of-ada",
        method: methodOf(details),
        risk: "normal",
        ...more,
        details,
      }),
    );
    await sender?.idle();
    await otherSender?.idle();
    return id;
  }

  /** The token behind a label on what stands in a place now. */
  function token(label: string, channel: string = group.channel): string {
    const button = [...platform.seen(channel), ...other.seen(channel)]
      .flatMap((message) => [...message.selects.flatMap(({ options }) => options), ...message.buttons])
      .find((each) => each.label.startsWith(label));
    if (button === undefined) throw new Error(`nothing to press: ${label} in ${channel}`);
    return button.token;
  }

  async function press(
    pressed: string,
    by: Person | null,
    messageId?: string,
    more: { note?: string; elsewhere?: boolean } = {},
  ): Promise<PressResult> {
    const pressedOn = more.elsewhere ? otherId : connectionId;
    const to = { connectionId: pressedOn, address: { channel: group.channel }, placeKind: "group" } as const;
    const where = messageId === undefined && !more.elsewhere ? undefined : { to, messageId };
    const result = await unit((each) => attention.press(each, pressed, by, where, more.note));
    await sender?.idle();
    await otherSender?.idle();
    return result;
  }

  return {
    db,
    platform,
    other,
    reachableElsewhere,
    outbox,
    unit,
    person,
    open,
    ask,
    inPrivate,
    webForms,
    token,
    press,
    announced,
    group: group.channel,
    get attention() {
      return attention;
    },
    get teammate() {
      return teammate;
    },
    get conversationId() {
      return conversationId;
    },
    get runId() {
      return runId;
    },
    /** Empty tables, one group with Milo in it, one running run. */
    async reset(): Promise<void> {
      await sender?.stop();
      await otherSender?.stop();
      otherSender = undefined;
      otherId = "";
      other.clear();
      ahead = 0;
      announced.length = 0;
      platform.clear();
      await sql`truncate connections, people, teammates, messages, runs, deliveries, attention, action_tokens, approval_rules, audit_log cascade`.execute(
        db,
      );
      await unit(async (each) => {
        connectionId = (await ensureConnection(each, { platform: "stand-in", botId: "bot", name: "Shipmate" })).id;
        teammate = await createTeammates().ensureDefault(each);
        const place = await places.ensure(each, connectionId, group);
        const conversation = { placeId: place.id, teammateId: teammate.id, thread: "", kind: "main" } as const;
        conversationId = (await ensureConversation(each, conversation)).id;
      });
      runId = await startRun();
      sender = outbox.startSender(connectionId);
    },
    async endRun(status: RunStatus = "completed"): Promise<void> {
      await db.updateTable("runs").set({ status }).where("id", "=", runId).execute();
    },
    startRun,
    async item(id: string): Promise<AttentionItem> {
      const item = await attention.get(db, id);
      if (item === null) throw new Error("no such item");
      return item;
    },
    async pass(ms: number): Promise<void> {
      ahead += ms;
      await attention.sweep(db);
      sender?.wake();
      await sender?.idle();
    },
    /** A process that knows nothing but the database. */
    restart(): void {
      attention = make();
    },
    settled: async () => sender?.idle(),
    deliveries: () =>
      db
        .selectFrom("deliveries as d")
        .innerJoin("messages as m", "m.id", "d.message_id")
        .select([
          "d.trigger",
          "d.requester_person_id as requester",
          "d.conversation_id as conversation",
          "m.text",
          "m.author",
        ])
        .execute(),
    audit: () =>
      db.selectFrom("audit_log").select(["action", "target", "person_id as by"]).orderBy("created_at").execute(),
    async [Symbol.asyncDispose]() {
      await sender?.stop();
      await otherSender?.stop();
      await storage.close();
      await database.drop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;
