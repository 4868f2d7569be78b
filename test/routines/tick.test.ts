import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { daily, hourly, openScene, type Scene, scheduled } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => scene.reset());

const lines = () => scene.db.selectFrom("deliveries").selectAll().orderBy("queue_order").execute();

describe("a routine that is due", () => {
  it("is run once, with its author's rights, in a lane of its own, and is due again the next day", async () => {
    const routine = await scene.make();
    expect(routine.nextDueAt).toEqual(new Date("2026-03-02T09:00Z"));
    scene.at("2026-03-02T08:59:59Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual([]);
    scene.at("2026-03-02T09:00:01Z");
    await scene.tick();
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 queued"]);
    expect((await scene.get(routine.id)).nextDueAt).toEqual(new Date("2026-03-03T09:00Z"));
    expect(await lines()).toMatchObject([
      {
        conversation_id: routine.conversationId,
        requester_person_id: scene.ada.id,
        trigger: "routine",
        ready_at: scene.now(),
      },
    ]);
    expect(await scene.claim(routine)).toBeTruthy();
  });

  it("is run once, however many look at the same time", async () => {
    const all = await Promise.all(["A", "B", "C", "D"].map((name) => scene.make({ name })));
    scene.at("2026-03-02T09:00:01Z");
    await Promise.all(Array.from({ length: 6 }, () => scene.tick()));
    await scene.tick();
    for (const { id } of all) expect(await scene.rows(id)).toEqual(["03-02 09:00 queued"]);
    expect(await lines()).toHaveLength(4);
  });

  it("that others are due with begins a little later than the first, all of them within a minute", async () => {
    for (let nth = 0; nth < 30; nth++) await scene.make();
    scene.at("2026-03-02T09:00:00Z");
    await scene.tick();
    const waits = (await lines()).map((line) => line.ready_at.getTime() - scene.now().getTime()).sort((a, b) => a - b);
    expect(waits[0]).toBe(0);
    expect(waits.at(-1)).toBeLessThan(60_000);
    expect(new Set(waits).size).toBe(30);
  });

  it("asks to be woken when the next one is due, and not for what is far away", async () => {
    await scene.make({ trigger: daily("08:00") });
    expect(scene.wakeUps).toEqual([]);
    const soon = await scene.make({ trigger: hourly(1) });
    expect(scene.wakeUps).toEqual([{ task: "routines", delayMs: 60_000 }]);
    scene.at("2026-03-02T08:00:30Z");
    await scene.tick();
    expect(scene.wakeUps.at(-1)).toEqual({ task: "routines", delayMs: 30_000 });
    expect(await scene.rows(soon.id)).toEqual([]);
  });

  it("that is due once is over then, and goes on with a new time", async () => {
    const trigger = scheduled({ kind: "once", at: "2026-03-02T09:00" });
    const routine = await scene.make({ trigger });
    scene.at("2026-03-02T09:00:10Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 queued"]);
    expect(await scene.get(routine.id)).toMatchObject({ active: false, stoppedBecause: "over", nextDueAt: null });
    const runId = await scene.claim(routine);
    expect(await scene.routines.briefing(scene.db, runId)).toMatchObject({ isOver: false });
    const again = await scene.unit((unit) => scene.routines.resume(unit, scene.ada, routine.id));
    expect(again).toEqual({
      kind: "refused",
      problem: { kind: "schedule", problem: { kind: "past", at: "2026-03-02T09:00" } },
    });
    await scene.unit((unit) => scene.routines.update(unit, scene.ada, routine.id, { trigger: daily("10:00") }));
    expect(await scene.get(routine.id)).toMatchObject({ active: true, nextDueAt: new Date("2026-03-02T10:00Z") });
  });
});
