import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Person } from "../../src/people/index.ts";
import { call, type ModelRequest, pause, type Reply, say, shell, status } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Said, type Workshop } from "../runs/workshop.ts";
import { numbersFrom } from "../support/random.ts";

/** Another life for every seed: `RANDOM_LIFE_SEED=7 RANDOM_LIFE_STEPS=400 npx vitest run …`. */
const seed = Number(process.env.RANDOM_LIFE_SEED ?? 1);
const steps = Number(process.env.RANDOM_LIFE_STEPS ?? 60);
const random = numbersFrom(seed);

let shop: Workshop;
let life: Life;
let people: readonly Person[];
let rooms: readonly Room[];
const asked: Said[] = [];
let cutLine = async () => {};

beforeAll(async () => {
  shop = await openWorkshop();
  await shop.db.updateTable("teammates").set({ autonomy: "ask_all" }).execute();
  people = [shop.ada, shop.ben, await shop.hire("Cleo", "manager"), await shop.hire("Dan", "member")];
  rooms = [await shop.room("dm"), await shop.room("group", "Ops"), await shop.room("channel", "News")];
  shop.model.use(reply);
  life = await begin();
}, 60_000);
afterAll(() => shop[Symbol.asyncDispose]());

it(`F-14 leaves nobody without an answer and no lane taken, whatever happens (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  for (let step = 0; step < steps; step += 1) {
    await oneOf(happenings)();
    await new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 60)));
  }
  await vi.waitFor(
    async () => {
      await decideEverything();
      await life.mailbox.sweep();
      await life.attention.sweep(shop.db);
      expect(await underWay()).toEqual([]);
    },
    { timeout: 60_000, interval: 200 },
  );
  expect(await withoutOutcome()).toEqual([]);
  const texts = rooms.flatMap((room) => shop.platform.texts(room.channel));
  expect(texts.filter((text) => / · (?:working|waiting for you)/.test(text))).toEqual([]);
});

const often = [speak, speak, speak, speak, edit, stop, decide, decide, decide];
const happenings = [...often, ...often, ...often, ...often, killCodex, restart, () => cutLine(), () => cutLine()];

async function speak(): Promise<void> {
  asked.push(await shop.say(life, oneOf(rooms), oneOf(people), `Question ${asked.length}.`));
}

async function edit(): Promise<void> {
  const said = asked.at(-1 - Math.floor(random() * 3));
  if (said === undefined) return;
  await shop.db
    .updateTable("messages")
    .set({ text: "Changed.", edited_at: shop.clock.now() })
    .where("id", "=", said.messageId)
    .execute();
  await life.storage.queues.add("control", { kind: "edited", messageId: said.messageId });
}

async function stop(): Promise<void> {
  const running = (await shop.runs()).filter((run) => !isOver(run.status));
  if (running.length === 0) return;
  await shop.unit((unit) => life.worker.stopRun(unit, oneOf(running).id, shop.ada));
}

async function decide(): Promise<void> {
  const buttons = cards();
  if (buttons.length > 0) await press(oneOf(buttons));
}

async function killCodex(): Promise<void> {
  const { state } = shop.server;
  if (state.status === "ready") process.kill(state.pid, "SIGKILL");
}

async function restart(): Promise<void> {
  await life.kill();
  life = await begin();
}

function begin(): Promise<Life> {
  return shop.start({
    maxConcurrentRuns: 2,
    line: (open) => async (events, signal) => {
      const transport = await open(events, signal);
      cutLine = () => transport.close();
      return transport;
    },
  });
}

async function decideEverything(): Promise<void> {
  for (const token of cards()) await press(token);
}

async function press(token: string): Promise<void> {
  await shop.unit((unit) => life.attention.press(unit, token, shop.ada));
}

/** The tokens of the buttons of open cards. */
function cards(): string[] {
  const places = [...rooms.map((room) => room.channel), "dm-ada"];
  const decisions = /^(?:Approve|Deny|Stop task)/;
  return places.flatMap((channel) =>
    shop.platform
      .seen(channel)
      .flatMap((message) => message.buttons.filter(({ label }) => decisions.test(label)).map(({ token }) => token)),
  );
}

const turns = new Set<string>();

/** What the model does in a turn is chosen at its first request; the next one ends it. */
function reply(request: ModelRequest): Reply {
  const turn = request.turnId ?? "";
  if (turns.has(turn)) return [say("Done.")];
  turns.add(turn);
  const plans: readonly (() => Reply)[] = [
    () => [say("At once.")],
    () => [say("One word after the other, taking its time.", { paceMs: 30 })],
    () => [pause(Math.floor(random() * 800)), say("Slowly.")],
    () => [shell("echo hello")],
    () => [call("shipmate", "request_approval", { title: "Send it", details: "All of it.", reversible: true })],
    () => [status(400, { message: "Something odd." })],
  ];
  return oneOf(plans)();
}

/** What has not ended. */
async function underWay(): Promise<unknown[]> {
  const { db } = shop;
  const [runs, deliveries, posts, items, views] = await Promise.all([
    db
      .selectFrom("runs")
      .select(["id", "status"])
      .where("status", "not in", ["completed", "failed", "interrupted"])
      .execute(),
    db
      .selectFrom("deliveries")
      .select(["id", "status", "hold_reason", "joined"])
      .where("status", "in", ["queued", "starting", "running"])
      .execute(),
    db.selectFrom("posts").select(["id", "purpose", "status"]).where("status", "in", ["pending", "sending"]).execute(),
    db
      .selectFrom("attention")
      .select(["id", "method", "status"])
      .where((where) => where.or([where("status", "=", "open"), where("settled_at", "is", null)]))
      .execute(),
    db.selectFrom("live_views").select("run_id").where("closed_at", "is", null).execute(),
  ]);
  return [...runs, ...deliveries, ...posts, ...items, ...views];
}

/** Messages that were not cancelled, and whose run said nothing, or said it twice. */
async function withoutOutcome(): Promise<unknown[]> {
  const rows = await shop.db
    .selectFrom("deliveries as d")
    .leftJoin("runs as r", "r.id", "d.run_id")
    .leftJoin("posts as p", (join) =>
      join
        .onRef("p.run_id", "=", "d.run_id")
        .on("p.purpose", "in", ["answer", "notice"])
        .on("p.op", "=", "post")
        .on("p.dedup_key", "like", "answer:%"),
    )
    .select(["d.id", "d.status", "r.status as run", "r.error_code as code"])
    .select((each) => each.fn.count("p.id").as("answers"))
    .where("d.status", "<>", "cancelled")
    .groupBy(["d.id", "d.status", "r.status", "r.error_code"])
    .execute();
  return rows.filter((row) => Number(row.answers) !== 1 || !isOver(row.run ?? ""));
}

function isOver(status: string): boolean {
  return status === "completed" || status === "failed" || status === "interrupted";
}

function oneOf<T>(all: readonly T[]): T {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("nothing to choose from");
  return one;
}
