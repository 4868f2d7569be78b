import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { failures, gate, say, status, waitFor } from "../fakes/model/index.ts";
import { usageLimit } from "./usage-limit.ts";
import { type Life, openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop();
  life = await shop.start({ limits: { silenceMs: 3_600_000, deadlineMs: 7_200_000 } });
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

describe("a failure", () => {
  it("of a rejected key has its own sentence, and Try again asks for the same thing once more", async () => {
    const room = await shop.room("dm");
    shop.model.use(() => [failures.keyRejected()]);
    const said = await shop.say(life, room, shop.ada, "Hello?");
    const notice = await shop.shows(room, "did not accept our key");
    expect(notice.notify).toBe(true);
    expect(notice.buttons.map((each) => each.label)).toEqual(["Try again"]);
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "failed" });
    shop.model.reset();
    shop.model.enqueue([say("Hello, Ada.")]);
    const { runId } = await shop.delivery(said.deliveryId);
    const retried = await shop.unit((unit) => life.mailbox.retry(unit, runId ?? "", shop.ada));
    expect(retried).toBe("queued");
    await life.mailbox.wake(room.conversationId);
    await shop.shows(room, "Hello, Ada.");
  });

  it("of an unknown model has its own sentence", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.use(() => [failures.modelNotFound()]);
    await shop.say(life, room, shop.ben, "Hello?");
    await shop.shows(room, "does not know the chosen model");
  });

  it("F-23 of the plan's limit names the time it resets, and keeps the message in line until then", async () => {
    const room = await shop.room("dm");
    const resetsAt = new Date(Math.ceil(shop.clock.now().getTime() / 60_000) * 60_000 + 3_600_000);
    shop.model.use(() => [usageLimit(resetsAt)]);
    const said = await shop.say(life, room, shop.ada, "Hello?");
    await shop.shows(room, /reached the plan's limit; it resets at .*Your message waits/);
    await vi.waitFor(async () =>
      expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "queued", holdReason: "usage-limit" }),
    );
    await shop.say(life, room, shop.ada, "Are you there?");
    const line = await shop.shows(room, "In line: Milo reached the plan's limit and goes on when it resets.");
    expect(line.buttons.map((each) => each.label)).toEqual(["Cancel"]);
    shop.model.reset();
    shop.model.enqueue([say("Back again.")]);
    shop.clock.pass(2 * 3_600_000);
    await life.mailbox.sweep();
    await shop.shows(room, "Back again.");
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed" });
  });

  it("F-23 of the plan's limit keeps also what had joined the turn in line", async () => {
    const room = await shop.room("dm");
    const resetsAt = new Date(Math.ceil(shop.clock.now().getTime() / 60_000) * 60_000 + 3_600_000);
    const held = gate();
    shop.model.use(async () => {
      await held.opened;
      return [usageLimit(resetsAt)];
    });
    const first = await shop.say(life, room, shop.ada, "Hello?");
    await vi.waitFor(
      async () => expect(await shop.delivery(first.deliveryId)).toMatchObject({ status: "running" }),
      10_000,
    );
    const second = await shop.say(life, room, shop.ada, "And one more thing.");
    await vi.waitFor(
      async () => expect(await shop.delivery(second.deliveryId)).toMatchObject({ status: "running", joined: "steer" }),
      10_000,
    );
    held.open();
    await shop.shows(room, /Your message waits/);
    for (const said of [first, second]) {
      expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "queued", holdReason: "usage-limit" });
    }
    shop.clock.pass(2 * 3_600_000);
    shop.model.use(() => [say("Both done.")]);
    await life.mailbox.sweep();
    await shop.shows(room, "Both done.");
  });

  it("of another kind tells a shared place a code only, and the owner the redacted error in private", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.use(() => [status(400, { message: "The token sk-abcdefghijklmnopqrstuvwx is broken." })]);
    await shop.say(life, room, shop.ben, "Hello?");
    const notice = await shop.shows(room, /^Milo couldn't finish \(code [A-Z0-9]{4}\)\. Ada has the details\.$/);
    const code = /code ([A-Z0-9]{4})/.exec(notice.text)?.[1] ?? "";
    const detail = await shop.shows({ channel: "dm-ada" }, code);
    expect(detail.text).toContain("in Ops");
    expect(detail.text).toContain("is broken");
    expect(detail.text).not.toContain("sk-abc");
  });

  it("of another kind is told to the owner directly in their own chat", async () => {
    const room = await shop.room("dm");
    shop.model.use(() => [status(400, { message: "Something odd." })]);
    await shop.say(life, room, shop.ada, "Hello?");
    expect((await shop.shows(room, "Milo couldn't finish:")).text).toContain("Something odd.");
  });

  it("F-14 ends also when what was said cannot be stored as it is", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([say("Before\u0000after.")]);
    const said = await shop.say(life, room, shop.ada, "Hello?");
    await shop.shows(room, "Beforeafter.");
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed" });

    // Longer than a notice may be, so that every cut falls between the halves of some sign.
    for (const odd of ["😀".repeat(700), `x${"😀".repeat(700)}`]) {
      shop.model.use(() => [status(400, { message: odd })]);
      const failed = await shop.say(life, room, shop.ada, "And now?");
      await vi.waitFor(
        async () => expect(await shop.delivery(failed.deliveryId)).toMatchObject({ status: "failed" }),
        10_000,
      );
    }
  });

  it("F-14 of the database to note that a turn runs does not end the turn", async () => {
    const room = await shop.room("dm");
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      shop.db,
    );
    await sql`create trigger refused before update on runs for each row when (new.status = 'running') execute function refuse()`.execute(
      shop.db,
    );
    try {
      shop.model.enqueue([say("Here all the same.")]);
      const said = await shop.say(life, room, shop.ada, "Hello?");
      await shop.shows(room, "Here all the same.");
      expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed" });
    } finally {
      await sql`drop function refuse() cascade`.execute(shop.db);
    }
  });
});

describe("the watchdog", () => {
  it("F-14 ends a turn in which nothing happens, says so, and frees the lane", async () => {
    const room = await shop.room("dm");
    const held = gate();
    shop.model.enqueue([waitFor(held), say("Never.")], [say("Alive.")]);
    const said = await shop.say(life, room, shop.ada, "Hello?");
    await held.reached;
    // A last event may still be on its way when the clock jumps, so it jumps until the silence is seen.
    const jumps = setInterval(() => shop.clock.pass(3_600_001), 200);
    const notice = await shop
      .shows(room, "nothing happened for 1 h, so I stopped it")
      .finally(() => clearInterval(jumps));
    expect(notice.buttons.map((each) => each.label)).toEqual(["Try again"]);
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "failed" });
    held.open();
    await shop.say(life, room, shop.ada, "And now?");
    await shop.shows(room, "Alive.");
  });
});
