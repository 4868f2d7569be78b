import { describe, expect, it, vi } from "vitest";
import { failures, gate, say, status, waitFor } from "../fakes/model/index.ts";
import { type MadeRoutine, useRoutineShop } from "./routine-scene.ts";
import { usageLimit } from "./usage-limit.ts";

const { shop, life, scene } = await useRoutineShop();
const dmOfAda = { channel: "dm-ada" };
const dmOfBen = { channel: "dm-ben" };
const minute = 60_000;

const inAnHour = () => new Date(Math.ceil(shop.clock.now().getTime() / minute) * minute + 60 * minute);

const deliveriesOf = ({ conversationId }: MadeRoutine) =>
  shop.db
    .selectFrom("deliveries")
    .select(["status", "hold_reason"])
    .where("conversation_id", "=", conversationId)
    .execute();

describe("a routine's run that came to nothing", () => {
  it("goes to nobody but its author when the model fails, with a button to run it again", async () => {
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room);
    shop.model.enqueue([failures.modelNotFound()]);
    await scene.fallDue(routine);
    const told = await shop.shows(dmOfAda, routine.name);
    expect(told.text).toBe(
      `**${routine.name}**\n\nMilo couldn't finish: the provider does not know the chosen model. The owner can choose another one.`,
    );
    expect(told).toMatchObject({ notify: true, buttons: [{ label: "Run again" }] });
    expect(await scene.stands(routine, "failed")).toMatchObject({ quiet: false, failure: "model_not_found" });
    expect(scene.posted(room)).toEqual([]);
    const [button] = told.buttons;
    const pressed = await shop.unit((unit) => life.attention.press(unit, button?.token ?? "", shop.ada));
    expect(pressed).toMatchObject({
      kind: "done",
      action: "routine_run",
      payload: { routineId: routine.id, said: told.text },
    });
  });

  it("tells a member of an unknown error by a code in private, and the owner what it was", async () => {
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room, {}, shop.ben);
    shop.model.enqueue([status(400, { message: "no such thing as a tracker" })]);
    await scene.fallDue(routine);
    await scene.stands(routine, "failed");
    const told = await shop.shows(dmOfBen, routine.name);
    const [, code = ""] = /\(code (\w{4})\)\. Ada has the details\.$/u.exec(told.text) ?? [];
    expect(code).not.toBe("");
    const owner = await shop.shows(dmOfAda, code);
    expect(owner.text).toContain("in ops");
    expect(owner.text).toContain("no such thing as a tracker");
    expect(scene.posted(room)).toEqual([]);
  });

  it("is heard of where it was made when its author has no private chat", async () => {
    const room = await shop.room("channel", "ops");
    const dana = await shop.hire("Dana", "member");
    await shop.db.updateTable("identities").set({ dm_channel: null }).where("person_id", "=", dana.id).execute();
    const routine = await scene.make(room, {}, dana);
    shop.model.enqueue([failures.modelNotFound()]);
    await scene.fallDue(routine);
    await shop.shows(room, "does not know the chosen model");
  });

  it("counts as failed when it ends without a word, and says so to its author", async () => {
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room);
    shop.model.enqueue([say("")]);
    await scene.fallDue(routine);
    const told = await shop.shows(dmOfAda, routine.name);
    expect(told.text).toContain("Milo ended without a report");
    expect(told.buttons).toMatchObject([{ label: "Run again" }]);
    const run = await scene.stands(routine, "failed");
    expect(run).toMatchObject({ quiet: false, failure: "It ended without a report." });
    expect(scene.posted(room)).toEqual([]);
  });

  it("shows a failed test run where it was tried", async () => {
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room);
    shop.model.enqueue([failures.modelNotFound()]);
    await scene.runNow(routine, "test");
    await shop.shows(room, "does not know the chosen model");
    expect(shop.platform.texts(dmOfAda.channel).join()).not.toContain(routine.name);
  });

  it("is stopped like any other, and its author reads by whom and what was said by then", async () => {
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room, {}, shop.ben);
    const end = gate();
    shop.model.enqueue([say("The first half. "), waitFor(end), say("The second.")]);
    await scene.fallDue(routine);
    await end.reached;
    const { runId } = await scene.stands(routine, "running");
    await vi.waitFor(async () => {
      const events = await shop.db
        .selectFrom("run_events")
        .select("id")
        .where("run_id", "=", runId ?? "")
        .execute();
      if (events.length < 2) throw new Error("nothing was said yet");
    });
    await shop.unit((unit) => life.worker.stopRun(unit, runId ?? "", shop.ada));
    const told = await shop.shows(dmOfBen, "stopped by Ada");
    end.open();
    expect(told.text).toBe(`**${routine.name}**\n\nThis run was stopped by Ada.\n\nThe first half.`);
    await scene.stands(routine, "interrupted");
    expect(scene.posted(room)).toEqual([]);
  });

  it("says nothing when it is stopped because the routine is deleted", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room);
    const end = gate();
    shop.model.enqueue([waitFor(end), say("Too late.")]);
    await scene.fallDue(routine);
    await end.reached;
    await scene.stands(routine, "running");
    await shop.unit((unit) => life.routines.remove(unit, shop.ada, routine.id));
    await scene.stands(routine, "interrupted");
    end.open();
    shop.model.enqueue([say("Hello.")]);
    await shop.say(life, room, shop.ada, "Hi.");
    await shop.shows(room, "Hello.");
    expect(JSON.stringify(shop.platform.calls)).not.toContain(routine.name);
  });
});

describe("a routine's run at the usage limit", () => {
  it("waits for the reset and runs then, which its author is told once", async () => {
    const room = await shop.room("channel", "ops");
    const routine = await scene.make(room);
    shop.model.enqueue([usageLimit(inAnHour())]);
    await scene.fallDue(routine);
    const told = await shop.shows(dmOfAda, routine.name);
    expect(told.text).toMatch(/Milo reached the plan's limit; it resets at .* This run waits until then\.$/u);
    expect(told.buttons.map(({ label }) => label)).toEqual(["Cancel"]);
    await scene.stands(routine, "queued");
    // It meets the limit once more, and waits once more.
    shop.model.enqueue([usageLimit(new Date(inAnHour().getTime() + 60 * minute))]);
    shop.clock.pass(62 * minute);
    await life.mailbox.sweep();
    await vi.waitFor(() => expect(scene.asked(routine)).toHaveLength(2));
    await scene.stands(routine, "queued");
    shop.model.enqueue([say("All is well.")]);
    shop.clock.pass(90 * minute);
    await life.mailbox.sweep();
    await shop.shows(room, "All is well.");
    await scene.stands(routine, "succeeded");
    expect(scene.posted(room)).toHaveLength(1);
    expect(scene.posted(dmOfAda).filter((text) => text.includes(routine.name))).toHaveLength(1);
  });

  it("is left out where it is not to wait, and nobody is told", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room, { atLimit: "skip" });
    shop.model.enqueue([usageLimit(inAnHour())]);
    await scene.fallDue(routine);
    const run = await scene.stands(routine, "skipped");
    expect(run).toMatchObject({ skippedBecause: "limit" });
    expect(await deliveriesOf(routine)).toEqual([{ status: "cancelled", hold_reason: null }]);
    shop.clock.pass(62 * minute);
    shop.model.enqueue([say("Hello.")]);
    await shop.say(life, room, shop.ada, "Hi.");
    await shop.shows(room, "Hello.");
    expect(JSON.stringify(shop.platform.calls)).not.toContain(routine.name);
  });

  it("is not begun any more when its author may not ask by then, without a word", async () => {
    const room = await shop.room("dm");
    const routine = await scene.make(room, {}, shop.ben);
    shop.model.enqueue([usageLimit(inAnHour())]);
    await scene.fallDue(routine);
    await shop.shows(dmOfBen, routine.name);
    await scene.stands(routine, "queued");
    await shop.db.updateTable("people").set({ role: "guest" }).where("id", "=", shop.ben.id).execute();
    const asked = shop.model.requests.length;
    const calls = shop.platform.calls.length;
    shop.clock.pass(62 * minute);
    await life.mailbox.sweep();
    await scene.stands(routine, "cancelled");
    expect(shop.model.requests).toHaveLength(asked);
    expect(shop.platform.calls).toHaveLength(calls);
    await shop.db.updateTable("people").set({ role: "member" }).where("id", "=", shop.ben.id).execute();
  });
});
