import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { hourly, openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => scene.reset());

async function tickAt(hour: string): Promise<void> {
  scene.at(`2026-03-02T${hour}:00Z`);
  await scene.tick();
}

it("while one is at work, one more waits, and what is due after that is skipped", async () => {
  const routine = await scene.make({ trigger: hourly(0) });
  await tickAt("09:00");
  const runId = await scene.claim(routine);
  await tickAt("10:00");
  await tickAt("11:00");
  expect(await scene.rows(routine.id)).toEqual([
    "03-02 09:00 running",
    "03-02 10:00 queued",
    "03-02 11:00 skipped: overlap",
  ]);
  await expect(scene.claim(routine)).rejects.toThrow("busy");
  await scene.end(runId);
  await scene.end(await scene.claim(routine));
  await tickAt("12:00");
  expect((await scene.rows(routine.id)).slice(-2)).toEqual(["03-02 11:00 skipped: overlap", "03-02 12:00 queued"]);
});

it("while one is at work nothing waits, where missed ones are not made up for", async () => {
  const routine = await scene.make({ trigger: hourly(0), missed: "skip" });
  await tickAt("09:00");
  const runId = await scene.claim(routine);
  await tickAt("10:00");
  await scene.end(runId);
  await tickAt("11:00");
  expect(await scene.rows(routine.id)).toEqual([
    "03-02 09:00 succeeded",
    "03-02 10:00 skipped: overlap",
    "03-02 11:00 queued",
  ]);
});

it("one that waits for a person is at work, too", async () => {
  const routine = await scene.make({ trigger: hourly(0), missed: "skip" });
  await tickAt("09:00");
  await scene.setRun(await scene.claim(routine), "waiting");
  await tickAt("10:00");
  expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 needs_attention", "03-02 10:00 skipped: overlap"]);
});

it("two runs of a routine are two turns, and those of two routines do not wait for each other", async () => {
  const [one, other] = [await scene.make({ trigger: hourly(0) }), await scene.make({ trigger: hourly(0) })];
  await tickAt("09:00");
  scene.at("2026-03-02T09:01:00Z");
  const first = await scene.claim(one);
  await scene.claim(other);
  await tickAt("10:00");
  await scene.end(first);
  scene.at("2026-03-02T10:01:00Z");
  const second = await scene.claim(one);
  const taken = await scene.db.selectFrom("deliveries").select("id").where("run_id", "=", second).execute();
  expect(taken).toHaveLength(1);
});
