import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Person, Role } from "../../src/people/index.ts";
import type { NewRoutine, RoutinePlan, RoutineProblem } from "../../src/routines/index.ts";
import type { Actor } from "../../src/teammates/index.ts";
import { dm, person } from "../inbox/office.ts";
import { daily, openScene, plan, type Scene, scheduled } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => scene.reset());

const create = (more: Partial<NewRoutine> = {}, by: Actor = scene.ada, key?: string) =>
  scene.unit((unit) => scene.routines.create(unit, by, { ...plan(scene.milo, scene.home), ...more }, key));
const update = (id: string, change: Partial<RoutinePlan>, by: Actor = scene.ada) =>
  scene.unit((unit) => scene.routines.update(unit, by, id, change));
const hire = (name: string, role: Role) => scene.office.hire(person(name.toLowerCase(), name), role);
const refusal = (problem: RoutineProblem) => ({ kind: "refused", problem });
const notAllowed = refusal({ kind: "not_allowed" });
const count = async () => (await scene.routines.list(scene.db)).length;
const behalfOf = (requester: Person | null): Actor => ({ teammate: scene.milo, requester });

describe("making a routine", () => {
  it("keeps what was decided, makes its own lane, and writes down who made it", async () => {
    const ops = await scene.place("Ops");
    const destinations = [{ placeId: ops, thread: "7", ownThread: false }];
    const routine = await scene.make({ name: " Stand-up\n notes ", timezone: "Europe/Lisbon", destinations });
    expect(routine).toMatchObject({
      name: "Stand-up notes",
      instruction: "Say what is new.",
      trigger: daily("09:00"),
      timezone: "Europe/Lisbon",
      destinations,
      home: scene.home,
      active: true,
      stoppedBecause: null,
      author: { id: scene.ada.id },
      teammateName: "Milo",
    });
    const lane = await scene.db.selectFrom("conversations").selectAll().where("routine_id", "=", routine.id).execute();
    expect(lane).toMatchObject([{ id: routine.conversationId, kind: "routine", place_id: scene.home.placeId }]);
    const log = await scene.db.selectFrom("audit_log").selectAll().where("target", "=", routine.id).execute();
    expect(log).toMatchObject([{ action: "routine_created", person_id: scene.ada.id, teammate_id: scene.milo.id }]);
  });

  it("is for members and above, for themselves; a teammate makes one with the rights of whoever asked it", async () => {
    const guest = await hire("Gil", "guest");
    expect(await create({}, guest)).toEqual(notAllowed);
    expect(await create({}, behalfOf(guest))).toEqual(notAllowed);
    expect(await create({}, behalfOf(null))).toEqual(notAllowed);
    expect(await create({}, scene.ben)).toMatchObject({ kind: "saved", routine: { author: { name: "Ben" } } });
    expect(await create({}, behalfOf(scene.ben))).toMatchObject({
      kind: "saved",
      routine: { author: { name: "Ben" } },
    });
    expect(await count()).toBe(2);
  });

  it("that is repeated with the same key gives what was made, also at the same time", async () => {
    const made = await Promise.all([1, 2, 3].map(() => create({ name: "Once" }, scene.ada, "key-1")));
    const ids = made.map((each) => (each.kind === "saved" ? each.routine.id : each.problem.kind));
    expect(new Set(ids).size).toBe(1);
    expect(await count()).toBe(1);
  });

  it.each<[string, Partial<NewRoutine>, RoutineProblem]>([
    ["no name", { name: " \n " }, { kind: "name_empty" }],
    ["a long name", { name: "n".repeat(81) }, { kind: "name_too_long" }],
    ["no instruction", { instruction: "\n" }, { kind: "instruction_empty" }],
    ["a long instruction", { instruction: "i".repeat(100_001) }, { kind: "instruction_too_long" }],
    [
      "a zone that is none",
      { timezone: "Mars/North" },
      { kind: "schedule", problem: { kind: "zone", zone: "Mars/North" } },
    ],
    [
      "times that are too close",
      { trigger: scheduled({ kind: "cron", expression: "*/2 * * * *" }) },
      { kind: "schedule", problem: { kind: "too_often", minutes: 2, least: 3 } },
    ],
    [
      "a day that never comes",
      { trigger: scheduled({ kind: "cron", expression: "0 0 31 2 *" }) },
      { kind: "schedule", problem: { kind: "never" } },
    ],
  ])("with %s is refused", async (_, more, problem) => {
    expect(await create(more)).toEqual(refusal(problem));
    const asked = { ...plan(scene.milo, scene.home), ...more };
    expect(await scene.routines.check(scene.db, scene.ada, asked)).toEqual(problem);
    expect(await count()).toBe(0);
  });

  it("keeps to the longest name and instruction", async () => {
    const longest = { name: "n".repeat(80), instruction: "i".repeat(100_000) };
    expect(await create(longest)).toMatchObject({ kind: "saved" });
  });

  it("with a name that another one of the teammate has is refused, in any case, also at the same time", async () => {
    const made = await Promise.all(["Daily", "DAILY", "daily"].map((name) => create({ name })));
    expect(made.filter(({ kind }) => kind === "saved")).toHaveLength(1);
    expect(made.filter(({ kind }) => kind === "refused")).toEqual([
      refusal({ kind: "name_taken" }),
      refusal({ kind: "name_taken" }),
    ]);
    const other = await scene.make();
    expect(await update(other.id, { name: "dAILY" })).toEqual(refusal({ kind: "name_taken" }));
  });

  it("stops at 64 for a teammate; a deleted one makes room, and gives its name back", async () => {
    const first = await scene.make({ name: "First" });
    await Promise.all(Array.from({ length: 63 }, () => scene.make()));
    expect(await create()).toEqual(refusal({ kind: "too_many", limit: 64 }));
    await scene.unit((unit) => scene.routines.remove(unit, scene.ada, first.id));
    expect(await create({ name: "First" })).toMatchObject({ kind: "saved" });
  });

  it("for a teammate who is away or does not exist is refused", async () => {
    await scene.db.updateTable("teammates").set({ hidden_at: scene.now() }).execute();
    expect(await create()).toEqual(refusal({ kind: "no_teammate" }));
    expect(await create({ teammateId: scene.home.placeId })).toEqual(refusal({ kind: "no_teammate" }));
  });
});

describe("where reports go", () => {
  const to = (placeId: string) => ({ destinations: [{ placeId, thread: "", ownThread: false }] });

  it("is only where the author may ask: no closed or gone place, and nobody else's private chat", async () => {
    const places = await Promise.all([
      scene.place("Closed", "closed"),
      scene.place("Mine", "owner"),
      scene.unit(async (unit) => {
        const { places } = scene.office.deps;
        return (await places.ensure(unit, scene.office.connectionId, dm(person("ben", "Ben")))).id;
      }),
    ]);
    const [closed, owners, bens] = places;
    const gone = await scene.place("Gone");
    await scene.db.updateTable("places").set({ archived_at: scene.now() }).where("id", "=", gone).execute();
    for (const placeId of [closed, bens, gone, scene.milo.id]) {
      expect(await create(to(placeId ?? ""))).toEqual(refusal({ kind: "place", placeId: placeId ?? "" }));
    }
    expect(await create(to(owners ?? ""))).toMatchObject({ kind: "saved" });
    expect(await create({ ...to(owners ?? ""), home: { placeId: bens ?? "", thread: "" } }, scene.ben)).toEqual(
      refusal({ kind: "place", placeId: owners ?? "" }),
    );
  });

  it("is asked of its author, whoever changes it", async () => {
    const secret = await scene.place("Only Ada", "owner");
    const bens = await scene.make({}, scene.ben);
    expect(await update(bens.id, to(secret))).toEqual(refusal({ kind: "place", placeId: secret }));
  });

  it("is twenty places at most, each of them once, and keeps a place's own thread through a change", async () => {
    const all = await Promise.all(Array.from({ length: 21 }, (_, nth) => scene.place(`Place ${nth}`)));
    const destinations = all.map((placeId) => ({ placeId, thread: "", ownThread: true }));
    expect(await create({ destinations })).toEqual(refusal({ kind: "too_many_destinations", limit: 20 }));
    const twenty = destinations.slice(0, 20);
    const routine = await scene.make({
      destinations: [...twenty.slice(0, 19), ...twenty.slice(0, 1)],
    });
    expect(routine.destinations).toHaveLength(19);
    const [first, second, ...rest] = routine.destinations;
    if (!first || !second) throw new Error("there are destinations");
    await scene.db
      .updateTable("routine_destinations")
      .set({ own_thread_id: "thread-1" })
      .where("place_id", "=", first.placeId)
      .execute();
    await update(routine.id, { destinations: [...rest, first] });
    expect((await scene.get(routine.id)).destinations).toEqual([...rest, first]);
    const kept = await scene.db.selectFrom("routine_destinations").select(["place_id", "own_thread_id"]).execute();
    expect(kept.find((each) => each.place_id === first.placeId)?.own_thread_id).toBe("thread-1");
    expect(kept.some((each) => each.place_id === second.placeId)).toBe(false);
  });
});

describe("changing a routine", () => {
  it("is for its author, and managers and above; all of it or nothing", async () => {
    const mine = await scene.make({}, scene.ben);
    const cleo = await hire("Cleo", "member");
    const mo = await hire("Mo", "manager");
    expect(await update(mine.id, { name: "Hers" }, cleo)).toEqual(notAllowed);
    expect(await update(mine.id, { name: "Hers" }, behalfOf(cleo))).toEqual(notAllowed);
    expect(await update(mine.id, { name: "Mine", instruction: "" }, scene.ben)).toEqual(
      refusal({ kind: "instruction_empty" }),
    );
    expect(await update(mine.id, { name: "Mine" }, scene.ben)).toMatchObject({
      kind: "saved",
      routine: { name: "Mine" },
    });
    expect(await update(mine.id, { name: "Mo's" }, mo)).toMatchObject({
      kind: "saved",
      routine: { name: "Mo's", author: { name: "Ben" } },
    });
    // It acts with Ada's rights, who is the owner: a manager may hold it up, and say nothing in her name.
    const adas = await scene.make();
    expect(await update(adas.id, { instruction: "Give me her keys." }, mo)).toEqual(refusal({ kind: "outranked" }));
    expect(await update(adas.id, { name: "Mo's" }, behalfOf(mo))).toEqual(refusal({ kind: "outranked" }));
    expect(await scene.unit((unit) => scene.routines.pause(unit, mo, adas.id))).toMatchObject({ kind: "saved" });
    for (const act of ["pause", "resume", "remove"] as const) {
      expect(await scene.unit((unit) => scene.routines[act](unit, cleo, mine.id))).toEqual(notAllowed);
    }
    expect(await scene.unit((unit) => scene.routines.runNow(unit, cleo, mine.id, "test", "1"))).toEqual(notAllowed);
    const log = await scene.db
      .selectFrom("audit_log")
      .select(["action", "data"])
      .where("target", "=", mine.id)
      .execute();
    expect(log.map(({ action }) => action)).toEqual(["routine_created", "routine_changed", "routine_changed"]);
    expect(log[1]?.data).toEqual({ name: { from: mine.name, to: "Mine" } });
  });

  it("with another time counts from now; with other words it stays due when it was", async () => {
    const routine = await scene.make();
    await update(routine.id, { instruction: "Say less." });
    expect((await scene.get(routine.id)).nextDueAt).toEqual(routine.nextDueAt);
    await update(routine.id, { trigger: daily("07:00") });
    expect((await scene.get(routine.id)).nextDueAt).toEqual(new Date("2026-03-03T07:00Z"));
    await update(routine.id, { timezone: "America/New_York" });
    expect((await scene.get(routine.id)).nextDueAt).toEqual(new Date("2026-03-02T12:00Z"));
  });

  it("that is due already: what was due is run by what it was, once", async () => {
    const routine = await scene.make();
    scene.at("2026-03-02T09:00:30Z");
    await update(routine.id, { trigger: daily("09:01") });
    await scene.tick();
    scene.at("2026-03-02T09:01:00Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 queued", "03-02 09:01 skipped: overlap"]);
  });

  it("to a time that has passed is refused, and a passed one does not stand in the way of other changes", async () => {
    const once = scheduled({ kind: "once", at: "2026-03-02T09:00" });
    const routine = await scene.make({ trigger: once });
    scene.at("2026-03-02T10:00Z");
    await scene.tick();
    expect(await update(routine.id, { instruction: "Say less." })).toMatchObject({ kind: "saved" });
    const past = scheduled({ kind: "once", at: "2026-03-02T09:30" });
    expect(await update(routine.id, { trigger: past })).toEqual(
      refusal({ kind: "schedule", problem: { kind: "past", at: "2026-03-02T09:30" } }),
    );
  });

  it("that was deleted is refused", async () => {
    const routine = await scene.make();
    await scene.unit((unit) => scene.routines.remove(unit, scene.ada, routine.id));
    expect(await update(routine.id, { name: "Back" })).toEqual(refusal({ kind: "gone" }));
    expect(await scene.routines.get(scene.db, routine.id)).toBeUndefined();
  });

  it("two at a time are taken one after the other, and nothing of either is lost", async () => {
    const routine = await scene.make();
    await Promise.all([update(routine.id, { name: "Both" }), update(routine.id, { instruction: "Both." })]);
    expect(await scene.get(routine.id)).toMatchObject({ name: "Both", instruction: "Both." });
  });
});
