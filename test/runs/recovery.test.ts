import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../src/shared/index.ts";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Room, type Said, type Workshop } from "./workshop.ts";

let shop: Workshop;

beforeEach(async () => {
  shop = await openWorkshop();
});

afterEach(async () => {
  await shop[Symbol.asyncDispose]();
});

async function restartCodex(): Promise<void> {
  const { state } = shop.server;
  if (state.status !== "ready") throw new Error("Codex is not running");
  process.kill(state.pid, "SIGKILL");
  await vi.waitFor(() => {
    const now = shop.server.state;
    if (now.status !== "ready" || now.pid === state.pid) throw new Error("Codex is not back yet");
  }, 20_000);
}

/** A turn that says something, stands in front of a gate, and then goes on. */
async function startHeldTurn(life: Life, room: Room) {
  const held = gate();
  shop.model.enqueue([say("First part. ", { phase: "commentary" }), waitFor(held), say("The whole answer.")]);
  const said = await shop.say(life, room, shop.ada, "Please.");
  await held.reached;
  await vi.waitFor(async () => {
    expect((await shop.delivery(said.deliveryId)).status).toBe("running");
    const events = await shop.db.selectFrom("run_events").select("kind").execute();
    expect(events.map((each) => each.kind)).toEqual(expect.arrayContaining([expect.stringMatching(/^text/)]));
  }, 10_000);
  return { held, said };
}

const statusOf = async (said: Said) => (await shop.delivery(said.deliveryId)).status;

describe("after a crash of ours, with Codex alive", () => {
  it("F-21 joins a turn that still runs, and answers once", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held, said } = await startHeldTurn(life, room);
    await life.kill();
    await shop.start();
    held.open();
    await shop.shows(room, "The whole answer.");
    expect(await statusOf(said)).toBe("completed");
    await vi.waitFor(() => expect(shop.platform.texts(room.channel)).toEqual(["The whole answer."]));
  });

  it("F-18 adopts a turn that finished meanwhile, and answers once, however often it starts again", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held, said } = await startHeldTurn(life, room);
    await life.kill();
    const requests = shop.model.requests.length;
    held.open();
    await shop.turnOver(room);
    const second = await shop.start();
    await shop.shows(room, "The whole answer.");
    expect(await statusOf(said)).toBe("completed");
    await second.kill();
    await shop.start();
    await vi.waitFor(() => expect(shop.platform.texts(room.channel)).toEqual(["The whole answer."]));
    expect(shop.model.requests).toHaveLength(requests);
  });

  it.each(["while we were away", "after the restart"])(
    "F-27 takes a decision %s into the turn that waits for it",
    async (when) => {
      const room = await shop.room("dm");
      await shop.db.updateTable("teammates").set({ autonomy: "ask_all" }).execute();
      const life = await shop.start();
      shop.model.enqueue([shell("touch decided.txt")], [say("Done after all.")]);
      const said = await shop.say(life, room, shop.ada, "Touch it.");
      const card = await shop.shows(room, "touch decided.txt");
      await life.kill();
      const approve = card.buttons.find((each) => each.label === "Approve")?.token ?? "";
      const press = async ({ attention }: Life) => {
        const pressed = await shop.unit((unit) => attention.press(unit, approve, shop.ada));
        expect(pressed).toMatchObject({ kind: "done" });
      };
      // Pressed in another process: nobody of ours is there to hear of it.
      if (when === "while we were away") await press(life);
      const second = await shop.start();
      if (when === "after the restart") await press(second);
      await shop.shows(room, "Done after all.");
      expect(await statusOf(said)).toBe("completed");
      const cards = await shop.db.selectFrom("attention").select("status").execute();
      expect(cards).toEqual([{ status: "approved" }]);
    },
  );

  it("puts a run back in line that Codex never had", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    await life.kill();
    // The claim was committed, and the process died before it said a word to Codex.
    const dead = await claimWithoutStarting(room);
    shop.model.enqueue([say("Started now.")]);
    const second = await shop.start();
    shop.clock.pass(10_000);
    await second.mailbox.sweep();
    await shop.shows(room, "Started now.");
    expect((await shop.delivery(dead.deliveryId)).status).toBe("completed");
    expect((await shop.runs()).map((each) => [each.status, each.errorCode])).toEqual([
      ["failed", "not_started"],
      ["completed", null],
    ]);
  });

  it("F-61 leaves the computer's runs and its line alone while somebody else may own it", async () => {
    const room = await shop.room("dm");
    let owns = true;
    let asked = 0;
    const ownsComputer = () => {
      asked += 1;
      return owns;
    };
    const life = await shop.start({ ownsComputer });
    owns = false;
    const theirs = await claimWithoutStarting(room);
    const elsewhere = await shop.room("group", "Ops");
    const waiting = await shop.say(life, elsewhere, shop.ada, "Please.");
    await life.mailbox.wake(elsewhere.conversationId);
    // Often enough for a run that nobody has in hand to be noticed.
    asked = 0;
    await vi.waitFor(() => expect(asked).toBeGreaterThan(10), 10_000);
    expect([await statusOf(theirs), await statusOf(waiting)]).toEqual(["starting", "queued"]);
    shop.model.use(() => [say("Ours again.")]);
    owns = true;
    await life.mailbox.sweep();
    await shop.shows(elsewhere, "Ours again.");
    await shop.shows(room, "Ours again.");
  });

  it("F-17 says a message into the turn only once, where we died before we knew that it joined", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held, said } = await startHeldTurn(life, room);
    const run = await shop.delivery(said.deliveryId);
    await life.kill();
    const lost = await insertDelivery(room, { status: "starting", joined: "steer", runId: run.runId });
    shop.model.enqueue([say("Also this.")]);
    await shop.start();
    held.open();
    await shop.shows(room, "Also this.");
    await vi.waitFor(async () => expect((await shop.delivery(lost.deliveryId)).status).toBe("completed"), 10_000);
    const asked = shop.model.requests.at(-1)?.text ?? "";
    expect(asked.split("One more thing.").length - 1).toBe(1);
  });
});

describe("after a crash of both", () => {
  it("F-21 keeps what was finished, says that we restarted, and offers Try again", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const held = gate();
    shop.model.enqueue(
      [say("I read the files.", { phase: "commentary" }), shell("true")],
      [waitFor(held), say("Never.")],
    );
    const said = await shop.say(life, room, shop.ada, "Please.");
    await held.reached;
    await vi.waitFor(async () => {
      const events = await shop.db.selectFrom("run_events").select("kind").execute();
      expect(events.map((each) => each.kind)).toContain("text");
    }, 10_000);
    await life.kill();
    await restartCodex();
    const second = await shop.start();
    const notice = await shop.shows(room, "I restarted in the middle of this. Here is what Milo had finished:");
    expect(notice.text).toContain("I read the files.");
    expect(notice.buttons.map((each) => each.label)).toEqual(["Try again"]);
    expect(await statusOf(said)).toBe("interrupted");
    expect((await shop.runs()).at(-1)).toMatchObject({ status: "interrupted", errorCode: "restart" });
    held.open();
    // The lane is free again.
    shop.model.reset();
    shop.model.enqueue([say("Here I am.")]);
    await shop.say(second, room, shop.ada, "Still there?");
    await shop.shows(room, "Here I am.");
  });
});

describe("a progress message that a crash left behind", () => {
  it.each(["goes on", "was cut off"])("F-41 is taken away, where its turn %s", async (what) => {
    const room = await shop.room("group", "Ops");
    const life = await shop.start();
    const { held } = await startHeldTurn(life, room);
    const before = await shop.shows(room, "Milo · working");
    await life.kill();
    if (what === "was cut off") await restartCodex();
    await shop.start();
    await vi.waitFor(() => {
      expect(shop.platform.seen(room.channel).map((each) => each.id)).not.toContain(before.id);
    }, 10_000);
    held.open();
    await shop.shows(room, what === "goes on" ? "The whole answer." : "I restarted in the middle of this.");
    await vi.waitFor(() => expect(shop.platform.texts(room.channel)).toHaveLength(1), 10_000);
  });
});

describe("when Codex dies under a turn", () => {
  it("F-18 says so with what there was, offers Try again, and goes on with the next message", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held, said } = await startHeldTurn(life, room);
    await restartCodex();
    const notice = await shop.shows(room, "lost the connection to the computer");
    expect(notice.text).toContain("First part.");
    expect(notice.buttons.map((each) => each.label)).toEqual(["Try again"]);
    expect(await statusOf(said)).toBe("failed");
    held.open();
    shop.model.reset();
    shop.model.enqueue([say("Back.")]);
    await shop.say(life, room, shop.ada, "Still there?");
    await shop.shows(room, "Back.");
  });

  it("F-14 gives up when it does not come back, and frees the lane", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held, said } = await startHeldTurn(life, room);
    await shop.server.stop();
    await vi.waitFor(async () => {
      expect((await shop.runs()).at(-1)?.status).toBe("reconciling");
    }, 10_000);
    shop.clock.pass(60_001);
    await shop.shows(room, "lost the connection to the computer");
    expect(await statusOf(said)).toBe("failed");
    held.open();
  });
});

describe("a planned stop", () => {
  it("F-21 lets a turn finish that finishes in time", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held } = await startHeldTurn(life, room);
    const stopping = life.worker.stop(20_000);
    held.open();
    expect(await stopping).toEqual({ cut: [] });
    await shop.shows(room, "The whole answer.");
  });

  it("F-21 ends what takes longer, tells what was finished, and leaves new messages for the next start", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held, said } = await startHeldTurn(life, room);
    const { cut } = await life.worker.stop(0);
    expect(cut).toHaveLength(1);
    const notice = await shop.shows(room, "I restarted in the middle of this.");
    expect(notice.text).toContain("First part.");
    expect(await statusOf(said)).toBe("interrupted");
    const later = await shop.say(life, room, shop.ada, "And this?");
    await life.kill();
    held.open();
    shop.model.reset();
    shop.model.enqueue([say("That too.")]);
    await shop.start();
    await shop.shows(room, "That too.");
    expect(await statusOf(later)).toBe("completed");
  });

  it("F-21 ends in time also while a file that joins a turn is still being fetched", async () => {
    const room = await shop.room("dm");
    const life = await shop.start();
    const { held, said } = await startHeldTurn(life, room);
    const fetching = Promise.withResolvers<void>();
    shop.platform.adapter.download = () => {
      fetching.resolve();
      return new Promise(() => undefined);
    };
    await shop.say(life, room, shop.ada, "And this file.", { files: [{ id: "f1", name: "plan.pdf" }] });
    await fetching.promise;
    await life.worker.stop(100);
    expect(await statusOf(said)).toBe("interrupted");
    held.open();
  });

  it("leaves turns alone where Codex outlives us, and joins them at the next start", async () => {
    const room = await shop.room("dm");
    const life = await shop.start({ codexOutlivesUs: true });
    const { held, said } = await startHeldTurn(life, room);
    const { cut } = await life.worker.stop(0);
    expect(cut).toHaveLength(1);
    await life.kill();
    await shop.start({ codexOutlivesUs: true });
    held.open();
    await shop.shows(room, "The whole answer.");
    expect(await statusOf(said)).toBe("completed");
  });
});

interface DeliveryState {
  readonly status: "starting";
  readonly joined: "start" | "steer";
  readonly runId: string | null;
}

async function insertDelivery(room: Room, state: DeliveryState): Promise<Said> {
  const messageId = newId();
  const deliveryId = newId();
  await shop.db
    .insertInto("messages")
    .values({
      id: messageId,
      conversation_id: room.conversationId,
      author: "person",
      person_id: shop.ada.id,
      author_name: "Ada",
      text: "One more thing.",
      sent_at: shop.clock.now(),
    })
    .execute();
  await shop.db
    .insertInto("deliveries")
    .values({
      id: deliveryId,
      message_id: messageId,
      teammate_id: shop.teammate.id,
      conversation_id: room.conversationId,
      requester_person_id: shop.ada.id,
      trigger: "message",
      status: state.status,
      joined: state.joined,
      run_id: state.runId,
      idempotency_key: `message:${messageId}`,
    })
    .execute();
  return { deliveryId, messageId, platformMessageId: "" };
}

/** What the database looks like when a process dies right after a claim. */
async function claimWithoutStarting(room: Room): Promise<Said> {
  const runId = newId();
  await shop.db
    .insertInto("runs")
    .values({
      id: runId,
      teammate_id: shop.teammate.id,
      conversation_id: room.conversationId,
      requester_person_id: shop.ada.id,
      trigger: "message",
      status: "starting",
      computer: "main",
    })
    .execute();
  return insertDelivery(room, { status: "starting", joined: "start", runId });
}
