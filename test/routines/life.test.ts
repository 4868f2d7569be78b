import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Role } from "../../src/people/index.ts";
import { moveEverything } from "../../src/people/link.store.ts";
import { forgetRuns, type NewRoutine } from "../../src/routines/index.ts";
import { findOpen, saveSecret } from "../../src/routines/webhooks.store.ts";
import type { PlaceAccess } from "../../src/storage/index.ts";
import { command, dm, message, person } from "../inbox/office.ts";
import { daily, hourly, openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => scene.reset());

async function tickAt(moment: string): Promise<void> {
  scene.at(`2026-03-${moment}Z`);
  await scene.tick();
}

const act = (what: "pause" | "resume" | "remove", id: string, by = scene.ada) =>
  scene.unit((unit) => scene.routines[what](unit, by, id));
const runNow = (id: string, how: "manual" | "test", key: string, by = scene.ada) =>
  scene.unit((unit) => scene.routines.runNow(unit, by, id, how, key));
const posts = async () => (await scene.office.posts()).slice(seen);
let seen = 0;
beforeEach(async () => {
  seen = (await scene.office.posts()).length;
});

describe("a paused routine", () => {
  it("is not due, its run in line is cancelled, one at work goes on; then it goes on from now", async () => {
    const routine = await scene.make({ trigger: hourly(0) });
    await tickAt("02T09:00");
    const runId = await scene.claim(routine);
    await tickAt("02T10:00");
    await act("pause", routine.id);
    expect(await scene.get(routine.id)).toMatchObject({ active: false, stoppedBecause: null, nextDueAt: null });
    await tickAt("02T13:30");
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 running", "03-02 10:00 cancelled"]);
    expect(await scene.routines.briefing(scene.db, runId)).toMatchObject({ isOver: false });
    await act("resume", routine.id);
    await tickAt("02T14:00");
    expect((await scene.rows(routine.id)).slice(2)).toEqual(["03-02 14:00 queued"]);
  });

  it("what was due when somebody paused it is skipped, and says so", async () => {
    const routine = await scene.make();
    scene.at("2026-03-02T09:00:10Z");
    await act("pause", routine.id);
    await scene.tick();
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 skipped: paused"]);
  });
});

describe("a deleted routine", () => {
  it("is stopped where it is at work, waits no more, and a run of it is over before it begins", async () => {
    const routine = await scene.make({ trigger: hourly(0) });
    await tickAt("02T09:00");
    const runId = await scene.claim(routine);
    await tickAt("02T10:00");
    await act("remove", routine.id);
    expect(await scene.office.stops()).toEqual([{ runId, by: "Ada" }]);
    expect(await scene.routines.briefing(scene.db, runId)).toMatchObject({ isOver: true });
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 running", "03-02 10:00 cancelled"]);
    await scene.end(runId, "interrupted", "stopped");
    await tickAt("02T11:00");
    await expect(scene.claim(routine)).rejects.toThrow("empty");
  });
});

describe("a teammate that is away", () => {
  const agent = (what: string) => scene.office.sink(command(person("ada", "Ada"), "agent", `${what} Milo`));
  beforeEach(async () => {
    const penny = { name: "Penny", title: "Reporter", job: "Reports." };
    await scene.unit((unit) => scene.office.deps.teammates.create(unit, scene.ada, penny));
  });

  it("runs nothing; when it is back, what was due meanwhile is marked as skipped, and it goes on", async () => {
    const [daily, never] = [await scene.make(), await scene.make({ trigger: hourly(0) })];
    await act("pause", never.id);
    await agent("hide");
    await tickAt("02T09:00");
    await tickAt("04T09:30");
    expect(await scene.rows(daily.id)).toEqual([]);
    await scene.unit(async (unit) => {
      await scene.office.deps.teammates.show(unit, scene.ada, scene.milo.id);
      await scene.routines.catchUp(unit, scene.milo.id);
    });
    await scene.tick();
    expect(await scene.rows(daily.id)).toEqual(["03-04 09:00 skipped: hidden, late, and 2 since 03-02 09:00"]);
    expect(await scene.rows(never.id)).toEqual([]);
    await tickAt("05T09:00");
    expect((await scene.rows(daily.id)).at(-1)).toBe("03-05 09:00 queued");
  });

  it("is had back from the chat with its routines caught up", async () => {
    const routine = await scene.make({ trigger: daily("09:00") });
    await agent("hide");
    // The chat goes by the office's own clock.
    const before = new Date(scene.office.clock.now().getTime() - 3 * 24 * 60 * 60_000);
    await scene.db.updateTable("routines").set({ next_due_at: before }).execute();
    await agent("show");
    const rows = await scene.routines.runs(scene.db, routine.id, 10);
    expect(rows.map((row) => row.skippedBecause)).toEqual(["hidden"]);
    expect(await runNow(routine.id, "manual", "1")).toMatchObject({ kind: "queued" });
  });

  it("is not started by hand, either", async () => {
    const routine = await scene.make();
    await agent("hide");
    expect(await runNow(routine.id, "test", "1")).toEqual({ kind: "refused", problem: { kind: "no_teammate" } });
  });
});

describe("whose author may not use us any more", () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      "gone",
      () => scene.db.updateTable("people").set({ disabled_at: scene.now() }).where("id", "=", scene.ben.id).execute(),
    ],
    ["a guest", () => setRole("guest")],
  ])("%s: the routine ends, a row and the owner say so, once; a manager has it go on as theirs", async (_, leave) => {
    const routine = await scene.make({}, scene.ben);
    await leave();
    await tickAt("02T09:00");
    await tickAt("03T09:00");
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 skipped: author"]);
    expect(await scene.get(routine.id)).toMatchObject({ active: false, stoppedBecause: "author", nextDueAt: null });
    expect(await posts()).toMatchObject([{ channel: "dm-ada", text: expect.stringContaining(routine.name) }]);
    expect(await runNow(routine.id, "test", "1")).toMatchObject({ problem: { kind: "not_allowed" } });
    expect(await act("resume", routine.id)).toMatchObject({
      routine: { active: true, author: { name: "Ada" }, nextDueAt: new Date("2026-03-04T09:00Z") },
    });
  });

  const setRole = (role: Role) => scene.db.updateTable("people").set({ role }).where("id", "=", scene.ben.id).execute();

  it("a run that was claimed just then is over before it begins", async () => {
    const routine = await scene.make({}, scene.ben);
    await tickAt("02T09:00");
    const runId = await scene.claim(routine);
    await setRole("guest");
    expect(await scene.routines.briefing(scene.db, runId)).toMatchObject({ isOver: true });
  });

  it("who knew its webhook's secret starts nothing once it is somebody else's", async () => {
    const more: Partial<NewRoutine> = { trigger: { kind: "webhook", filter: { types: [], fields: [] } } };
    const { id: routineId } = await scene.make(more, scene.ben);
    const [secret, now] = [Buffer.from("sealed"), scene.now()];
    await saveSecret(scene.db, { id: "hook", routineId, secret, now });
    const call = () =>
      scene.unit((unit) => scene.routines.startFromWebhook(unit, routineId, { payload: "hello", at: now }));
    await setRole("guest");
    expect(await call()).toEqual({ kind: "paused" });
    expect(await findOpen(scene.db, "hook")).toMatchObject({ routineId });
    expect(await act("resume", routineId)).toMatchObject({ routine: { author: { name: "Ada" } } });
    expect(await findOpen(scene.db, "hook")).toBeUndefined();
  });

  it("is not taken over where it reports into somebody else's private chat, or where the new author may not ask", async () => {
    const { office } = scene;
    const dmOfBen = await scene.unit((unit) =>
      office.deps.places.ensure(unit, office.connectionId, dm(person("ben", "Ben"))),
    );
    const [news, ops] = [await scene.place("News"), await scene.place("Ops")];
    const there = (placeId: string) => ({ placeId, thread: "", ownThread: false });
    const inPrivate = await scene.make({ home: { placeId: dmOfBen.id, thread: "" } }, scene.ben);
    const toBen = await scene.make({ home: there(news), destinations: [there(ops), there(dmOfBen.id)] }, scene.ben);
    await setRole("guest");
    await tickAt("02T09:00");
    for (const routine of [inPrivate, toBen]) {
      expect(await act("resume", routine.id)).toEqual({
        kind: "refused",
        problem: { kind: "place", placeId: dmOfBen.id },
      });
      expect(await scene.get(routine.id)).toMatchObject({ active: false, author: { name: "Ben" } });
    }
  });
});

describe("whose place is gone", () => {
  const archive = (placeId: string) =>
    scene.db.updateTable("places").set({ archived_at: scene.now() }).where("id", "=", placeId).execute();
  const at = (placeId: string) => ({ placeId, thread: "", ownThread: false });

  it("goes on while one of them is left, and ends with the last, which its author is told", async () => {
    const [ops, news] = [await scene.place("Ops"), await scene.place("News")];
    const routine = await scene.make({ destinations: [at(ops), at(news)] });
    await archive(ops);
    await tickAt("02T09:00");
    await scene.end(await scene.claim(routine));
    await archive(news);
    await tickAt("03T09:00");
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 succeeded", "03-03 09:00 skipped: place"]);
    expect(await scene.get(routine.id)).toMatchObject({ active: false, stoppedBecause: "place" });
    expect(await posts()).toMatchObject([{ channel: "dm-ada", text: expect.stringContaining(routine.name) }]);
    expect(await act("resume", routine.id)).toMatchObject({ problem: { kind: "place", placeId: ops } });
    const other = await scene.place("Other");
    await scene.unit((unit) => scene.routines.update(unit, scene.ada, routine.id, { destinations: [at(other)] }));
    expect(await scene.get(routine.id)).toMatchObject({ active: true, nextDueAt: new Date("2026-03-04T09:00Z") });
  });
});

describe("whose place was closed to its author since", () => {
  it.each<[PlaceAccess, boolean]>([
    ["closed", false],
    ["owner", false],
    ["everyone", true],
  ])("%s: a member's routine speaks there only where that member may still ask", async (access, speaks) => {
    const placeId = await scene.place("Ops");
    const there = { placeId, thread: "", ownThread: false };
    const [home, sent] = [
      await scene.make({ home: there }, scene.ben),
      await scene.make({ destinations: [there] }, scene.ben),
    ];
    await scene.db.updateTable("places").set({ access }).where("id", "=", placeId).execute();
    await tickAt("02T09:00");
    for (const { id } of [home, sent]) {
      expect(await scene.rows(id)).toEqual([speaks ? "03-02 09:00 queued" : "03-02 09:00 skipped: place"]);
      expect(await scene.get(id)).toMatchObject({ active: speaks, stoppedBecause: speaks ? null : "place" });
    }
  });

  it("the owner's goes on where only the owner may ask", async () => {
    const placeId = await scene.place("Ops", "owner");
    const routine = await scene.make({ destinations: [{ placeId, thread: "", ownThread: false }] });
    await tickAt("02T09:00");
    expect(await scene.rows(routine.id)).toEqual(["03-02 09:00 queued"]);
  });
});

describe("a run by hand", () => {
  it("is one run however often it is asked for with the same key, with its author's rights", async () => {
    const routine = await scene.make({}, scene.ben);
    const first = await runNow(routine.id, "test", "press-1");
    expect(first).toMatchObject({ kind: "queued" });
    expect(await runNow(routine.id, "test", "press-1")).toEqual(first);
    expect(await runNow(routine.id, "manual", "press-2")).toEqual({ kind: "running" });
    const runId = await scene.claim(routine);
    expect(await scene.routines.briefing(scene.db, runId)).toMatchObject({ source: "test", author: { name: "Ben" } });
    const [run] = await scene.db.selectFrom("runs").selectAll().where("id", "=", runId).execute();
    expect(run).toMatchObject({ requester_person_id: scene.ben.id, trigger: "routine" });
    expect(await runNow(routine.id, "manual", "press-3")).toEqual({ kind: "running" });
    await scene.end(runId);
    expect(await runNow(routine.id, "manual", "press-4")).toMatchObject({ kind: "queued" });
  });

  it("also of a paused one; the clock's own times go on beside it", async () => {
    const routine = await scene.make();
    await act("pause", routine.id);
    expect(await runNow(routine.id, "test", "1")).toMatchObject({ kind: "queued" });
    expect(await scene.routines.briefing(scene.db, await scene.claim(routine))).toMatchObject({ isOver: false });
  });
});

it("/status tells the owner how many there are, and when the next is due; their runs are no messages that wait", async () => {
  const { office } = scene;
  const status = async () => {
    await office.sink(command(person("ada", "Ada"), "status"));
    return (await office.texts()).at(-1);
  };
  expect(await status()).not.toContain("Routines");
  const routine = await scene.make();
  await scene.make({ trigger: daily("10:00") });
  await scene.db
    .updateTable("routines")
    .set({ next_due_at: new Date("2126-03-02T09:00Z") })
    .execute();
  await runNow(routine.id, "manual", "1");
  expect(await status()).toMatch(/- Routines: 2 active, next Sat 2 Mar.* 09:00/);
  expect(await status()).not.toContain("message waits");
});

describe("runs in line", () => {
  async function fill(): Promise<void> {
    for (let nth = 0; nth < 6; nth++) await runNow((await scene.make()).id, "manual", `${nth}`);
  }

  it("keep nobody from asking, and are no messages of theirs", async () => {
    await fill();
    await scene.office.sink(message(person("ada", "Ada"), "And you?"));
    expect((await scene.office.messages()).at(-1)?.text).toBe("And you?");
    const lines = await scene.db.selectFrom("deliveries").select("trigger").orderBy("queue_order").execute();
    expect(lines.at(-1)?.trigger).toBe("message");
  });

  it("say nowhere that they wait, also where their teammate is away and back again", async () => {
    await fill();
    const penny = { name: "Penny", title: "Reporter", job: "Reports." };
    await scene.unit((unit) => scene.office.deps.teammates.create(unit, scene.ada, penny));
    const { mailbox } = scene.office.deps;
    await scene.unit((unit) => mailbox.pause(unit, scene.milo.id));
    await scene.unit((unit) => mailbox.resume(unit, scene.milo.id));
    expect(await posts()).toEqual([]);
  });
});

describe("what is long past", () => {
  it("is forgotten after a while, but for the latest of each routine", async () => {
    const routine = await scene.make({ trigger: hourly(0) });
    for (const moment of ["02T09:00", "02T10:00", "02T11:00"]) {
      await tickAt(moment);
      await scene.end(await scene.claim(routine));
    }
    const { db } = scene;
    expect(await forgetRuns(db, new Date("2026-03-02T08:00Z"), 100)).toBe(0);
    expect(await forgetRuns(db, new Date("2026-09-01T00:00Z"), 1)).toBe(1);
    expect(await forgetRuns(db, new Date("2026-09-01T00:00Z"), 100)).toBe(1);
    expect(await forgetRuns(db, new Date("2026-09-01T00:00Z"), 100)).toBe(0);
    expect(await scene.rows(routine.id)).toEqual(["03-02 11:00 succeeded"]);
  });
});

it("two accounts that turn out to be one person's have their routines together", async () => {
  const routine = await scene.make({}, scene.ben);
  await scene.unit((unit) => moveEverything(unit.db, scene.ben.id, scene.ada.id));
  expect((await scene.get(routine.id)).author).toMatchObject({ id: scene.ada.id });
});

describe("a call from outside", () => {
  const webhook = { trigger: { kind: "webhook", filter: { types: [], fields: [] } } } satisfies Partial<NewRoutine>;
  const call = (id: string, payload: string) =>
    scene.unit((unit) => scene.routines.startFromWebhook(unit, id, { payload, at: scene.now() }));

  it("is one run each, in their order, also in the same moment, until too many wait", async () => {
    const routine = await scene.make(webhook);
    for (let nth = 0; nth < 64; nth++) expect(await call(routine.id, `call ${nth}`)).toMatchObject({ kind: "queued" });
    expect(await call(routine.id, "one more")).toEqual({ kind: "full" });
    const briefing = await scene.routines.briefing(scene.db, await scene.claim(routine));
    expect(briefing).toMatchObject({ source: "webhook", payload: "call 0" });
  });

  it("to a paused one, or one that runs by the clock, starts nothing", async () => {
    const routine = await scene.make(webhook);
    await act("pause", routine.id);
    expect(await call(routine.id, "{}")).toEqual({ kind: "paused" });
    expect(await call((await scene.make()).id, "{}")).toEqual({ kind: "paused" });
  });
});

describe("what became of a run", () => {
  it("is told by its delivery and its run", async () => {
    const routine = await scene.make({ trigger: hourly(0) });
    const told: string[] = [];
    const look = async () => told.push((await scene.routines.runs(scene.db, routine.id, 1))[0]?.status ?? "");
    await tickAt("02T09:00");
    await look();
    const runId = await scene.claim(routine);
    await look();
    await scene.setRun(runId, "waiting");
    await look();
    await scene.end(runId);
    await look();
    await tickAt("02T10:00");
    await scene.end(await scene.claim(routine), "failed", "model");
    await look();
    await tickAt("02T11:00");
    await scene.end(await scene.claim(routine), "interrupted", "stopped");
    await look();
    expect(told).toEqual(["queued", "running", "needs_attention", "succeeded", "failed", "interrupted"]);
    const [last, failed] = await scene.routines.runs(scene.db, routine.id, 2);
    expect([last?.failure, failed?.failure]).toEqual(["stopped", "model"]);
    expect(failed?.endedAt).toEqual(new Date("2026-03-02T10:00Z"));
  });

  it("is a failure where the teammate says so, which is not quiet then, and has no secret in it", async () => {
    const routine = await scene.make();
    await tickAt("02T09:00");
    const runId = await scene.claim(routine);
    const [row] = await scene.routines.runs(scene.db, routine.id, 1);
    const id = row?.id ?? "";
    await scene.unit((unit) =>
      scene.routines.setFailure(unit, id, `No access with sk-${"a".repeat(40)} ${"x".repeat(600)}`),
    );
    await scene.unit((unit) => scene.routines.setQuiet(unit, id));
    await scene.end(runId);
    const [run] = await scene.routines.runs(scene.db, routine.id, 1);
    expect(run).toMatchObject({ status: "failed", quiet: false, runId });
    expect(run?.failure).toMatch(/^No access with \[secret\] x+$/);
    expect(run?.failure).toHaveLength(500);
  });
});
