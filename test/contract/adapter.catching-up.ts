import { expect, test } from "vitest";
import type { InboundEvent, KnownPlace, MessageEvent } from "../../src/chat/index.ts";
import { type AdapterHarness, recordingSink } from "./adapter.harness.ts";
import { everyTest, given, says, testsWhere, textOf, until } from "./adapter.stage.ts";

/** What was said while we were away arrives once we are back: kept by the platform, or fetched by the adapter. */
export function catchingUp(harness: AdapterHarness): void {
  const scene = everyTest(harness);
  const testWhere = testsWhere(harness);

  test("what is said while stopped, or was not stored before, arrives after the next start", async () => {
    const { stage } = scene;
    scene.known = [{ channel: stage.place.channel, kind: "dm", threads: [], since: new Date(Date.now() - 60_000) }];
    const attempted = Promise.withResolvers<void>();
    const before = recordingSink(async () => {
      attempted.resolve();
      throw new Error("the database is away");
    });
    await stage.adapter.start(before.sink);
    await stage.say("not stored");
    await attempted.promise;
    await stage.adapter.stop();
    await stage.say("while stopped");
    const events = await scene.listen();
    await until(() => expect(events.map(textOf)).toEqual(["not stored", "while stopped"]));
    expect(before.events).toEqual([]);
  });

  testWhere("catchUp")("what was said since we were last seen arrives once, in order, before what is new", async () => {
    const { stage } = scene;
    const before = await scene.listen();
    await stage.say("long ago");
    await until(() => expect(before).toHaveLength(1));
    await stage.adapter.stop();
    scene.known = [await lastSeen(before[0], stage.place.channel, "dm")];
    await stage.say("one");
    await stage.say("two");
    const events = await scene.listen();
    await stage.say("three");
    await until(() => expect(events.map(textOf)).toEqual(["one", "two", "three"]));
    expect(new Set(events.map(({ key }) => key)).size).toBe(3);
    expect(events[0]).toMatchObject({ author: { id: stage.ada }, addressed: "direct", place: { kind: "dm" } });
  });

  testWhere("catchUp")("what is caught up has the key it had when it came live", async () => {
    const { stage } = scene;
    const live = await scene.listen();
    await stage.say("hello");
    await until(() => expect(live).toHaveLength(1));
    await stage.adapter.stop();
    const since = new Date(dateOf(live[0]).getTime() - 60_000);
    scene.known = [{ channel: stage.place.channel, kind: "dm", threads: [], since }];
    const caughtUp = await scene.listen();
    await until(() => expect(caughtUp).toHaveLength(1));
    expect(caughtUp).toEqual(live);
  });

  testWhere("catchUp")("a caught-up event is offered until it is stored, and what is new waits behind it", async () => {
    const { stage } = scene;
    scene.known = [{ channel: stage.place.channel, kind: "dm", threads: [], since: new Date(Date.now() - 60_000) }];
    await stage.say("missed");
    let failures = 0;
    const { events, sink } = recordingSink(async () => {
      failures += 1;
      if (failures <= 2) throw new Error("the database is away");
    });
    await stage.adapter.start(sink);
    await stage.say("live");
    await until(() => expect(events.map(textOf)).toEqual(["missed", "live"]));
  });

  testWhere(
    "catchUp",
    "shared",
    "threads",
  )("what was missed in a channel and in our threads arrives", async () => {
    const { stage } = scene;
    const [shared, threads] = [given(stage.shared), given(stage.threads)];
    const before = await scene.listen();
    const root = await shared.mention("look at this");
    await until(() => expect(before).toHaveLength(1));
    await scene.send(says("I do."), { ...shared.place, thread: root });
    await threads.say(root, "already known");
    await until(() => expect(before).toHaveLength(2));
    await stage.adapter.stop();
    scene.known = [{ ...(await lastSeen(before[1], shared.place.channel, shared.kind)), threads: [root] }];
    await threads.say(root, "and?");
    const missed = await shared.mention("something else");
    const events = await scene.listen();
    await until(() => expect(events.map(textOf).sort()).toEqual(["and?", "something else"]));
    const [followUp, mention] = ["and?", "something else"].map((text) => events.find((one) => textOf(one) === text));
    expect(followUp).toMatchObject({ addressed: "ambient", place: { ...shared.place, thread: root } });
    expect(mention).toMatchObject({ addressed: "mention", place: { ...shared.place, thread: missed } });
  });
}

/** A place that was last heard of with this event; resolves when that is over, by the clock. */
async function lastSeen(
  event: InboundEvent | undefined,
  channel: string,
  kind: KnownPlace["kind"],
): Promise<KnownPlace> {
  const since = new Date(dateOf(event).getTime() + 1);
  await until(() => expect(Date.now()).toBeGreaterThan(since.getTime()));
  return { channel, kind, threads: [], since };
}

function dateOf(event: InboundEvent | undefined): Date {
  return (event as MessageEvent).sentAt;
}
