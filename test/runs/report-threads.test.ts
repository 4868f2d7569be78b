import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetPosts } from "../../src/outbox/index.ts";
import { deliveriesOf } from "../../src/routines/index.ts";
import { createReporting } from "./reporting.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let workshop: Workshop;
let life: Life;
let reporting: ReturnType<typeof createReporting>;
let channel: Room;
let routine: Awaited<ReturnType<typeof reporting.routine>>;
beforeAll(async () => {
  workshop = await openWorkshop();
  life = await workshop.start();
  reporting = createReporting(workshop, () => life);
});
afterAll(() => workshop[Symbol.asyncDispose]());
beforeEach(async () => {
  workshop.platform.clear();
  await workshop.db.deleteFrom("routines").execute();
  channel = await workshop.room("channel", "#ops");
  routine = await reporting.routine(await workshop.room("dm"));
  await reporting.destination(routine, channel, true);
});

const placed = () =>
  workshop.platform.seen(channel.channel).map(({ text, thread }) => [text.split("\n").at(-1), thread]);
const threads = () => [...workshop.platform.threads].map(([id, { name }]) => [id, name]);
const settled = (routineRunId: string, status: string) =>
  vi.waitFor(
    async () => expect(await deliveriesOf(workshop.db, routineRunId)).toEqual([expect.objectContaining({ status })]),
    { timeout: 10_000, interval: 20 },
  );

describe("reports with a thread of their own", () => {
  it("the first one makes it, under the routine's name, and the next ones go on in it", async () => {
    for (const text of ["None today.", "Two since noon."]) {
      await settled((await reporting.report(routine, text)).routineRunId, "sent");
    }
    const [[thread, name] = []] = threads();
    expect(name).toBe("Open incidents");
    expect(threads()).toHaveLength(1);
    expect(placed()).toEqual([
      ["None today.", thread],
      ["Two since noon.", thread],
    ]);
  });

  it("what was reported before it was made waits for it", async () => {
    const release = workshop.platform.holds(channel.channel);
    const first = await reporting.report(routine, "one");
    const second = await reporting.report(routine, "two");
    release();
    await settled(first.routineRunId, "sent");
    await settled(second.routineRunId, "sent");
    expect(threads()).toHaveLength(1);
    expect(placed().map(([, thread]) => thread)).toEqual([threads()[0]?.[0], threads()[0]?.[0]]);
  });

  it("where none may be made they go into the place itself, and the author hears of it once", async () => {
    workshop.platform.breaks(({ op }) => (op === "open_thread" ? { refuse: "rejected" } : undefined));
    for (const text of ["None today.", "Two since noon."]) {
      await settled((await reporting.report(routine, text)).routineRunId, "sent");
    }
    expect(placed()).toEqual([
      ["None today.", undefined],
      ["Two since noon.", undefined],
    ]);
    expect((await workshop.shows({ channel: "dm-ada" }, "thread of its own")).text).toMatch(/Open incidents.*#ops/u);
    expect(workshop.platform.texts("dm-ada")).toHaveLength(1);

    workshop.platform.works();
    await settled((await reporting.report(routine, "Three.")).routineRunId, "sent");
    expect(placed().at(-1)).toEqual(["Three.", threads()[0]?.[0]]);
  });

  it("one that somebody deleted is made anew, once a report, and nothing is lost", async () => {
    await settled((await reporting.report(routine, "None today.")).routineRunId, "sent");
    const [[first] = []] = threads();
    workshop.platform.threads.clear();
    await settled((await reporting.report(routine, "Two since noon.")).routineRunId, "sent");
    const [[second, name] = []] = threads();
    expect(second).not.toBe(first);
    expect(name).toBe("Open incidents");
    await settled((await reporting.report(routine, "Three.")).routineRunId, "sent");
    expect(placed()).toEqual([
      ["None today.", first],
      ["Two since noon.", second],
      ["Three.", second],
    ]);
    expect(workshop.platform.texts("dm-ada")).toEqual([]);

    workshop.platform.breaks(({ op }) => (op === "post" ? { refuse: "gone" } : undefined));
    await settled((await reporting.report(routine, "Four.")).routineRunId, "failed");
    expect(workshop.platform.calls.filter(({ op }) => op === "open_thread")).toHaveLength(3);
  });

  it("it follows the routine's name, and keeps the one people gave it while that stays", async () => {
    await settled((await reporting.report(routine, "None today.")).routineRunId, "sent");
    const [[thread = ""] = []] = threads();
    workshop.platform.threads.set(thread, { channel: channel.channel, name: "Ours" });
    await settled((await reporting.report(routine, "Two.")).routineRunId, "sent");
    expect(threads()).toEqual([[thread, "Ours"]]);
    await settled((await reporting.report(routine, "Three.", { name: "Outages" })).routineRunId, "sent");
    await vi.waitFor(() => expect(threads()).toEqual([[thread, "Outages"]]));
    expect(placed().map(([, there]) => there)).toEqual([thread, thread, thread]);
  });

  it("it is still known as ours when everything that was posted in it is forgotten", async () => {
    await settled((await reporting.report(routine, "None today.")).routineRunId, "sent");
    const old = new Date(workshop.clock.now().getTime() + 60_000);
    await forgetPosts(workshop.db, old, 1_000);
    const left = await workshop.db.selectFrom("posts").select(["op", "platform_message_id as id"]).execute();
    expect(left).toEqual([{ op: "open_thread", id: threads()[0]?.[0] }]);
    await settled((await reporting.report(routine, "Two.")).routineRunId, "sent");
    expect(threads()).toHaveLength(1);
  });
});
