import { expect } from "vitest";
import type { AdapterHarness } from "./adapter.harness.ts";
import { everyTest, given, idIn, says, testsWhere, until } from "./adapter.stage.ts";

/** Threads that hang on nobody's question: they are made, named, spoken in and heard. */
export function ownThreads(harness: AdapterHarness): void {
  const scene = everyTest(harness);
  const testWhere = testsWhere(harness);
  const own = () => given(scene.stage.ownThreads);
  const open = async (title: string, key = "thread-key", again = false) =>
    given(scene.stage.adapter.openThread)(own().place, title, key, again);

  testWhere("ownThreads")("a thread of that name: what goes into it stands there, and nothing beside it", async () => {
    const thread = idIn(await open("Open *incidents*"));
    const sent = await scene.send(says("None today."), { ...own().place, thread });
    expect(await own().name(thread)).toMatch(/^Open \*?incidents\*?$/u);
    expect((await own().shown(thread)).map(({ id }) => id)).toEqual([idIn(sent)]);
    expect(await own().beside()).toEqual([]);
  });

  testWhere("ownThreads")("what people say in it carries its id", async () => {
    const events = await scene.listen();
    const thread = idIn(await open("Open incidents"));
    await scene.send(says("None today."), { ...own().place, thread });
    await own().say(thread, "and yesterday?");
    const heard = () => events.find((event) => event.kind === "message" && event.text === "and yesterday?");
    await until(() => expect(heard()).toBeDefined());
    expect(heard()?.place).toMatchObject({ ...own().place, thread });
  });

  testWhere("ownThreads")("it gets another name and stays the same thread", async () => {
    const thread = idIn(await open("Open incidents"));
    const renamed = await given(scene.stage.adapter.openThread)({ ...own().place, thread }, "Outages", "rename-key");
    expect(idIn(renamed)).toBe(thread);
    expect(await own().name(thread)).toBe("Outages");
    expect(await own().count()).toBe(1);
  });

  testWhere(
    "ownThreads",
    "idempotentPosts",
    "loseResponse",
  )("F-48 one whose making was not confirmed is made once, however often it is asked for", async () => {
    scene.stage.faults.loseResponse?.();
    expect((await open("Open incidents", "lost-key")).outcome).toBe("unknown");
    const thread = idIn(await open("Open incidents", "lost-key", true));
    expect(idIn(await open("Open incidents", "lost-key", true))).toBe(thread);
    expect(await own().count()).toBe(1);
  });
}
