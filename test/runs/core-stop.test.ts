import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop();
  // A computer of its own: what is stopped here is looked at from outside, which a sandbox would hide.
  life = await shop.start({ isolated: true });
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

const stop = (runId: string | null, by = shop.ada) => shop.unit((unit) => life.worker.stopRun(unit, runId ?? "", by));

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function runOf(deliveryId: string): Promise<string> {
  return vi.waitFor(async () => {
    const { runId } = await shop.delivery(deliveryId);
    if (runId === null) throw new Error("not claimed yet");
    return runId;
  });
}

describe("stop", () => {
  it("is carried out also when the queue lost it", async () => {
    const room = await shop.room("dm");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("Never said.")]);
    const said = await shop.say(life, room, shop.ada, "Something long.");
    await held.reached;
    // Stored as a press stores it, but without the job that would tell the worker.
    await shop.db
      .updateTable("runs")
      .set({ stop_requested_by: shop.ada.id, stop_requested_at: new Date() })
      .where("id", "=", await runOf(said.deliveryId))
      .execute();
    await vi.waitFor(async () => expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "interrupted" }));
  });

  it("F-15 ends a turn in the middle of an answer, says by whom, and frees the lane", async () => {
    const room = await shop.room("group", "Ops");
    const held = gate();
    shop.model.enqueue([say("Half an answer "), waitFor(held), say("and the rest.")], [say("Fresh again.")]);
    const said = await shop.say(life, room, shop.ada, "Something long.");
    await held.reached;
    const runId = await runOf(said.deliveryId);
    await vi.waitFor(async () => expect(await stop(runId)).toBe("stopping"));
    await vi.waitFor(async () => expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "interrupted" }));
    await vi.waitFor(() => expect(shop.platform.reactions.at(-1)).toMatchObject({ reaction: "stopped" }));
    expect((await shop.runs()).at(-1)).toMatchObject({ status: "interrupted", errorCode: "stopped" });
    expect(await stop(runId)).toBe("not_running");
    held.open();
    await shop.say(life, room, shop.ada, "And now?");
    await shop.shows(room, "Fresh again.");
    const texts = shop.platform.texts(room.channel);
    expect(texts.some((text) => text.includes("and the rest"))).toBe(false);
  });

  it("F-15 can be asked for again and again while it happens", async () => {
    const room = await shop.room("dm");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("Never.")]);
    const said = await shop.say(life, room, shop.ada, "Wait.");
    await held.reached;
    const runId = await runOf(said.deliveryId);
    await Promise.all([stop(runId), stop(runId), stop(runId)]);
    const notice = await shop.shows(room, "Stopped by Ada.");
    expect(notice.notify).toBe(false);
    expect(shop.platform.texts(room.channel).filter((text) => text.includes("Stopped"))).toHaveLength(1);
    held.open();
  });

  it("ends a turn whose start is still on its way", async () => {
    const room = await shop.room("dm");
    const held = gate();
    shop.model.use(() => [waitFor(held), say("Never.")]);
    const said = await shop.say(life, room, shop.ada, "Right away.");
    const runId = await runOf(said.deliveryId);
    await stop(runId);
    await vi.waitFor(async () => expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "interrupted" }));
    held.open();
  });

  it("F-16 kills the command that runs", async () => {
    const room = await shop.room("dm");
    await shop.db.updateTable("teammates").set({ autonomy: "autonomous", access: "full" }).execute();
    shop.model.enqueue([shell("sleep 300 & echo $! > pid; wait", { yieldMs: 60_000 })], [say("Never.")]);
    const said = await shop.say(life, room, shop.ada, "Sleep.");
    const runId = await runOf(said.deliveryId);
    const pid = await vi.waitFor(async () => {
      const written = Number(await readFile(`${shop.home}/workspaces/milo/pid`, "utf8"));
      if (!(written > 0)) throw new Error("the command has not started");
      return written;
    }, 20_000);
    expect(lives(pid)).toBe(true);
    await stop(runId);
    await shop.shows(room, "Stopped by Ada.");
    await vi.waitFor(() => expect(lives(pid)).toBe(false), 10_000);
    await shop.db.updateTable("teammates").set({ autonomy: "ask_consequential", access: "workspace" }).execute();
  });

  it("is for the one who asked, and for managers", async () => {
    const room = await shop.room("group", "Ops");
    const held = gate();
    const carol = await shop.hire("Carol", "member");
    shop.model.enqueue([waitFor(held), say("For Ben.")]);
    const said = await shop.say(life, room, shop.ben, "Please.");
    await held.reached;
    const runId = await runOf(said.deliveryId);
    expect(await stop(runId, carol)).toBe("refused");
    expect(await stop(runId, shop.ada)).toBe("stopping");
    await shop.shows(room, "Stopped by Ada.");
    held.open();
  });

  it("takes what the requester still has in line with it, and leaves what others have", async () => {
    const room = await shop.room("group", "Ops");
    const held = gate();
    await shop.db.updateTable("teammates").set({ busy_mode: "queue" }).execute();
    shop.model.enqueue([waitFor(held), say("Never.")], [say("For Ben.")]);
    const first = await shop.say(life, room, shop.ada, "One.");
    await held.reached;
    const second = await shop.say(life, room, shop.ada, "Two.");
    await shop.shows(room, "In line: 1 task ahead");
    const other = await shop.say(life, room, shop.ben, "Mine.");
    await stop(await runOf(first.deliveryId));
    await shop.shows(room, "For Ben.");
    expect(await shop.delivery(second.deliveryId)).toMatchObject({ status: "cancelled" });
    await vi.waitFor(async () => expect(await shop.delivery(other.deliveryId)).toMatchObject({ status: "completed" }));
    await vi.waitFor(() =>
      expect(shop.platform.texts(room.channel).filter((text) => text.includes("In line"))).toEqual([]),
    );
    await shop.db.updateTable("teammates").set({ busy_mode: "steer" }).execute();
    held.open();
  });
});

describe("Stop, where Codex does not answer", () => {
  it("F-16 waits for nobody else's", async () => {
    await life.kill();
    const swallowed = /"method":"turn\/interrupt"/;
    const deaf = await shop.start({
      maxConcurrentRuns: 20,
      limits: { interruptMs: 500 },
      line: (open) => async (events, signal) => {
        const transport = await open(events, signal);
        return { ...transport, send: (message) => (swallowed.test(message) ? undefined : transport.send(message)) };
      },
    });
    const held = gate();
    shop.model.use(() => [waitFor(held), say("Never.")]);
    const rooms = await Promise.all(Array.from({ length: 10 }, () => shop.room("dm")));
    for (const room of rooms) {
      const said = await shop.say(deaf, room, shop.ada, "Wait.");
      await vi.waitFor(
        async () => expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "running" }),
        10_000,
      );
      const runId = await runOf(said.deliveryId);
      await shop.unit((unit) => deaf.worker.stopRun(unit, runId ?? "", shop.ada));
    }
    await Promise.all(rooms.map((room) => shop.shows(room, "Stopped by Ada.")));
    held.open();
    await deaf.kill();
  });
});
