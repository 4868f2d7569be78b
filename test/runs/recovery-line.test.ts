import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenTransport } from "../../src/codex/index.ts";
import { gate, say, shell, waitFor } from "../fakes/model/index.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;

beforeEach(async () => {
  shop = await openWorkshop();
});

afterEach(async () => {
  await shop[Symbol.asyncDispose]();
});

/**
 * A line that breaks once, when a message of this method is sent: before it leaves, right after, or so that we hear nothing more
 * until it is cut.
 */
function breaksAt(method: string, when: "before" | "after" | "deaf") {
  let broken = false;
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
          const now = !broken && message.includes(`"method":"${method}"`);
          if (now) broken = true;
          if (!now || when !== "before") transport.send(message);
          if (now && when === "deaf") deaf = true;
          else if (now) void transport.close();
        },
        close: transport.close,
      };
    };
  return { line, isBroken: () => broken, cut: () => cut() };
}

describe("a line that breaks", () => {
  it("F-17 while a turn is being started loses nothing and starts nothing twice, where Codex has it", async () => {
    const room = await shop.room("dm");
    const fault = breaksAt("turn/start", "deaf");
    const held = gate();
    shop.model.use(() => [waitFor(held), say("Once.")]);
    const life = await shop.start({ line: fault.line });
    const said = await shop.say(life, room, shop.ada, "Please.");
    await held.reached;
    await fault.cut();
    held.open();
    await shop.shows(room, "Once.");
    expect(fault.isBroken()).toBe(true);
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed" });
    expect(shop.model.requests).toHaveLength(1);
    expect(await shop.runs()).toHaveLength(1);
  });

  it("F-17 while a turn is being started puts the message back in line, where Codex never got it", async () => {
    const room = await shop.room("dm");
    const fault = breaksAt("turn/start", "before");
    shop.model.use(() => [say("Once.")]);
    const life = await shop.start({ line: fault.line });
    const said = await shop.say(life, room, shop.ada, "Please.");
    await vi.waitFor(() => expect(fault.isBroken()).toBe(true), 10_000);
    // Two looks that agree, some seconds apart, and then a pause before the next try.
    const answered = shop.shows(room, "Once.");
    const forward = setInterval(() => {
      shop.clock.pass(1_000);
      void life.mailbox.sweep();
    }, 100);
    await answered.finally(() => clearInterval(forward));
    await vi.waitFor(async () => expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed" }));
    expect(shop.model.requests).toHaveLength(1);
    expect((await shop.runs()).map((each) => each.errorCode)).toEqual(["not_started", null]);
    expect(shop.platform.texts(room.channel)).toEqual(["Once."]);
  });

  it("F-18 before a turn was started puts the message back in line for a moment", async () => {
    const room = await shop.room("dm");
    const fault = breaksAt("thread/start", "before");
    shop.model.use(() => [say("Once.")]);
    const life = await shop.start({ line: fault.line });
    const said = await shop.say(life, room, shop.ada, "Please.");
    await vi.waitFor(async () =>
      expect(await shop.delivery(said.deliveryId)).toMatchObject({ holdReason: "teammate-restarting" }),
    );
    shop.clock.pass(10_000);
    await life.mailbox.sweep();
    await shop.shows(room, "Once.");
    expect(shop.platform.texts(room.channel)).toEqual(["Once."]);
  });

  it("F-18 in the middle of a turn is joined again, and the answer is whole", async () => {
    const room = await shop.room("dm");
    const fault = breaksAt("no such method", "after");
    const held = gate();
    shop.model.enqueue([say("One, two, "), waitFor(held), say("three, four.")]);
    const life = await shop.start({ line: fault.line });
    await shop.say(life, room, shop.ada, "Count.");
    await held.reached;
    await vi.waitFor(async () => expect((await shop.runs()).at(-1)?.status).toBe("running"), 10_000);
    const { epoch } = life.connection;
    await fault.cut();
    await vi.waitFor(() => {
      expect(life.connection.epoch).toBeDefined();
      expect(life.connection.epoch).not.toBe(epoch);
    }, 10_000);
    held.open();
    await shop.shows(room, "three, four.");
    const run = (await shop.runs()).at(-1);
    expect(run?.status).toBe("completed");
  });

  it("F-27 while a person is asked shows no second card, and the decision still counts", async () => {
    const room = await shop.room("dm");
    const fault = breaksAt("no such method", "after");
    await shop.db.updateTable("teammates").set({ autonomy: "ask_all" }).execute();
    shop.model.enqueue([shell("touch once.txt")], [say("Touched.")]);
    const life = await shop.start({ line: fault.line });
    await shop.say(life, room, shop.ada, "Touch it.");
    const card = await shop.shows(room, "Milo asks");
    const { epoch } = life.connection;
    await fault.cut();
    await vi.waitFor(() => {
      expect(life.connection.epoch).toBeDefined();
      expect(life.connection.epoch).not.toBe(epoch);
    }, 10_000);
    const token = card.buttons.find((each) => each.label === "Approve")?.token ?? "";
    await shop.unit((unit) => life.attention.press(unit, token, shop.ada));
    await shop.shows(room, "Touched.");
    const cards = await shop.db.selectFrom("attention").select("status").execute();
    expect(cards).toEqual([{ status: "approved" }]);
  });

  it("F-17 while a message joins the turn brings it in exactly once, in this turn or the next", async () => {
    const room = await shop.room("dm");
    const fault = breaksAt("turn/steer", "after");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("First. ", { phase: "commentary" })], [say("Both.")]);
    const life = await shop.start({ line: fault.line });
    await shop.say(life, room, shop.ada, "First thing.");
    await held.reached;
    await vi.waitFor(async () => expect((await shop.runs()).at(-1)?.status).toBe("running"), 10_000);
    const second = await shop.say(life, room, shop.ada, "Second thing.");
    await vi.waitFor(() => expect(fault.isBroken()).toBe(true), 10_000);
    held.open();
    await shop.shows(room, "Both.");
    await vi.waitFor(
      async () => expect(await shop.delivery(second.deliveryId)).toMatchObject({ status: "completed" }),
      10_000,
    );
    const all = shop.model.requests.at(-1)?.text ?? "";
    expect(all.split("Second thing.").length - 1).toBe(1);
  });
});
