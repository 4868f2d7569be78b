import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { sql } from "kysely";
import { createMind } from "../../src/app/mind.ts";
import { wireRoutines } from "../../src/app/routines.ts";
import { type Attention, createAttention } from "../../src/attention/index.ts";
import {
  type Adapter,
  type Address,
  type Author,
  type ButtonEvent,
  type Capabilities,
  type CommandEvent,
  DownloadError,
  everywhere,
  type FormEvent,
  type InboundPlace,
  type MessageEvent,
  type OnlyFor,
  type Post,
  type Select,
  type Sink,
  type Suggestion,
} from "../../src/chat/index.ts";
import { createInbox, type Inbox, type InboxDeps } from "../../src/inbox/index.ts";
import { createMailbox } from "../../src/mailbox/index.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { createPeople, type Person, type Role } from "../../src/people/index.ts";
import { createPlaces, ensureConnection, setConnectionState } from "../../src/places/index.ts";
import { createCalendars, createWebhooks } from "../../src/routines/index.ts";
import { createRunControl } from "../../src/runs/index.ts";
import { newId, openSeal, silentLog } from "../../src/shared/index.ts";
import {
  type Db,
  inTransaction,
  openStorage,
  type PlaceAccess,
  type Storage,
  type Unit,
} from "../../src/storage/index.ts";
import { createWebForms } from "../../src/web-forms/index.ts";
import { createTestDatabase } from "../support/database.ts";

/** What the owner sends to claim the bot. */
export const ownerCode = "ABCD-2345";

export const ada = person("ada", "Ada");
export const stranger = person("u-77", "Somebody");

export function person(id: string, name: string): Author {
  return { id, name, isBot: false };
}

/** The private chat of an author. */
export function dm(author: Author): InboundPlace {
  return { channel: `dm-${author.id}`, kind: "dm" };
}

export const group: InboundPlace = { channel: "group-1", kind: "group", title: "Ops" };

/** A message as an adapter hands it over; in a group it addresses us unless said otherwise. */
export function message(author: Author, text: string, more: Partial<MessageEvent> = {}): MessageEvent {
  const messageId = more.messageId ?? newId();
  const place = more.place ?? dm(author);
  return {
    kind: "message",
    key: `message:${messageId}`,
    place,
    author,
    messageId,
    text,
    sentAt: new Date(),
    addressed: place.kind === "dm" ? "direct" : "mention",
    files: [],
    ...more,
  };
}

export function command(author: Author, name: string, argument = "", more: Partial<CommandEvent> = {}): CommandEvent {
  return {
    kind: "command",
    key: `command:${newId()}`,
    place: dm(author),
    author,
    messageId: newId(),
    name,
    argument,
    sentAt: new Date(),
    ...more,
  };
}

/** A press on a button, as an adapter hands it over. */
export function press(author: Author, token: string, more: Partial<ButtonEvent> = {}): ButtonEvent {
  const interaction = { id: newId() };
  const base = { kind: "button", key: `button:${interaction.id}`, place: dm(author), author } as const;
  return { ...base, messageId: "card", token, interaction, ...more };
}

/** A form that was filled in. */
export function filled(author: Author, token: string, value: string, more: Partial<FormEvent> = {}): FormEvent {
  const interaction = { id: newId() };
  const base = { kind: "form", key: `form:${interaction.id}`, place: dm(author), author } as const;
  return { ...base, messageId: "card", token, value, interaction, ...more };
}

export interface Answer {
  readonly interactionId: string;
  readonly text: string | undefined;
}

export interface ShownPost {
  readonly text: string;
  readonly channel: string;
  readonly thread: string | null;
  readonly op: string;
  readonly purpose: string;
  readonly buttons: readonly { readonly label: string; readonly token: string; readonly opensForm?: boolean }[];
  /** The same buttons as they stand beneath each other. */
  readonly rows: NonNullable<Post["buttons"]>;
  readonly selects: readonly Select[];
  readonly onlyFor: OnlyFor | undefined;
  readonly asksReply: boolean;
  /** The message that an edit changes. */
  readonly target: string | null;
}

/** What an adapter was asked to show that is not stored. */
export type Shown =
  | { readonly home: string; readonly page: readonly Post[] }
  | { readonly suggestedIn: Address; readonly suggestions: readonly Suggestion[] };

/** The rooms around the inbox, all of them real, on a database of their own. Missing: the platform, and a worker that takes up what is delivered. */
export interface Office extends AsyncDisposable {
  readonly db: Db;
  readonly storage: Storage;
  readonly deps: InboxDeps;
  readonly attention: Attention;
  readonly clock: { now(): Date; pass(ms: number): void };
  readonly sink: Sink;
  readonly inbox: Inbox;
  readonly connectionId: string;
  /** A second app: events handed to its sink happen there. */
  connect(platform: string): Promise<{ readonly connectionId: string; readonly sink: Sink }>;
  /** What the platform can do from now on. */
  can(what: Partial<Pick<Capabilities, "privatePosts" | "forms" | "commandPrefix" | "answersStay">>): void;
  /** Pages and suggestions. */
  readonly shown: Shown[];
  /** What can be downloaded, by the platform's id of the file; `never` goes on for ever. */
  readonly files: Map<string, Uint8Array | "never">;
  /** The outbox sent its latest post: the platform gave it this id. */
  sent(messageId: string): Promise<void>;
  /** What pressers were told. */
  readonly answers: Answer[];
  /** From now on the platform takes answers to presses and never confirms one. */
  hangAnswers(): void;
  /** Runs somebody asked to stop. */
  stops(): Promise<{ readonly runId: string; readonly by: string }[]>;
  /** Empty tables, one connection, the owner code issued. */
  reset(): Promise<void>;
  /** Ada owns the bot. */
  claim(): Promise<void>;
  /** Makes an author a person of a role. */
  hire(author: Author, role: Role): Promise<Person>;
  open(place: InboundPlace, access: PlaceAccess): Promise<void>;
  unit<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
  posts(): Promise<ShownPost[]>;
  texts(): Promise<string[]>;
  messages(): Promise<{ id: string; text: string; authorName: string; personId: string | null; thread: string }[]>;
  deliveries(): Promise<{ id: string; messageId: string; status: string; readyAt: Date; conversationId: string }[]>;
  /** What became of an event. */
  outcome(key: string): Promise<string>;
}

export async function openOffice(): Promise<Office> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "office-"));
  const storage = await openStorage({ home: folder, databaseUrl: database.url }, silentLog);
  const { db, queues } = storage;
  let ahead = 0;
  const clock = {
    now: () => new Date(Date.now() + ahead),
    pass(ms: number) {
      ahead += ms;
    },
  };
  const answers: Answer[] = [];
  let hangs = false;
  const shown: Shown[] = [];
  const files: Office["files"] = new Map();
  const abilities = { privatePosts: false, forms: false, commandPrefix: undefined, answersStay: false };
  const adapter = quietAdapter(abilities, { shown, files }, async (answer) => {
    if (hangs) await new Promise(() => {});
    answers.push(answer);
  });
  const adapters = { get: () => adapter };
  const people = createPeople({ clock });
  const places = createPlaces({ clock });
  const outbox = createOutbox({ db, adapters, queues, people, setConnectionState, clock, log: silentLog });
  const mailbox = createMailbox({ db, log: silentLog, clock, queues, outbox });
  const address = () => ({ base: "https://shipmate.example", opensAnywhere: true });
  const webForms = createWebForms({ address, clock, log: silentLog });
  const seal = await openSeal(folder);
  const attention = createAttention({
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
  const runs = createRunControl({ queues, mailbox, clock });
  const routines = wireRoutines({ queues, mailbox, runs, outbox, people, places, clock, log: silentLog });
  const webhooks = createWebhooks({ routines, address, seal, clock, log: silentLog });
  const calendars = createCalendars({ routines, address, clock });
  const deps: InboxDeps = {
    db,
    people,
    places,
    ...createMind({ home: folder, seal, queues, clock, log: silentLog }),
    mailbox,
    outbox,
    attention,
    runs,
    routines,
    webhooks,
    calendars,
    webForms,
    queues,
    adapters,
    cardFolder: folder,
    system: async () => [{ name: "Codex", state: "connected" }],
    clock,
    log: silentLog,
  };
  const inbox = createInbox(deps);
  let connectionId = "";
  const unit = <T>(work: (unit: Unit) => Promise<T>) => inTransaction(db, silentLog, work);

  async function reset(): Promise<void> {
    ahead = 0;
    hangs = false;
    answers.length = 0;
    shown.length = 0;
    files.clear();
    Object.assign(abilities, { privatePosts: false, forms: false, commandPrefix: undefined, answersStay: false });
    await sql`truncate connections, people, teammates, claim_codes, places, conversations, messages, posts, action_tokens,
      approval_rules, runs, deliveries, attention, audit_log cascade`.execute(db);
    await unit(async (each) => {
      const connection = {
        platform: "stand-in",
        botId: "bot",
        name: "Shipmate",
        link: "https://chat.example/shipmate",
      };
      connectionId = (await ensureConnection(each, connection)).id;
      await people.issueOwnerCode(each, ownerCode);
      await deps.teammates.ensureDefault(each);
    });
  }
  await reset();
  // Opening a connection takes longer than an event: without this, what a test sends at once would run one by one.
  await Promise.all(Array.from({ length: 10 }, () => sql`select 1`.execute(db)));
  const sink: Sink = (event) => inbox.sink(connectionId)(event);

  return {
    db,
    storage,
    deps,
    attention,
    clock,
    sink,
    inbox,
    answers,
    shown,
    files,
    can: (what) => void Object.assign(abilities, what),
    async connect(platform) {
      const { id } = await unit((each) => ensureConnection(each, { platform, botId: "bot", name: "Shipmate" }));
      return { connectionId: id, sink: inbox.sink(id) };
    },
    async sent(messageId) {
      const latest = await db.selectFrom("posts").select("id").orderBy("seq", "desc").executeTakeFirstOrThrow();
      await db
        .updateTable("posts")
        .set({ platform_message_id: messageId, status: "sent" })
        .where("id", "=", latest.id)
        .execute();
    },
    hangAnswers() {
      hangs = true;
    },
    stops: () =>
      db
        .selectFrom("runs as r")
        .innerJoin("people as p", "p.id", "r.stop_requested_by")
        .select(["r.id as runId", "p.display_name as by"])
        .execute(),
    reset,
    unit,
    get connectionId() {
      return connectionId;
    },
    claim: () => sink(command(ada, "start", ownerCode)),
    hire: (author, role) =>
      unit(async (each) => {
        const identity = await people.meet(each, connectionId, author, dm(author).channel);
        const hired = { id: newId(), displayName: author.name, role, locale: null, timezone: null };
        await each.db.insertInto("people").values({ id: hired.id, display_name: author.name, role }).execute();
        await each.db.updateTable("identities").set({ person_id: hired.id }).where("id", "=", identity.id).execute();
        return hired;
      }),
    open: (place, access) =>
      unit(async (each) => {
        const { id } = await places.ensure(each, connectionId, place);
        await each.db.updateTable("places").set({ access }).where("id", "=", id).execute();
      }),
    posts: () => shownPosts(db),
    texts: async () => (await shownPosts(db)).map((post) => post.text),
    messages: () =>
      db
        .selectFrom("messages")
        .select(["id", "text", "author_name as authorName", "person_id as personId", "thread"])
        .orderBy("seq")
        .execute(),
    deliveries: () =>
      db
        .selectFrom("deliveries")
        .select(["id", "message_id as messageId", "status", "ready_at as readyAt", "conversation_id as conversationId"])
        .orderBy("queue_order")
        .execute(),
    async outcome(key) {
      const row = await db.selectFrom("inbound_events").selectAll().where("key", "=", key).executeTakeFirst();
      return row === undefined ? "unknown" : (row.reason ?? row.outcome);
    },
    async [Symbol.asyncDispose]() {
      await storage.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function shownPosts(db: Db): Promise<ShownPost[]> {
  const rows = await db.selectFrom("posts").selectAll().orderBy("seq").execute();
  return rows.map((row) => {
    const body = row.body as Partial<Post> & { buttons?: { label: string; token: string }[][] };
    return {
      text: body.text ?? "",
      channel: row.channel,
      thread: row.thread,
      op: row.op,
      purpose: row.purpose,
      buttons: (body.buttons ?? []).flat(),
      rows: body.buttons ?? [],
      selects: body.selects ?? [],
      onlyFor: body.onlyFor,
      asksReply: body.asksReply ?? false,
      target: row.target_message_id,
    };
  });
}

/** A platform that takes everything and shows nothing; it remembers what pressers were told and what was not stored. */
function quietAdapter(
  abilities: Pick<Capabilities, "privatePosts" | "forms" | "commandPrefix" | "answersStay">,
  { shown, files }: Pick<Office, "shown" | "files">,
  told: (answer: Answer) => Promise<void>,
): Adapter {
  return {
    platform: "stand-in",
    capabilities: {
      progress: everywhere("edit"),
      progressIntervalMs: everywhere(1_000),
      postIntervalMs: everywhere(0),
      connectionIntervalMs: 0,
      limits: { fileInBytes: 1e6, fileOutBytes: 1e6, buttonLabel: 64 },
      idempotentPosts: false,
      persona: "line",
      get privatePosts() {
        return abilities.privatePosts;
      },
      get forms() {
        return abilities.forms;
      },
      get commandPrefix() {
        return abilities.commandPrefix;
      },
      get answersStay() {
        return abilities.answersStay;
      },
    },
    connect: async () => ({ botId: "bot", name: "Shipmate", notes: [] }),
    start: async () => undefined,
    stop: async () => undefined,
    split: (post) => [post],
    post: async () => ({ outcome: "delivered", messageId: newId() }),
    remove: async (_address, messageId) => ({ outcome: "delivered", messageId }),
    upload: async () => ({ outcome: "delivered", messageId: newId() }),
    openThread: async () => ({ outcome: "delivered", messageId: newId() }),
    async download({ id }) {
      const bytes = files.get(id);
      if (bytes === undefined) throw new DownloadError("gone", "there is no such file");
      if (bytes === "never") return new Promise(() => {});
      return Readable.from([bytes]);
    },
    answer: (interaction, text) => told({ interactionId: interaction.id, text }),
    async home(userId, page) {
      shown.push({ home: userId, page });
      return { outcome: "delivered", messageId: "home" };
    },
    async suggest(address, suggestions) {
      shown.push({ suggestedIn: address, suggestions });
      return { outcome: "delivered", messageId: "suggested" };
    },
  };
}
