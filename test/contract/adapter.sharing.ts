import { expect } from "vitest";
import type { InboundEvent } from "../../src/chat/index.ts";
import type { AdapterHarness, SharedPlace } from "./adapter.harness.ts";
import { everyTest, given, idIn, says, testsWhere, textOf, until } from "./adapter.stage.ts";

/** Groups, channels and threads: who is meant, where an answer goes, what was said before. */
export function sharing(harness: AdapterHarness): void {
  const scene = everyTest(harness);
  const testWhere = testsWhere(harness);

  testWhere("shared")("talk among people, our name, and somebody else's are told apart", async () => {
    const shared = given(scene.stage.shared);
    const events = await scene.listen();
    await shared.say("mere talk");
    await shared.mention("what is new?");
    await shared.sayToBen("have you seen it?");
    await until(() => expect(events).toHaveLength(3));
    expect(events).toMatchObject([
      { text: "mere talk", addressed: "ambient", author: { id: scene.stage.ada } },
      { text: "what is new?", addressed: "mention" },
      { text: expect.stringContaining("have you seen it?"), addressed: "ambient", mentionsOthers: true },
    ]);
    for (const { place } of events) expect(place).toMatchObject({ channel: shared.place.channel, kind: shared.kind });
    expect(events.slice(0, 2).filter((event) => event.kind === "message" && event.mentionsOthers)).toEqual([]);
  });

  testWhere("shared", "replies")("a reply to something we said is addressed to us, and quotes it", async () => {
    const shared = given(scene.stage.shared);
    const events = await scene.listen();
    const id = idIn(await scene.send(says("It rains.", { asksReply: true }), shared.place));
    await shared.reply?.("since when?");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ text: "since when?", addressed: "reply" });
    expect(events[0]).toMatchObject({ quote: { messageId: id, fromUs: true } });
  });

  testWhere("shared")("what we say in a shared place is seen by everybody there", async () => {
    const shared = given(scene.stage.shared);
    const id = idIn(await scene.send(says("The **deploy** went fine."), shared.place));
    expect((await shared.shown()).map((message) => message.id)).toEqual([id]);
    expect(await scene.stage.shown()).toEqual([]);
  });

  testWhere("threads")("a mention is the root of a thread, and follow-ups carry it", async () => {
    const [shared, threads] = [given(scene.stage.shared), given(scene.stage.threads)];
    const events = await scene.listen();
    const root = await mention(shared, events);
    const there = { ...shared.place, thread: root };
    const receipt = await scene.send(says("Nothing is new."), there);
    await scene.send(says("Really nothing."), there);
    expect((await threads.shown(root)).map((message) => message.text)).toEqual([
      expect.stringContaining("Nothing is new."),
      expect.stringContaining("Really nothing."),
    ]);
    expect((await threads.shown(root))[0]?.id).toBe(idIn(receipt));
    expect(await shared.shown()).toEqual([]);
    await threads.say(root, "sure?");
    await until(() => expect(events).toHaveLength(2));
    expect(events[1]).toMatchObject({ text: "sure?", addressed: "ambient", place: { ...shared.place, thread: root } });
    expect(events[1]).not.toMatchObject({ messageId: root });
  });

  testWhere("threads")("F-48 a thread is made once, also by two posts at the same time", async () => {
    const [shared, threads] = [given(scene.stage.shared), given(scene.stage.threads)];
    const events = await scene.listen();
    const there = { ...shared.place, thread: await mention(shared, events) };
    const texts = ["one", "two", "three"];
    const receipts = await Promise.all(texts.map((text) => scene.send(says(text), there)));
    expect(receipts.map(({ outcome }) => outcome)).toEqual(["delivered", "delivered", "delivered"]);
    expect((await threads.shown(there.thread)).map(({ text }) => text.trim()).sort()).toEqual(texts.toSorted());
    expect(await threads.count()).toBe(1);
  });

  testWhere("threads", "edit")("a post in a thread is changed where it is", async () => {
    const [shared, threads] = [given(scene.stage.shared), given(scene.stage.threads)];
    const there = { ...shared.place, thread: await mention(shared, await scene.listen()) };
    const id = idIn(await scene.send(says("working"), there));
    expect(await scene.stage.adapter.edit?.(there, id, says("done"))).toMatchObject({ outcome: "delivered" });
    expect((await threads.shown(there.thread)).map(({ text }) => text.trim())).toEqual(["done"]);
  });

  testWhere("threads")("a command that starts work shows the question and is the root of its thread", async () => {
    const [shared, threads] = [given(scene.stage.shared), given(scene.stage.threads)];
    const events = await scene.listen();
    await shared.command("ask", "what is new?");
    await until(() => expect(events.filter(({ kind }) => kind === "command")).toHaveLength(1));
    const command = events.find((event) => event.kind === "command");
    expect(command).toMatchObject({ name: "ask", argument: "what is new?", author: { id: scene.stage.ada } });
    expect(command?.messageId).toBeDefined();
    expect(command?.place).toMatchObject({ ...shared.place, thread: command?.messageId });
    expect((await shared.shown()).map(({ text }) => text)).toEqual([expect.stringContaining("what is new?")]);
    await scene.send(says("Nothing is new."), command?.place);
    expect(await threads.shown(command?.messageId ?? "")).toHaveLength(1);
  });

  testWhere("shared", "history")("what was said before is told oldest first, with who said it", async () => {
    const shared = given(scene.stage.shared);
    await shared.say("one");
    await shared.say("two");
    await scene.send(says("I hear you."), shared.place);
    const before = await shared.say("three");
    await shared.say("later");
    const history = await past(shared.place, before, 10);
    expect(history).toMatchObject([
      { text: "one", authorName: expect.stringMatching(/^Ada/u), authorKind: "person" },
      { text: "two", authorKind: "person" },
      { text: expect.stringContaining("I hear you."), authorKind: "us" },
    ]);
    expect(history.map(({ sentAt }) => sentAt)).toEqual(
      history.map(({ sentAt }) => sentAt).toSorted((a, b) => +a - +b),
    );
    expect((await past(shared.place, before, 2)).map(({ text }) => text)).toEqual([
      "two",
      expect.stringContaining("I hear you."),
    ]);
  });

  testWhere("threads", "history")("of a thread its own past is told", async () => {
    const [shared, threads] = [given(scene.stage.shared), given(scene.stage.threads)];
    await shared.say("about something else");
    const root = await shared.mention("look at this");
    const there = { ...shared.place, thread: root };
    await scene.send(says("I do."), there);
    await threads.say(root, "and?");
    const before = await threads.say(root, "well?");
    const texts = (await past(there, before, 10)).map(({ text }) => text);
    expect(texts).toEqual([
      expect.stringContaining("look at this"),
      expect.stringContaining("I do."),
      expect.stringContaining("and?"),
    ]);
  });

  const past = (place: Parameters<typeof scene.send>[1] & object, before: string, limit: number) =>
    given(scene.stage.adapter.history)(place, before, limit, AbortSignal.timeout(15_000));
}

/** Ada says our name in the shared place; gives the id of her message, on which the thread hangs. */
async function mention(shared: SharedPlace, events: readonly InboundEvent[]): Promise<string> {
  const id = await shared.mention("what is new?");
  await until(() => expect(events.map(textOf)).toEqual(["what is new?"]));
  expect(events[0]).toMatchObject({ messageId: id, addressed: "mention", place: { ...shared.place, thread: id } });
  return id;
}
