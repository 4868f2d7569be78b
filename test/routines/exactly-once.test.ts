import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRoutines, type Routine, type Routines, type Schedule } from "../../src/routines/index.ts";
import { silentLog } from "../../src/shared/index.ts";
import { dueTimes, type TestZone, zones } from "./due-times.ts";
import { openScene, type Scene, scheduled } from "./scene.ts";

/** Other days for every seed: `ROUTINES_SEED=7 ROUTINES_RUNS=500 npx vitest run …`. */
const seed = Number(process.env.ROUTINES_SEED ?? 1);
const numRuns = Number(process.env.ROUTINES_RUNS ?? 40);

let scene: Scene;
let dying: Routines;
beforeAll(async () => {
  scene = await openScene();
  dying = createRoutines({
    clock: { now: scene.now },
    log: silentLog,
    queues: { add: async () => {} },
    deliver: async () => {
      throw new Error("killed before the commit");
    },
    cancelLane: async () => {},
    stopLane: async () => {},
    tellAuthor: async () => {},
  });
});
afterAll(() => scene[Symbol.asyncDispose]());

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
const weekday = fc.constantFrom<"mon" | "wed" | "sat" | "sun">("mon", "wed", "sat", "sun");
const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.record({ kind: fc.constant("hourly" as const), minute: fc.integer({ min: 0, max: 59 }) }),
  fc.record({ kind: fc.constant("daily" as const), at: time }),
  fc.record({ kind: fc.constant("weekdays" as const), at: time }),
  fc.record({ kind: fc.constant("weekly" as const), days: fc.uniqueArray(weekday, { minLength: 1 }), at: time }),
  fc.record({ kind: fc.constant("monthly" as const), day: fc.integer({ min: 1, max: 31 }), at: time }),
  fc.record({
    kind: fc.constant("interval" as const),
    everyMinutes: fc.integer({ min: 3, max: 2_000 }),
    anchor: fc.constant("2026-05-04T08:17Z"),
  }),
);
const zone = fc.constantFrom(...(Object.keys(zones) as TestZone[]));
const minutes = fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 90, max: 4_400 }));

/** What happens to a routine; everything that looks at the clock lets so many minutes pass before. */
const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant("tick" as const), after: minutes, times: fc.constantFrom(1, 2, 3) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("killed" as const), after: minutes, more: minutes }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("back" as const), by: minutes }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("work" as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("pause" as const), after: minutes, paused: minutes }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("away" as const), after: minutes }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("edit" as const), after: minutes, schedule, zone }) },
);
type Event = typeof event extends fc.Arbitrary<infer Each> ? Each : never;

type EventOf<What extends Event["what"]> = Extract<Event, { what: What }>;

const minute = 60_000;
const start = new Date("2026-05-04T08:00:20Z");
const pass = (by: number) => scene.at(new Date(scene.now().getTime() + by * minute));

/** What ought to be accounted for, known without asking the code: by trigger, in milliseconds. */
interface Ledger {
  readonly triggers: { readonly schedule: Schedule; readonly zone: TestZone; readonly due: number[] }[];
  /** Up to here all of the present trigger is. */
  cursor: number;
}

/** Up to now everything is settled. */
function settled(ledger: Ledger): void {
  const trigger = ledger.triggers.at(-1);
  const now = scene.now().getTime();
  if (trigger === undefined || now <= ledger.cursor) return;
  trigger.due.push(...dueTimes(trigger.schedule, trigger.zone, new Date(ledger.cursor), scene.now()));
  ledger.cursor = now;
}

async function happen(routine: Routine, ledger: Ledger, each: Event): Promise<void> {
  switch (each.what) {
    case "tick":
      pass(each.after);
      await Promise.all(Array.from({ length: each.times }, () => scene.tick()));
      return settled(ledger);
    case "killed":
      pass(each.after);
      await scene.tick(dying);
      pass(each.more);
      await scene.tick();
      return settled(ledger);
    case "back":
      return pass(-each.by);
    case "work":
      return work(routine);
    case "pause":
      return pause(routine, ledger, each);
    case "away":
      return away(ledger, each);
    case "edit":
      return edit(routine, ledger, each);
  }
}

/** Everything in line is taken up and done. */
async function work(routine: Routine): Promise<void> {
  for (;;) {
    const runId = await scene.claim(routine).catch(() => undefined);
    if (runId === undefined) return;
    await scene.end(runId);
  }
}

async function pause({ id }: Routine, ledger: Ledger, { after, paused }: EventOf<"pause">): Promise<void> {
  pass(after);
  await scene.unit((unit) => scene.routines.pause(unit, scene.ada, id));
  settled(ledger);
  pass(paused);
  await scene.tick();
  await scene.unit((unit) => scene.routines.resume(unit, scene.ada, id));
  ledger.cursor = Math.max(scene.now().getTime(), ledger.triggers.at(-1)?.due.at(-1) ?? 0);
}

async function away(ledger: Ledger, { after }: EventOf<"away">): Promise<void> {
  const setHidden = (hidden: Date | null) => scene.db.updateTable("teammates").set({ hidden_at: hidden }).execute();
  await setHidden(scene.now());
  pass(after);
  await scene.tick();
  await scene.unit((unit) => scene.routines.catchUp(unit, scene.milo.id));
  await setHidden(null);
  settled(ledger);
}

async function edit({ id }: Routine, ledger: Ledger, { after, schedule, zone }: EventOf<"edit">): Promise<void> {
  pass(after);
  const change = { trigger: scheduled(schedule), timezone: zone };
  await scene.unit((unit) => scene.routines.update(unit, scene.ada, id, change));
  const { trigger_revision: revision } = await scene.db
    .selectFrom("routines")
    .select("trigger_revision")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (revision === ledger.triggers.length) return;
  settled(ledger);
  ledger.triggers.push({ schedule, zone, due: [] });
  ledger.cursor = scene.now().getTime();
}

/** Every due time is a run, or covered by one, or skipped for a stated reason; and nothing is anything twice. */
async function expectAccounted({ id, conversationId }: Routine, ledger: Ledger): Promise<void> {
  const rows = await scene.db.selectFrom("routine_runs").selectAll().where("routine_id", "=", id).execute();
  for (const [at, { schedule, zone, due }] of ledger.triggers.entries()) {
    const own = rows.filter((row) => row.trigger_revision === at + 1);
    const accounted = own.flatMap((row) => {
      const first = (row.missed_since ?? row.scheduled_for).getTime();
      const times = dueTimes(schedule, zone, new Date(first - minute), row.scheduled_for);
      expect(times, "what a row says it stands for").toHaveLength(row.missed + 1);
      return times;
    });
    // Where the clock was set back, a moment may have been taken under an earlier trigger already.
    const taken = rows.filter((row) => row.trigger_revision <= at).map((row) => row.scheduled_for.getTime());
    const open = due.filter((each) => accounted.includes(each) || !taken.includes(each));
    expect(accounted.sort((one, other) => one - other).map(stamp)).toEqual(open.map(stamp));
  }
  for (const row of rows) expect(row.delivery_id === null).toBe(row.skipped_because !== null);
  const lines = await scene.db
    .selectFrom("deliveries")
    .select("id")
    .where("conversation_id", "=", conversationId)
    .execute();
  expect(lines).toHaveLength(rows.filter((row) => row.skipped_because === null).length);
}

function stamp(at: number): string {
  return new Date(at).toISOString();
}

it(`F-51 every due time runs once, or is covered or skipped, whatever happens (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const policy = fc.constantFrom("run_once" as const, "skip" as const);
  const life = fc.record({ schedule, zone, missed: policy, events: fc.array(event, { minLength: 4, maxLength: 16 }) });
  await fc.assert(
    fc.asyncProperty(life, async ({ schedule, zone, missed, events }) => {
      scene.at(start);
      const routine = await scene.make({ trigger: scheduled(schedule), timezone: zone, missed });
      const ledger: Ledger = { triggers: [{ schedule, zone, due: [] }], cursor: start.getTime() };
      try {
        for (const each of events) await happen(routine, ledger, each);
        await scene.tick();
        settled(ledger);
        await expectAccounted(routine, ledger);
      } finally {
        await scene.db.updateTable("teammates").set({ hidden_at: null }).execute();
        await scene.unit((unit) => scene.routines.remove(unit, scene.ada, routine.id));
      }
    }),
    { seed, numRuns, endOnFailure: process.env.ROUTINES_SHRINK === undefined },
  );
});
