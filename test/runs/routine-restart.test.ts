import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createConnection, type OpenTransport, webSocketTransport } from "../../src/codex/index.ts";
import { silentLog } from "../../src/shared/index.ts";
import { call, gate, say, waitFor } from "../fakes/model/index.ts";
import { pressIn } from "./pressing.ts";
import { createRoutineScene, type MadeRoutine } from "./routine-scene.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;
let scene: ReturnType<typeof createRoutineScene>;
const dmOfAda = { channel: "dm-ada" };

beforeEach(async () => {
  shop = await openWorkshop();
  scene = createRoutineScene(shop, () => life);
});

afterEach(async () => {
  await shop[Symbol.asyncDispose]();
});

/** A run that said something and stands in the middle of its turn. */
async function startHeldRun(room: Room) {
  const routine = await scene.make(room);
  const held = gate();
  shop.model.enqueue([say("First part.", { phase: "commentary" }), waitFor(held), say("The whole report.")]);
  await scene.fallDue(routine);
  await held.reached;
  const { runId } = await scene.stands(routine, "running");
  await vi.waitFor(async () => {
    const events = await shop.db
      .selectFrom("run_events")
      .select("kind")
      .where("run_id", "=", runId ?? "")
      .execute();
    expect(events.map(({ kind }) => kind)).toContain("text");
  }, 10_000);
  return { routine, held };
}

/** Whether a turn runs in a thread, as Codex tells whoever asks. */
async function turnRuns(threadId: string): Promise<boolean> {
  const open = webSocketTransport((signal) => shop.server.endpoint(signal));
  await using connection = createConnection({ open, version: "0.1.0", log: silentLog });
  await connection.ready();
  const { thread } = await connection.request("thread/read", { threadId, includeTurns: false });
  return thread.status.type === "active";
}

/** Nothing of it goes on, is posted, or is begun anew. */
async function isOver(routine: MadeRoutine, room: Room): Promise<void> {
  const requests = shop.model.requests.length;
  shop.model.enqueue([say("Hello, Ada.")]);
  await shop.say(life, room, shop.ada, "Hi.");
  await shop.shows(room, "Hello, Ada.");
  expect(shop.model.requests).toHaveLength(requests + 1);
  expect(JSON.stringify(scene.posted(room))).not.toContain(routine.name);
}

describe("a routine's run in the middle of a restart", () => {
  it("is interrupted, which its author is told with what it had said, and never taken up", async () => {
    const room = await shop.room("channel", "ops");
    life = await shop.start();
    const { routine, held } = await startHeldRun(room);
    await life.kill();
    life = await shop.start();
    const told = await shop.shows(dmOfAda, routine.name);
    expect(told.text).toBe(
      `**${routine.name}**\n\nI restarted in the middle of this run. Here is what Milo had finished:\n\nFirst part.`,
    );
    expect(told.buttons.map(({ label }) => label)).toEqual(["Run again"]);
    expect(await scene.stands(routine, "interrupted")).toMatchObject({ quiet: false });
    held.open();
    await isOver(routine, room);
  });

  it("stops the turn that a Codex which outlives us still has", async () => {
    const room = await shop.room("channel", "ops");
    life = await shop.start({ codexOutlivesUs: true });
    const { routine } = await startHeldRun(room);
    await life.worker.stop(0);
    await life.kill();
    const threadId = scene.asked(routine)[0]?.threadId ?? "";
    expect(await turnRuns(threadId)).toBe(true);
    life = await shop.start({ codexOutlivesUs: true });
    await shop.shows(dmOfAda, "I restarted in the middle of this run.");
    await vi.waitFor(async () => expect(await turnRuns(threadId)).toBe(false), 10_000);
    await scene.stands(routine, "interrupted");
  });

  it("is interrupted by a shutdown, and its author told before it is over", async () => {
    const room = await shop.room("channel", "ops");
    life = await shop.start();
    const { routine } = await startHeldRun(room);
    await life.worker.stop(0);
    expect(await scene.stands(routine, "interrupted")).toMatchObject({ quiet: false });
    await shop.shows(dmOfAda, "I restarted in the middle of this run.");
  });

  it("goes on with what it was for once what it asked is answered, in a thread of its own, and reports where it should", async () => {
    const room = await shop.room("dm");
    const ops = await shop.room("channel", "ops");
    const destinations = [{ placeId: ops.placeId, thread: "", ownThread: false }];
    life = await shop.start();
    const routine = await scene.make(room, { destinations, instruction: "Cut the weekly release." });
    const questions = [{ header: "Branch", question: "Which branch?", options: [{ label: "main" }] }];
    shop.model.enqueue([call("shipmate", "ask_user", { questions })]);
    await scene.fallDue(routine);
    await scene.stands(routine, "needs_attention");
    await shop.shows(room, "Which branch?");
    await life.kill();
    life = await shop.start();
    await scene.stands(routine, "interrupted");
    shop.model.enqueue([say("Cut from main.")]);
    await pressIn({ shop, life }, room, { on: "Which branch?", label: "main", by: shop.ada });
    await shop.shows(ops, "Cut from main.");
    const [first, next] = scene.asked(routine);
    expect(next?.threadId).not.toBe(first?.threadId);
    expect(next?.lastUserText).toContain("Cut the weekly release.");
    expect(next?.lastUserText).toMatch(/Go on from there[\s\S]*Which branch\?[\s\S]*main/u);
    expect(next?.toolNames.join(" ")).toContain("routine_report_failure");
    expect(scene.posted(ops)).toEqual([`**${routine.name}**\n\nCut from main.`]);
    expect(await shop.db.selectFrom("codex_threads").select("id").execute()).toEqual([]);
  });

  it("keeps its place in line where Codex never had it", async () => {
    const room = await shop.room("dm");
    life = await shop.start();
    await life.worker.stop(0);
    const routine = await scene.make(room);
    await scene.fallDue(routine);
    const claim = await life.mailbox.claim(routine.conversationId, { computer: "main", maxConcurrentRuns: 4 });
    expect(claim.kind).toBe("claimed");
    await life.kill();
    shop.model.enqueue([say("Begun after all.")]);
    life = await shop.start();
    await shop.shows(room, "Begun after all.");
    await scene.stands(routine, "succeeded");
    expect(scene.posted(room)).toHaveLength(1);
  });
});

describe("a routine's run whose line breaks", () => {
  it.each(["turn/start", "none"])("ends with it, and what goes on unseen is stopped (%s)", async (method) => {
    const room = await shop.room("channel", "ops");
    let deafAt: string | undefined = method;
    let cut: () => Promise<void> = async () => {};
    const line =
      (open: OpenTransport): OpenTransport =>
      async (events, signal) => {
        let deaf = false;
        const onMessage = (text: string) => (deaf ? undefined : events.onMessage(text));
        const transport = await open({ ...events, onMessage }, signal);
        cut = transport.close;
        return {
          send(message) {
            transport.send(message);
            if (deafAt === undefined || !message.includes(`"method":"${deafAt}"`)) return;
            deafAt = undefined;
            deaf = true;
          },
          close: transport.close,
        };
      };
    life = await shop.start({ line });
    const routine = await scene.make(room);
    const held = gate();
    shop.model.enqueue([waitFor(held), say("The whole report.")]);
    await scene.fallDue(routine);
    await held.reached;
    if (method === "none") await scene.stands(routine, "running");
    await cut();
    const told = await shop.shows(dmOfAda, routine.name);
    expect(told.text).toContain("lost the connection to the computer");
    await scene.stands(routine, "failed");
    const threadId = scene.asked(routine)[0]?.threadId ?? "";
    await vi.waitFor(async () => expect(await turnRuns(threadId)).toBe(false), 10_000);
    held.open();
    await isOver(routine, room);
  });
});
