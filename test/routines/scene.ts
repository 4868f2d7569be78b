import { wireRoutines } from "../../src/app/routines.ts";
import { createMailbox } from "../../src/mailbox/index.ts";
import type { Person } from "../../src/people/index.ts";
import type { NewRoutine, Routine, Routines, Schedule } from "../../src/routines/index.ts";
import { createRunControl } from "../../src/runs/index.ts";
import { newId, silentLog } from "../../src/shared/index.ts";
import type { Db, PlaceAccess, QueuePayload, Queues, RunStatus, Unit } from "../../src/storage/index.ts";
import type { Teammate } from "../../src/teammates/index.ts";
import { ada, dm, type Office, openOffice, person } from "../inbox/office.ts";

/** Routines on a real database with a clock that a test sets. Missing: a worker that takes up what is delivered. */
export interface Scene extends AsyncDisposable {
  readonly office: Office;
  readonly db: Db;
  readonly routines: Routines;
  readonly milo: Teammate;
  readonly ada: Person;
  readonly ben: Person;
  readonly home: Routine["home"];
  /** What the queue was asked for. */
  readonly wakeUps: { readonly task: string; readonly delayMs: number }[];
  now(): Date;
  /** Sets the clock, forward or back. */
  at(moment: string | Date): void;
  unit<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
  tick(routines?: Routines): Promise<void>;
  make(more?: Partial<NewRoutine>, by?: Person): Promise<Routine>;
  get(id: string): Promise<Routine>;
  /** Its rows in the order of their due times: when, what became of it, and what it stands for besides. */
  rows(id: string): Promise<string[]>;
  place(title: string, access?: PlaceAccess): Promise<string>;
  /** Takes the head of a routine's line up, as a worker does; gives the run. */
  claim(routine: Routine): Promise<string>;
  setRun(runId: string, status: RunStatus): Promise<void>;
  end(runId: string, outcome?: "completed" | "failed" | "interrupted", errorCode?: string): Promise<void>;
  /** Back to the beginning: Monday, the second of March 2026, eight o'clock. */
  reset(): Promise<void>;
}

export const daily = (at: string) => scheduled({ kind: "daily", at });
export const hourly = (minute: number) => scheduled({ kind: "hourly", minute });

export function scheduled(schedule: Schedule) {
  return { kind: "schedule", schedule } as const;
}

const beginning = new Date("2026-03-02T08:00:00Z");
const ben = person("ben", "Ben");

export async function openScene(): Promise<Scene> {
  const office = await openOffice();
  const { db, deps } = office;
  let now = beginning;
  const clock = { now: () => now };
  const wakeUps: { task: string; delayMs: number }[] = [];
  const queues: Pick<Queues, "add"> = {
    async add(queue, payload, options) {
      if (queue !== "clock") return;
      wakeUps.push({ task: (payload as QueuePayload<"clock">).task, delayMs: options?.delayMs ?? 0 });
    },
  };
  const { outbox, people, places } = deps;
  const mailbox = createMailbox({ db, log: silentLog, clock, queues, outbox });
  const runs = createRunControl({ queues, mailbox, clock });
  const routines = wireRoutines({ queues, mailbox, runs, outbox, people, places, clock, log: silentLog });

  async function settleIn() {
    await office.reset();
    await office.claim();
    now = beginning;
    wakeUps.length = 0;
    const member = await office.hire(ben, "member");
    const [owner] = await people.owners(db);
    const [milo] = await deps.teammates.list(db);
    if (!owner || !milo) throw new Error("nobody is there");
    const { id } = await office.unit((unit) => places.ensure(unit, office.connectionId, dm(ada)));
    return { milo, ada: owner, ben: member, home: { placeId: id, thread: "" } };
  }
  let around = await settleIn();

  async function get(id: string): Promise<Routine> {
    const routine = await routines.get(db, id);
    if (!routine) throw new Error("there is no such routine");
    return routine;
  }

  return {
    office,
    db,
    routines,
    get milo() {
      return around.milo;
    },
    get ada() {
      return around.ada;
    },
    get ben() {
      return around.ben;
    },
    get home() {
      return around.home;
    },
    wakeUps,
    now: () => now,
    at(moment) {
      now = new Date(moment);
    },
    unit: office.unit,
    tick: (which = routines) => which.tick(db),
    async make(more = {}, by = around.ada) {
      const saved = await office.unit((unit) =>
        routines.create(unit, by, { ...plan(around.milo, around.home), ...more }),
      );
      if (saved.kind === "refused") throw new Error(`refused: ${JSON.stringify(saved.problem)}`);
      return saved.routine;
    },
    get,
    async rows(id) {
      const all = await routines.runs(db, id, 1_000);
      return all
        .sort((one, other) => one.scheduledFor.getTime() - other.scheduledFor.getTime())
        .map((run) => {
          const what = run.skippedBecause === null ? run.status : `skipped: ${run.skippedBecause}`;
          const since = run.missedSince === null ? "" : `, and ${run.missed} since ${stamp(run.missedSince)}`;
          return `${stamp(run.scheduledFor)} ${what}${run.late ? ", late" : ""}${since}`;
        });
    },
    async place(title, access = "members") {
      const id = await office.unit(async (unit) => {
        const inbound = { channel: `channel-${title}`, kind: "group", title } as const;
        return (await places.ensure(unit, office.connectionId, inbound)).id;
      });
      await db.updateTable("places").set({ access }).where("id", "=", id).execute();
      return id;
    },
    async claim({ conversationId }) {
      const claim = await mailbox.claim(conversationId, { computer: "main", maxConcurrentRuns: 1_000 });
      if (claim.kind !== "claimed") throw new Error(`not claimed: ${claim.kind}`);
      await db.updateTable("deliveries").set({ status: "running" }).where("run_id", "=", claim.run.id).execute();
      await db.updateTable("runs").set({ status: "running" }).where("id", "=", claim.run.id).execute();
      return claim.run.id;
    },
    async setRun(runId, status) {
      await db.updateTable("runs").set({ status }).where("id", "=", runId).execute();
    },
    async end(runId, status = "completed", errorCode) {
      const error = { error_code: errorCode ?? null, completed_at: now };
      await db
        .updateTable("runs")
        .set({ status, ...error })
        .where("id", "=", runId)
        .execute();
      await office.unit((unit) => mailbox.settleRun(unit, runId, { status, errorCode: errorCode ?? null }));
    },
    async reset() {
      around = await settleIn();
    },
    [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
  };
}

/** 03-02 09:00, and with seconds where there are some. */
function stamp(moment: Date): string {
  return moment
    .toISOString()
    .slice(5)
    .replace("T", " ")
    .replace(/:00\.000Z$|\.000Z$/, "");
}

/** Every day at nine in UTC. */
export function plan({ id: teammateId }: Teammate, home: Routine["home"]): NewRoutine {
  return {
    kind: "routine",
    name: `Report ${newId().slice(-6)}`,
    instruction: "Say what is new.",
    trigger: daily("09:00"),
    timezone: "UTC",
    destinations: [],
    missed: "run_once",
    atLimit: "wait",
    teammateId,
    home,
  };
}
