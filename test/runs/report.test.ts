import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetPosts } from "../../src/outbox/index.ts";
import { deliveriesOf } from "../../src/routines/index.ts";
import { createReporting } from "./reporting.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let workshop: Workshop;
let life: Life;
let home: Room;
let reporting: ReturnType<typeof createReporting>;
beforeAll(async () => {
  workshop = await openWorkshop();
  life = await workshop.start();
  reporting = createReporting(workshop, () => life);
});
afterAll(() => workshop[Symbol.asyncDispose]());
beforeEach(async () => {
  workshop.platform.clear();
  await workshop.db.deleteFrom("routines").execute();
  home = await workshop.room("channel", "#ops");
});

const shown = (room: Room) => workshop.platform.seen(room.channel);
const statuses = async (routineRunId: string) =>
  (await deliveriesOf(workshop.db, routineRunId)).map(({ placeTitle, status }) => `${placeTitle}: ${status}`);
const delivered = (routineRunId: string, wanted: readonly string[]) =>
  vi.waitFor(async () => expect(await statuses(routineRunId)).toEqual(wanted), { timeout: 10_000, interval: 20 });
async function file(name: string): Promise<{ path: string; name: string }> {
  const path = join(await mkdtemp(join(workshop.home, "files-")), name);
  await writeFile(path, "numbers");
  return { path, name };
}

describe("where a routine's report goes", () => {
  it("is where it was made, unless places are named; then to each of them, and nowhere else", async () => {
    const incidents = await reporting.routine(home);
    await reporting.report(incidents, "None today.");
    expect((await workshop.shows(home, "None today.")).text).toBe("**Open incidents**\n\nNone today.");

    const [ops, boss] = [await workshop.room("channel", "#reports"), await workshop.room("dm")];
    await reporting.destination(incidents, ops);
    await reporting.destination(incidents, boss);
    const { routineRunId, atHome } = await reporting.report(incidents, "Two since noon.");
    await delivered(routineRunId, ["#reports: sent", "null: sent"]);
    expect(shown(ops).map(({ text }) => text)).toEqual([expect.stringContaining("Two since noon.")]);
    expect(shown(boss)).toHaveLength(1);
    expect(shown(home)).toHaveLength(1);
    expect(atHome).toBeUndefined();
  });

  it("says nothing about how it was made, when it was due if it is late, and above all what went wrong", async () => {
    const incidents = await reporting.routine(home);
    const due = new Date(workshop.clock.now());
    due.setUTCHours(8, 30, 0, 0);
    await reporting.report(incidents, "Half of it.", { late: true, scheduledFor: due, failure: "the site is down" });
    const { text, footer, notify, replyTo, persona } = await workshop.shows(home, "Half of it.");
    expect(text).toBe("**Open incidents** (late: due 08:30)\n\n⚠ Couldn't finish: the site is down\n\nHalf of it.");
    expect({ footer, replyTo, persona }).toEqual({ footer: undefined, replyTo: undefined, persona: undefined });
    expect(notify).toBe(true);
  });

  it("a name is shown letter by letter, whatever it looks like", async () => {
    const odd = "*[Click](https://evil.example)* @everyone";
    const named = await reporting.routine(home, odd);
    await reporting.report(named, "None.", { name: odd });
    expect((await workshop.shows(home, "None.")).text).not.toContain("[Click](https");
  });

  it("F-51 a report that is repeated is posted, counted and remembered once", async () => {
    const incidents = await reporting.routine(home);
    const first = await reporting.report(incidents, "None today.");
    await reporting.report(incidents, "None today.", { again: first });
    await delivered(first.routineRunId, ["#ops: sent"]);
    expect(shown(home)).toHaveLength(1);
    const digests = await workshop.db.selectFrom("routine_digests").select("id").execute();
    expect(digests).toHaveLength(2);
    const said = workshop.db.selectFrom("messages").select("text").where("place_id", "=", home.placeId);
    expect(await said.where("author", "=", "teammate").execute()).toHaveLength(1);
  });

  it("files come below it, each with the report's fate of its own", async () => {
    const incidents = await reporting.routine(home);
    await reporting.report(incidents, "See the table.", { files: [await file("numbers.csv")] });
    await vi.waitFor(() => expect(shown(home)).toHaveLength(2), { timeout: 10_000 });
    expect(shown(home).map((message) => message.file)).toEqual([undefined, "numbers.csv"]);
  });
});

describe("a place that cannot be reached", () => {
  it("one that hangs neither holds up the others nor counts as delivered", async () => {
    const [slow, quick] = [await workshop.room("channel", "#slow"), await workshop.room("channel", "#quick")];
    const incidents = await reporting.routine(home);
    await reporting.destination(incidents, slow);
    await reporting.destination(incidents, quick);
    const release = workshop.platform.holds(slow.channel);
    try {
      const { routineRunId } = await reporting.report(incidents, "None today.");
      await delivered(routineRunId, ["#quick: sent", "#slow: waiting"]);
    } finally {
      release();
    }
  });

  it("F-52 one that vanished fails alone, and its routine's author is told once which routine and where", async () => {
    const [gone, there] = [await workshop.room("channel", "#gone"), await workshop.room("channel", "#there")];
    const incidents = await reporting.routine(home);
    await reporting.destination(incidents, gone);
    await reporting.destination(incidents, there);
    workshop.platform.breaks(({ channel }) => (channel === gone.channel ? { refuse: "gone" } : undefined));
    const first = await reporting.report(incidents, "None today.");
    await delivered(first.routineRunId, ["#gone: failed", "#there: sent"]);
    const second = await reporting.report(incidents, "None again.");
    await delivered(second.routineRunId, ["#gone: failed", "#there: sent"]);
    const told = await workshop.shows({ channel: "dm-ada" }, "Open incidents");
    expect(told.text).toContain("#gone");
    expect(workshop.platform.texts("dm-ada")).toHaveLength(1);
  });

  it("F-45 one from which we were removed is not written to, and the author is told", async () => {
    const [left, there] = [await workshop.room("channel", "#left"), await workshop.room("channel", "#there")];
    await workshop.db.updateTable("places").set({ archived_at: new Date() }).where("id", "=", left.placeId).execute();
    const incidents = await reporting.routine(home);
    await reporting.destination(incidents, left);
    await reporting.destination(incidents, there);
    const { routineRunId } = await reporting.report(incidents, "None today.");
    await delivered(routineRunId, ["#left: failed", "#there: sent"]);
    expect((await workshop.shows({ channel: "dm-ada" }, "#left")).text).toContain("Open incidents");
    expect(workshop.platform.calls.filter(({ channel }) => channel === left.channel)).toEqual([]);
  });

  it("whether it arrived is still known when its posts are forgotten", async () => {
    const [lost, there] = [await workshop.room("channel", "#lost"), await workshop.room("channel", "#there")];
    const incidents = await reporting.routine(home);
    await reporting.destination(incidents, lost);
    await reporting.destination(incidents, there);
    workshop.platform.breaks(({ channel }) => (channel === lost.channel ? { refuse: "rejected" } : undefined));
    const { routineRunId } = await reporting.report(incidents, "None today.");
    await delivered(routineRunId, ["#lost: failed", "#there: sent"]);
    await workshop.shows({ channel: "dm-ada" }, "#lost");
    await vi.waitFor(async () => {
      await forgetPosts(workshop.db, new Date(workshop.clock.now().getTime() + 60_000), 1_000);
      expect(await workshop.db.selectFrom("posts").select("id").execute()).toEqual([]);
    });
    expect(await statuses(routineRunId)).toEqual(["#lost: failed", "#there: sent"]);
  });
});

describe("the tidy report of a platform where threads hang beneath messages", () => {
  let slack: Workshop;
  let tidy: ReturnType<typeof createReporting>;
  beforeAll(async () => {
    slack = await openWorkshop({}, { threadsBeneath: true, textLimit: 100 });
    const started = await slack.start();
    tidy = createReporting(slack, () => started);
  });
  afterAll(() => slack[Symbol.asyncDispose]());

  it("is one message in the channel; what more there is and the files are in its thread", async () => {
    const channel = await slack.room("channel", "#ops");
    const incidents = await tidy.routine(channel);
    await tidy.report(incidents, "word ".repeat(45), { files: [{ path: "/tmp/none", name: "a.csv" }] });
    await vi.waitFor(() => expect(slack.platform.seen(channel.channel)).toHaveLength(4), { timeout: 10_000 });
    const [first, ...rest] = slack.platform.seen(channel.channel);
    expect(first?.thread).toBeUndefined();
    expect(rest.map(({ thread }) => thread)).toEqual([first?.id, first?.id, first?.id]);
    expect(rest.at(-1)?.file).toBe("a.csv");
  });
});
