import { expect, test } from "vitest";
import type { InboundEvent } from "../../src/chat/index.ts";
import { type AdapterHarness, recordingSink } from "./adapter.harness.ts";
import { everyTest, testsWhere, textOf, until } from "./adapter.stage.ts";

/** What people say arrives once, in order, and not before it is stored. */
export function hearing(harness: AdapterHarness): void {
  const scene = everyTest(harness);
  const testWhere = testsWhere(harness);

  test("a message reaches the sink once, as it was said", async () => {
    const events = await scene.listen();
    await scene.stage.say("hello *there* <b>Milo</b> & 🇵🇹 שלום");
    await scene.stage.say("second");
    await until(() => expect(events).toHaveLength(2));
    expect(events[0]).toMatchObject({
      kind: "message",
      text: "hello *there* <b>Milo</b> & 🇵🇹 שלום",
      author: { id: scene.stage.ada, isBot: false },
      place: { channel: scene.stage.place.channel, kind: "dm" },
      addressed: "direct",
      files: [],
    });
    const ids = events.map((event) => (event.kind === "message" ? event.messageId : ""));
    expect(new Set(ids).size).toBe(2);
    expect(new Set(events.map((event) => event.key)).size).toBe(2);
  });

  test("a message is offered again until the sink has stored it, and the next one waits", async () => {
    const offered: string[] = [];
    const { events, sink } = recordingSink(async (event) => {
      offered.push(event.key);
      if (offered.length <= 2) throw new Error("the database is away");
    });
    await scene.stage.adapter.start(sink);
    await scene.stage.say("one");
    await scene.stage.say("two");
    await until(() => expect(events.map(textOf)).toEqual(["one", "two"]));
    expect(new Set(offered.slice(0, 3)).size).toBe(1);
    expect(offered).toHaveLength(4);
  });

  test("events of one place arrive one after another, in order", async () => {
    let running = 0;
    let overlapped = false;
    const gate = Promise.withResolvers<void>();
    const { events, sink } = recordingSink(async () => {
      running += 1;
      overlapped ||= running > 1;
      await gate.promise;
      running -= 1;
    });
    await scene.stage.adapter.start(sink);
    for (const text of ["one", "two", "three"]) await scene.stage.say(text);
    await until(() => expect(running).toBe(1));
    gate.resolve();
    await until(() => expect(events.map(textOf)).toEqual(["one", "two", "three"]));
    expect(overlapped).toBe(false);
  });

  test("a command arrives as its name and argument", async () => {
    const events = await scene.listen();
    await scene.stage.command("ask", "Penny what is new?");
    await until(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ kind: "command", name: "ask", argument: "Penny what is new?" });
    expect(events[0]).toMatchObject({ author: { id: scene.stage.ada }, place: { channel: scene.stage.place.channel } });
  });

  testWhere("change")("a changed message arrives as an edit of the same message", async () => {
    const events = await scene.listen();
    await scene.stage.say("delpoy");
    await scene.stage.change?.("deploy");
    await until(() => expect(events).toHaveLength(2));
    const [said, changed] = events;
    expect(changed).toMatchObject({ kind: "edit", text: "deploy", author: { id: scene.stage.ada } });
    expect(idOf(changed)).toBe(idOf(said));
  });

  testWhere("sendFile")("the bytes of a file that somebody sent can be fetched", async () => {
    const events = await scene.listen();
    const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));
    await scene.stage.sendFile?.("notes.bin", bytes, "look at this");
    await until(() => expect(events).toHaveLength(1));
    const event = events[0];
    expect(event).toMatchObject({ kind: "message", text: "look at this", files: [{ name: "notes.bin" }] });
    const file = event?.kind === "message" ? event.files[0] : undefined;
    const stream = file && (await scene.stage.adapter.download?.(file, AbortSignal.timeout(15_000)));
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  testWhere("takeBack")("a deleted message arrives as its deletion", async () => {
    const { stage } = scene;
    const events = await scene.listen();
    await stage.say("never mind");
    await until(() => expect(events).toHaveLength(1));
    await stage.takeBack?.();
    await until(() => expect(events).toHaveLength(2));
    expect(events[1]).toMatchObject({ kind: "deletion", messageId: idOf(events[0]) });
    expect(events[1]?.place.channel).toBe(events[0]?.place.channel);
    expect(events[1]?.key).not.toBe(events[0]?.key);
  });
}

function idOf(event: InboundEvent | undefined): string | undefined {
  return event?.kind === "message" || event?.kind === "edit" ? event.messageId : undefined;
}
