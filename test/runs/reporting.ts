import { createOutbox } from "../../src/outbox/index.ts";
import { createPeople } from "../../src/people/index.ts";
import { setConnectionState } from "../../src/places/index.ts";
import type { RoutineBriefing } from "../../src/routines/index.ts";
import type { ActiveRun } from "../../src/runs/active-run.ts";
import { newActiveRun } from "../../src/runs/active-run.ts";
import { postReport } from "../../src/runs/report.ts";
import { loadContext } from "../../src/runs/run-context.store.ts";
import type { RunDeps } from "../../src/runs/settings.ts";
import { createTimelineWriter } from "../../src/runs/timeline-writer.ts";
import { newId, silentLog } from "../../src/shared/index.ts";
import type { Life, Room, Workshop } from "./workshop.ts";

export interface SeededRoutine {
  readonly id: string;
  readonly conversationId: string;
  readonly home: Room;
}

export interface Reported {
  readonly routineRunId: string;
  readonly runId: string;
  /** The part at home that is the report's last. */
  readonly atHome: string | undefined;
}

export interface ReportOptions extends Partial<RoutineBriefing> {
  readonly files?: readonly { readonly path: string; readonly name: string }[];
  /** The end of a run that reported already, repeated. */
  readonly again?: Reported;
}

/** Ada's routines, as they stand in the database, and the ends of their runs. */
export function createReporting(workshop: Workshop, life: () => Life) {
  const { db, clock, teammate, ada } = workshop;

  async function routine(home: Room, name = "Open incidents"): Promise<SeededRoutine> {
    const [id, conversationId] = [newId(), newId()];
    await db
      .insertInto("routines")
      .values({
        id,
        teammate_id: teammate.id,
        kind: "routine",
        name,
        instruction: "Look for open incidents.",
        trigger: JSON.stringify({ kind: "webhook", filter: { types: [], fields: [] } }),
        timezone: "Europe/Lisbon",
        place_id: home.placeId,
        thread: home.thread,
        missed_policy: "run_once",
        limit_policy: "wait",
        created_by: ada.id,
      })
      .execute();
    await db
      .insertInto("conversations")
      .values({
        id: conversationId,
        place_id: home.placeId,
        teammate_id: teammate.id,
        thread: home.thread,
        kind: "routine",
        routine_id: id,
      })
      .execute();
    return { id, conversationId, home };
  }

  async function destination(of: SeededRoutine, room: Room, ownThread = false): Promise<string> {
    const id = newId();
    const before = await db.selectFrom("routine_destinations").select("id").where("routine_id", "=", of.id).execute();
    await db
      .insertInto("routine_destinations")
      .values({
        id,
        routine_id: of.id,
        position: before.length,
        place_id: room.placeId,
        thread: room.thread,
        own_thread: ownThread,
      })
      .execute();
    return id;
  }

  async function newRun(of: SeededRoutine): Promise<Pick<Reported, "routineRunId" | "runId">> {
    const [routineRunId, runId] = [newId(), newId()];
    const at = clock.now();
    await db
      .insertInto("routine_runs")
      .values({ id: routineRunId, routine_id: of.id, source: "manual", scheduled_for: at, trigger_revision: 1 })
      .execute();
    await db
      .insertInto("runs")
      .values({
        id: runId,
        conversation_id: of.conversationId,
        teammate_id: teammate.id,
        requester_person_id: ada.id,
        trigger: "routine",
        status: "completed",
        computer: "main",
      })
      .execute();
    return { routineRunId, runId };
  }

  function deps(): RunDeps {
    const { queues } = life().storage;
    const people = createPeople({ clock });
    const adapters = { get: () => workshop.platform.adapter };
    const outbox = createOutbox({ db, adapters, queues, people, setConnectionState, clock, log: silentLog });
    // The rest of what a run has plays no part in where its report goes.
    return { db, clock, log: silentLog, adapters, outbox, people, teammates: life().teammates } as unknown as RunDeps;
  }

  async function report(of: SeededRoutine, text: string, options: ReportOptions = {}): Promise<Reported> {
    const { files = [], again, ...more } = options;
    const { routineRunId, runId } = again ?? (await newRun(of));
    const context = await loadContext(db, runId);
    if (context === undefined) throw new Error("the run is not there");
    const timeline = createTimelineWriter({ db, runId, log: silentLog });
    const run: ActiveRun = newActiveRun({ context, deliveries: [], timeline, now: clock.now() });
    run.files.push(...files.map((file, order) => ({ ...file, size: 1, key: `file:${order}`, order })));
    const briefing: RoutineBriefing = {
      routineRunId,
      routineId: of.id,
      kind: "routine",
      name: "Open incidents",
      instruction: "Look for open incidents.",
      source: "schedule",
      scheduledFor: clock.now(),
      timezone: "Europe/Lisbon",
      late: false,
      missed: 0,
      missedSince: null,
      payload: null,
      atLimit: "wait",
      author: { id: ada.id, name: ada.displayName },
      isOver: false,
      quiet: false,
      failure: null,
      ...more,
    };
    const said = { kind: "answer", text, spoken: text, reaction: "done", note: null, retry: false } as const;
    const atHome = await workshop.unit((unit) => postReport(deps(), unit, run, briefing, said));
    return { routineRunId, runId, atHome };
  }

  return { routine, destination, report };
}
