import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { daily, hourly, openScene, type Scene, scheduled } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => scene.reset());

const queued = () => scene.db.selectFrom("deliveries").select("id").where("status", "=", "queued").execute();

describe("after three days asleep", () => {
  it("what was missed is one late run, which says what it stands for", async () => {
    const routine = await scene.make();
    scene.at("2026-03-05T11:00Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-05 09:00 queued, late, and 3 since 03-02 09:00"]);
    expect((await scene.get(routine.id)).nextDueAt).toEqual(new Date("2026-03-06T09:00Z"));
    const runId = await scene.claim(routine);
    expect(await scene.routines.briefing(scene.db, runId)).toMatchObject({
      source: "schedule",
      scheduledFor: new Date("2026-03-05T09:00Z"),
      late: true,
      missed: 3,
      missedSince: new Date("2026-03-02T09:00Z"),
    });
  });

  it("or one skipped row with the same counts, where missed ones are not made up for", async () => {
    const routine = await scene.make({ missed: "skip" });
    scene.at("2026-03-05T11:00Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-05 09:00 skipped: missed, late, and 3 since 03-02 09:00"]);
    expect(await queued()).toEqual([]);
    scene.at("2026-03-06T09:00:05Z");
    await scene.tick();
    expect((await scene.rows(routine.id)).at(-1)).toBe("03-06 09:00 queued");
  });

  it("those of many routines do not all begin at once", async () => {
    for (const minute of [0, 10, 20, 30]) await scene.make({ trigger: hourly(minute) });
    scene.at("2026-03-05T11:45Z");
    await scene.tick();
    const lines = await scene.db.selectFrom("deliveries").select("ready_at").execute();
    expect(new Set(lines.map((line) => line.ready_at.getTime())).size).toBe(4);
  });
});

describe("woken in the minute in which one is due", () => {
  it("that one is on time, and stands for the missed ones too", async () => {
    const routine = await scene.make();
    scene.at("2026-03-05T09:01Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-05 09:00 queued, and 3 since 03-02 09:00"]);
  });

  it("or it runs, and the missed ones are skipped", async () => {
    const routine = await scene.make({ missed: "skip" });
    scene.at("2026-03-05T09:01Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual([
      "03-04 09:00 skipped: missed, late, and 2 since 03-02 09:00",
      "03-05 09:00 queued",
    ]);
  });
});

it("two minutes late is not late yet", async () => {
  const [one, other] = [await scene.make(), await scene.make({ missed: "skip" })];
  scene.at("2026-03-02T09:02:00Z");
  await scene.tick();
  expect(await scene.rows(one.id)).toEqual(["03-02 09:00 queued"]);
  expect(await scene.rows(other.id)).toEqual(["03-02 09:00 queued"]);
});

describe("a clock", () => {
  it("that was set back runs nothing again", async () => {
    const routine = await scene.make();
    scene.at("2026-03-02T09:00:01Z");
    await scene.tick();
    const runId = await scene.claim(routine);
    await scene.end(runId);
    scene.at("2026-03-02T08:30Z");
    await scene.tick();
    scene.at("2026-03-02T09:00:01Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 succeeded"]);
  });

  it("that was set back, with a pause in between, runs nothing again that was run or covered", async () => {
    const routine = await scene.make();
    scene.at("2026-03-05T11:00Z");
    await scene.tick();
    await scene.end(await scene.claim(routine));
    scene.at("2026-03-03T08:00Z");
    await scene.unit((unit) => scene.routines.pause(unit, scene.ada, routine.id));
    const resumed = await scene.unit((unit) => scene.routines.resume(unit, scene.ada, routine.id));
    expect(resumed).toMatchObject({ routine: { nextDueAt: new Date("2026-03-06T09:00Z") } });
    scene.at("2026-03-05T12:00Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-05 09:00 succeeded, late, and 3 since 03-02 09:00"]);
  });

  it("that was set back, with another time chosen in between, takes no moment twice and leaves none out", async () => {
    const routine = await scene.make({ trigger: hourly(0) });
    scene.at("2026-03-02T12:00:10Z");
    await scene.tick();
    await scene.end(await scene.claim(routine));
    scene.at("2026-03-02T08:30:00Z");
    const trigger = scheduled({ kind: "cron", expression: "*/30 * * * *" });
    await scene.unit((unit) => scene.routines.update(unit, scene.ada, routine.id, { trigger }));
    scene.at("2026-03-02T12:00:20Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual([
      "03-02 11:30 queued, late, and 5 since 03-02 09:00",
      "03-02 12:00 succeeded, and 3 since 03-02 09:00",
    ]);
    expect((await scene.get(routine.id)).nextDueAt).toEqual(new Date("2026-03-02T12:30Z"));
  });

  it("that was wrong for years does no harm once somebody chooses the time again", async () => {
    const routine = await scene.make();
    scene.at("2031-03-05T11:00Z");
    await scene.tick();
    await scene.end(await scene.claim(routine));
    scene.at("2026-03-03T08:00Z");
    await scene.unit((unit) => scene.routines.update(unit, scene.ada, routine.id, { trigger: daily("09:30") }));
    scene.at("2026-03-03T09:30:01Z");
    await scene.tick();
    expect(await scene.rows(routine.id)).toContain("03-03 09:30 queued");
  });
});
