import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../src/people/index.ts";
import { claimed, type Lanes, openLanes } from "./lanes.ts";

let lanes: Lanes;
let ada: Person;
let ben: Person;

beforeAll(async () => {
  lanes = await openLanes();
  ada = await lanes.person("Ada", "owner");
  ben = await lanes.person("Ben");
});

beforeEach(async () => {
  await lanes.db.deleteFrom("deliveries").execute();
  await lanes.db.deleteFrom("runs").execute();
});

afterAll(async () => {
  await lanes[Symbol.asyncDispose]();
});

describe("a claim", () => {
  it("finds nothing in an empty lane", async () => {
    expect(await lanes.claim(await lanes.lane())).toEqual({ kind: "empty" });
  });

  it("turns the oldest delivery into a run, and says whose lane it is while that runs", async () => {
    const lane = await lanes.lane();
    const first = await lanes.queue(lane, ada);
    const second = await lanes.queue(lane, ben);
    const run = claimed(await lanes.claim(lane));
    expect(run).toMatchObject({ conversationId: lane, requesterPersonId: ada.id, trigger: "message", more: true });
    expect(run.deliveries.map((each) => each.id)).toEqual([first]);
    expect(await lanes.delivery(first)).toMatchObject({ status: "starting", run_id: run.id });
    expect(await lanes.claim(lane)).toMatchObject({ kind: "busy", runId: run.id, next: { id: second } });
    await lanes.end(run.id);
    expect(claimed(await lanes.claim(lane)).deliveries.map((each) => each.id)).toEqual([second]);
  });

  it("F-05 starts exactly one run, however many claims come at the same time", async () => {
    const lane = await lanes.lane();
    await lanes.queue(lane, ada);
    await lanes.queue(lane, ben);
    const claims = await Promise.all(Array.from({ length: 10 }, () => lanes.claim(lane)));
    expect(claims.filter((each) => each.kind === "claimed")).toHaveLength(1);
    expect(claims.filter((each) => each.kind === "busy")).toHaveLength(9);
  });

  it("lets the database itself refuse a second run in a lane", async () => {
    const lane = await lanes.lane();
    await lanes.queue(lane, ada);
    const run = claimed(await lanes.claim(lane));
    const row = await lanes.db.selectFrom("runs").selectAll().where("id", "=", run.id).executeTakeFirstOrThrow();
    const again = lanes.db
      .insertInto("runs")
      .values({
        id: "00000000-0000-7000-8000-000000000001",
        teammate_id: row.teammate_id,
        conversation_id: lane,
        trigger: "message",
        status: "starting",
        computer: "other",
      })
      .execute();
    await expect(again).rejects.toThrow(/runs_lane/);
  });

  it("runs different lanes side by side", async () => {
    const [one, two] = [await lanes.lane(), await lanes.lane()];
    await lanes.queue(one, ada);
    await lanes.queue(two, ada);
    claimed(await lanes.claim(one));
    claimed(await lanes.claim(two));
  });
});

describe("claims of many lanes at the same time", () => {
  it("give each lane its own run", async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => lanes.lane()));
    for (const lane of all) await lanes.queue(lane, ada);
    const runs = (await Promise.all(all.map((lane) => lanes.claim(lane)))).map(claimed);
    expect(runs.map((run) => run.conversationId)).toEqual(all);
    expect(new Set(runs.map((run) => run.id)).size).toBe(40);
  });

  it("fail alone where one of them fails", async () => {
    const [one, two, three] = [await lanes.lane(), await lanes.lane(), await lanes.lane()];
    for (const lane of [one, two, three]) await lanes.queue(lane, ada);
    const claims = await Promise.allSettled([one, two, "not a lane", three].map((lane) => lanes.claim(lane)));
    expect(claims.map((each) => (each.status === "fulfilled" ? each.value.kind : "failed"))).toEqual([
      "claimed",
      "claimed",
      "failed",
      "claimed",
    ]);
  });
});

describe("companions", () => {
  it("join the turn when they stand directly behind the head and come from the same person", async () => {
    const lane = await lanes.lane();
    const mine = [await lanes.queue(lane, ada), await lanes.queue(lane, ada)];
    await lanes.queue(lane, ben);
    await lanes.queue(lane, ada);
    const run = claimed(await lanes.claim(lane));
    expect(run.deliveries.map((each) => each.id)).toEqual(mine);
    expect(run.more).toBe(true);
  });

  it("never join where no person asked", async () => {
    const lane = await lanes.lane();
    const first = await lanes.queue(lane, null);
    await lanes.queue(lane, null);
    expect(claimed(await lanes.claim(lane)).deliveries.map((each) => each.id)).toEqual([first]);
  });

  it("wait while they are still being collected", async () => {
    const lane = await lanes.lane();
    const first = await lanes.queue(lane, ada);
    await lanes.queue(lane, ada, { readyAt: new Date(lanes.clock.now().getTime() + 60_000) });
    expect(claimed(await lanes.claim(lane)).deliveries.map((each) => each.id)).toEqual([first]);
  });
});

describe("a hold", () => {
  it("F-07 keeps the lane closed until its head was collected, also for what stands behind it", async () => {
    const lane = await lanes.lane();
    const readyAt = new Date(lanes.clock.now().getTime() + 60_000);
    const first = await lanes.queue(lane, ada, { readyAt });
    const second = await lanes.queue(lane, ada);
    expect(await lanes.claim(lane)).toMatchObject({ kind: "held", reason: "not-ready", retryAt: readyAt });
    lanes.clock.pass(60_001);
    expect(claimed(await lanes.claim(lane)).deliveries.map((each) => each.id)).toEqual([first, second]);
  });

  it("by the server's slots is written down, lasts while they are full, and does not count who waits for a person", async () => {
    const [one, two] = [await lanes.lane(), await lanes.lane()];
    await lanes.queue(one, ada);
    const waiting = await lanes.queue(two, ada);
    const run = claimed(await lanes.claim(one, 1));
    expect(await lanes.claim(two, 1)).toMatchObject({ kind: "held", reason: "server-busy", next: { id: waiting } });
    expect(await lanes.delivery(waiting)).toMatchObject({ status: "queued", hold_reason: "server-busy" });
    await lanes.db.updateTable("runs").set({ status: "waiting" }).where("id", "=", run.id).execute();
    claimed(await lanes.claim(two, 1));
    expect(await lanes.delivery(waiting)).toMatchObject({ status: "starting", hold_reason: null });
  });

  it("by the server's slots holds under claims that come at the same time", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => lanes.lane()));
    for (const lane of all) await lanes.queue(lane, ada);
    const claims = await Promise.all(all.map((lane) => lanes.claim(lane, 3)));
    expect(claims.filter((each) => each.kind === "claimed")).toHaveLength(3);
    expect(claims.filter((each) => each.kind === "held" && each.reason === "server-busy")).toHaveLength(5);
  });

  it("by the teammate's task limit counts threads only", async () => {
    const tasks = await Promise.all(Array.from({ length: 5 }, () => lanes.lane("task")));
    const main = await lanes.lane("main");
    for (const lane of [...tasks, main]) await lanes.queue(lane, ada);
    for (const lane of tasks.slice(0, 4)) claimed(await lanes.claim(lane));
    expect(await lanes.claim(tasks[4] ?? "")).toMatchObject({ kind: "held", reason: "task-limit" });
    claimed(await lanes.claim(main));
  });
});

describe("a delivery", () => {
  it("F-02 with the same idempotency key is the first one", async () => {
    const lane = await lanes.lane();
    const first = await lanes.queue(lane, ada, { key: "same" });
    expect(await lanes.queue(lane, ada, { key: "same" })).toBe(first);
    expect(claimed(await lanes.claim(lane)).deliveries).toHaveLength(1);
  });

  it("is taken for a running turn by exactly one caller, and comes back to its old place", async () => {
    const lane = await lanes.lane();
    await lanes.queue(lane, ada);
    const run = claimed(await lanes.claim(lane));
    const second = await lanes.queue(lane, ada);
    const third = await lanes.queue(lane, ada);
    const takes = await Promise.all([1, 2, 3].map(() => lanes.mailbox.takeForSteer(lanes.db, second, run.id)));
    expect(takes.filter(Boolean)).toHaveLength(1);
    expect(await lanes.unit((unit) => lanes.mailbox.putBack(unit, { deliveryId: second }))).toBe(1);
    expect(await lanes.unit((unit) => lanes.mailbox.putBack(unit, { deliveryId: second }))).toBe(0);
    await lanes.end(run.id);
    expect(claimed(await lanes.claim(lane)).deliveries.map((each) => each.id)).toEqual([second, third]);
  });

  it("that is still on its way into the turn is not ended with it", async () => {
    const lane = await lanes.lane();
    const first = await lanes.queue(lane, ada);
    const run = claimed(await lanes.claim(lane));
    const second = await lanes.queue(lane, ada);
    await lanes.mailbox.takeForSteer(lanes.db, second, run.id);
    await lanes.end(run.id);
    expect(await lanes.delivery(first)).toMatchObject({ status: "completed" });
    expect(await lanes.delivery(second)).toMatchObject({ status: "starting" });
  });

  it("knows its place in line and for whom the teammate works", async () => {
    const lane = await lanes.lane();
    await lanes.queue(lane, ada);
    claimed(await lanes.claim(lane));
    const second = await lanes.queue(lane, ben);
    const third = await lanes.queue(lane, ada);
    expect(await lanes.mailbox.position(lanes.db, second)).toMatchObject({ ahead: 1, workingFor: "Ada" });
    expect(await lanes.mailbox.position(lanes.db, third)).toMatchObject({ ahead: 2, workingFor: "Ada" });
  });
});

describe("cancelling", () => {
  it("takes a queued delivery out of the line, for the one who asked and for managers only", async () => {
    const lane = await lanes.lane();
    await lanes.queue(lane, ada);
    claimed(await lanes.claim(lane));
    const id = await lanes.queue(lane, ada);
    expect(await lanes.unit((unit) => lanes.mailbox.cancelDelivery(unit, id, ben))).toBe("refused");
    expect(await lanes.unit((unit) => lanes.mailbox.cancelDelivery(unit, id, ada))).toBe("cancelled");
    expect(await lanes.unit((unit) => lanes.mailbox.cancelDelivery(unit, id, ada))).toBe("not_queued");
    const his = await lanes.queue(lane, ben);
    expect(await lanes.unit((unit) => lanes.mailbox.cancelDelivery(unit, his, ada))).toBe("cancelled");
  });

  it("leaves no run behind when it wins against the claim", async () => {
    for (let round = 0; round < 10; round += 1) {
      const lane = await lanes.lane();
      const id = await lanes.queue(lane, ada);
      const [claim, cancel] = await Promise.all([
        lanes.claim(lane),
        lanes.unit((unit) => lanes.mailbox.cancelDelivery(unit, id, ada)),
      ]);
      expect([claim.kind, cancel]).toEqual(
        claim.kind === "claimed" ? ["claimed", "not_queued"] : ["empty", "cancelled"],
      );
    }
  });

  it("takes the post away that showed the place in line", async () => {
    const lane = await lanes.lane();
    await lanes.queue(lane, ada);
    claimed(await lanes.claim(lane));
    const id = await lanes.queue(lane, ben);
    for (let times = 0; times < 2; times += 1) await lanes.unit((unit) => lanes.mailbox.showLine(unit, lane));
    await lanes.unit((unit) => lanes.mailbox.cancelDelivery(unit, id, ben));
    const posts = (await lanes.posts()).filter((each) => each.dedupKey.includes(id));
    expect(posts.map((each) => each.op)).toEqual(["post", "remove"]);
  });
});

describe("trying again", () => {
  it("queues the same request once, for the one who asked and for managers only", async () => {
    const lane = await lanes.lane();
    await lanes.queue(lane, ben);
    const run = claimed(await lanes.claim(lane));
    await lanes.end(run.id);
    const carol = await lanes.person("Carol");
    const retry = (by: Person) => lanes.unit((unit) => lanes.mailbox.retry(unit, run.id, by));
    expect(await retry(carol)).toBe("refused");
    expect(await retry(ben)).toBe("queued");
    expect(await retry(ada)).toBe("queued");
    const again = claimed(await lanes.claim(lane));
    expect(again).toMatchObject({ trigger: "retry", requesterPersonId: ben.id });
    expect(again.deliveries).toHaveLength(1);
  });
});
