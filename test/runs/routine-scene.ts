import { afterAll, afterEach, vi } from "vitest";
import type { Person } from "../../src/people/index.ts";
import type { NewRoutine, Routine, RoutineRun } from "../../src/routines/index.ts";
import { newId } from "../../src/shared/index.ts";
import type { ModelRequest } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

export interface MadeRoutine extends Routine {
  readonly room: Room;
}

const everyMinutes = 3;

/** A workshop of a test file's own in which routines run, closed with it. Its model forgets what is left after each test. */
export async function useRoutineShop() {
  const shop = await openWorkshop();
  afterEach(() => shop.model.reset());
  afterAll(() => shop[Symbol.asyncDispose]());
  const life = await shop.start();
  return { shop, life, scene: createRoutineScene(shop, () => life) };
}

/** Routines of the workshop's teammate, and what becomes of them. */
export function createRoutineScene(shop: Workshop, life: () => Life) {
  const { db, clock } = shop;

  /** Due every three minutes, unless it is said otherwise; Ada's. */
  async function make(room: Room, more: Partial<NewRoutine> = {}, author: Person = shop.ada): Promise<MadeRoutine> {
    const name = more.name ?? `Incidents ${newId().slice(-6)}`;
    const saved = await shop.unit((unit) =>
      life().routines.create(unit, author, {
        kind: "routine",
        name,
        instruction: "Look for open incidents.",
        trigger: {
          kind: "schedule",
          schedule: { kind: "interval", everyMinutes, anchor: new Date(clock.now()).toISOString() },
        },
        timezone: "Europe/Lisbon",
        destinations: [],
        missed: "run_once",
        atLimit: "wait",
        ...more,
        teammateId: shop.teammate.id,
        home: { placeId: room.placeId, thread: room.thread },
      }),
    );
    if (saved.kind === "refused") throw new Error(`refused: ${saved.problem.kind}`);
    return { ...saved.routine, room };
  }

  const latest = async (routine: Routine): Promise<RoutineRun | undefined> =>
    (await life().routines.runs(db, routine.id, 1))[0];

  /** Waits until its latest run stands like that. */
  const stands = (routine: Routine, status: RoutineRun["status"]) =>
    vi.waitFor(
      async () => {
        const run = await latest(routine);
        if (run?.status !== status) throw new Error(`still ${run?.status}, not ${status}`);
        return run;
      },
      { timeout: 20_000, interval: 20 },
    );

  /** Lets the time pass until it is due, and sees to it; the only one that is due then. */
  async function fallDue(routine: Routine): Promise<void> {
    const next = (await life().routines.get(db, routine.id))?.nextDueAt;
    if (next == null) throw new Error("it is never due");
    clock.pass(Math.max(0, next.getTime() - clock.now().getTime()) + 1);
    await db.updateTable("routines").set({ active: false }).where("id", "<>", routine.id).execute();
    await life().routines.tick(db);
  }

  const runNow = (routine: Routine, how: "manual" | "test") =>
    shop.unit((unit) => life().routines.runNow(unit, shop.ada, routine.id, how, newId()));

  const call = (routine: Routine, payload: string) =>
    shop.unit((unit) => life().routines.startFromWebhook(unit, routine.id, { payload, at: clock.now() }));

  /** What the model was told of a routine's run, newest last. */
  const asked = (routine: Routine): ModelRequest[] =>
    shop.model.requests.filter(({ lastUserText }) => lastUserText.includes(JSON.stringify(routine.name)));

  /** Everything in a place, progress messages and all, that was ever posted there. */
  const posted = (room: Pick<Room, "channel">) =>
    shop.platform.calls.filter((each) => each.op === "post" && each.channel === room.channel).map(({ text }) => text);

  return { make, latest, stands, fallDue, runNow, call, asked, posted };
}
