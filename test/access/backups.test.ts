import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Backup, changeBackups, planWindows, readBackups, saveLeft } from "../../src/access/index.ts";
import { type FakeModel, failures, type Reply, say, shell, startFakeModel, status } from "../fakes/model/index.ts";
import { type Life, openWorkshop, type Workshop } from "../runs/workshop.ts";

const tries = {
  "model_providers.shipmate.request_max_retries": 0,
  "model_providers.shipmate.stream_max_retries": 0,
};

async function backUp(shop: Workshop, ...list: readonly Backup[]): Promise<void> {
  await shop.unit((unit) => changeBackups(unit, shop.teammate.id, () => list));
  await saveLeft(shop.db, shop.teammate.id, null);
}

describe("a model that cannot answer", () => {
  let shop: Workshop;
  let life: Life;
  beforeAll(async () => {
    shop = await openWorkshop(tries);
    life = await shop.start();
  });
  afterEach(() => shop.model.reset());
  afterAll(() => shop[Symbol.asyncDispose]());

  /** Only these models answer. */
  const only = (...models: readonly string[]) =>
    shop.model.use((request) =>
      models.includes(request.model) ? [say(`${request.model} answers.`)] : [failures.overloaded()],
    );

  it("is replaced by the first backup that can, which is told once and stays", async () => {
    await backUp(shop, { model: "first-spare" }, { model: "second-spare" });
    only("second-spare");
    const room = await shop.room("dm");
    const said = await shop.say(life, room, shop.ada, "Hello?");
    const answer = await shop.shows(room, "second-spare answers.");
    expect(answer.footer).toContain("instead of the usual model: it had too much to do");
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed" });
    expect(shop.platform.texts(room.channel)).toHaveLength(1);
    only("second-spare", "gpt-5.5");
    const asked = shop.model.requests.length;
    await shop.say(life, room, shop.ada, "And now?");
    await vi.waitFor(() => expect(shop.platform.texts(room.channel)).toHaveLength(2), 20_000);
    const again = shop.platform.seen(room.channel).at(-1);
    expect(again?.text).toContain("second-spare answers.");
    expect(again?.footer).not.toContain("instead of");
    expect(shop.model.requests.slice(asked).map((each) => each.model)).toEqual(["second-spare"]);
    const { left } = await readBackups(shop.db, shop.teammate.id);
    expect(left).toMatchObject({ to: { model: "second-spare" }, cause: "overloaded", until: null });
  });

  it("fails as ever where no backup can answer either", async () => {
    await backUp(shop, { model: "first-spare" });
    only();
    const room = await shop.room("dm");
    await shop.say(life, room, shop.ada, "Hello?");
    const notice = await shop.shows(room, "the model has too much to do right now");
    expect(notice.buttons.map((each) => each.label)).toEqual(["Try again"]);
  });

  it("is not replaced under a message that it worked on: that one fails, and the next goes to the backup", async () => {
    await shop.db.updateTable("teammates").set({ autonomy: "autonomous" }).execute();
    await backUp(shop, { model: "first-spare" });
    const room = await shop.room("dm");
    shop.model.enqueue([shell("echo once")], [failures.overloaded()]);
    await shop.say(life, room, shop.ada, "Do it once.");
    await shop.shows(room, "the model has too much to do right now");
    only("first-spare");
    await shop.say(life, room, shop.ada, "Go on.");
    await shop.shows(room, "first-spare answers.");
  });

  it("is used again as soon as somebody chooses another", async () => {
    await backUp(shop, { model: "first-spare" });
    only("first-spare", "chosen");
    const room = await shop.room("dm");
    await shop.say(life, room, shop.ada, "Hello?");
    await shop.shows(room, "first-spare answers.");
    await shop.unit((unit) => life.teammates.update(unit, shop.ada, shop.teammate.id, { model: "chosen" }));
    await shop.say(life, room, shop.ada, "And now?");
    await shop.shows(room, "chosen answers.");
    expect((await readBackups(shop.db, shop.teammate.id)).left).toBeNull();
  });
});

describe("a plan that is used up", () => {
  let plan: FakeModel;
  let shop: Workshop;
  let life: Life;
  beforeAll(async () => {
    plan = await startFakeModel();
    shop = await openWorkshop({
      ...tries,
      model_provider: "plan",
      "model_providers.plan.name": "Plan",
      "model_providers.plan.base_url": plan.url,
      "model_providers.plan.wire_api": "responses",
    });
    const apiKey = "sk-key-of-the-environment-1234";
    life = await shop.start({ access: { endpoint: undefined, apiKey, keyUrl: shop.model.url } });
  });
  afterAll(async () => {
    await shop[Symbol.asyncDispose]();
    await plan.close();
  });

  function usedUp(resetsAt: Date): Reply {
    const seconds = Math.floor(resetsAt.getTime() / 1000);
    const headers = {
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": String(seconds),
    };
    return [status(429, { type: "usage_limit_reached", message: "Used up.", resets_at: seconds }, headers)];
  }

  it("leaves a teammate with a backup on the key to that one until it resets, and holds everybody else's messages", async () => {
    const resetsAt = new Date(Math.ceil(shop.clock.now().getTime() / 60_000) * 60_000 + 3_600_000);
    plan.use(() => usedUp(resetsAt));
    shop.model.use((request) => [say(`${request.model} by the key.`)]);
    await backUp(shop, { model: "on-plan", payer: "plan" }, { model: "on-key", payer: "api_key" });
    const room = await shop.room("group", "Yard");
    await shop.say(life, room, shop.ben, "Hello?");
    await shop.shows(room, "on-key by the key.");
    const { left } = await readBackups(shop.db, shop.teammate.id);
    expect(left).toMatchObject({ cause: "usage_limit", until: resetsAt });
    await vi.waitFor(
      async () =>
        expect(await planWindows(shop.db)).toMatchObject({
          primary: { usedPercent: 100, windowMinutes: 300, resetsAt },
        }),
      10_000,
    );

    await backUp(shop);
    const asked = plan.requests.length;
    const rooms = [await shop.room("group", "Ops"), await shop.room("group", "Lab")];
    for (const each of rooms) await shop.say(life, each, shop.ben, "And me?");
    for (const each of rooms) await shop.shows(each, "Your message waits.");
    expect(plan.requests).toHaveLength(asked);
    expect(shop.platform.texts("dm-ada").filter((text) => text.includes("The plan's limit is reached"))).toHaveLength(
      1,
    );

    plan.use(() => [say("The plan is back.")]);
    shop.clock.pass(2 * 3_600_000);
    await life.mailbox.sweep();
    for (const each of rooms) await shop.shows(each, "The plan is back.");
  });

  it("is told to the owner when it turns us away, once, and nobody waits for another refusal", async () => {
    plan.use(() => [failures.keyRejected()]);
    const rooms = [await shop.room("group", "Gate"), await shop.room("group", "Hall")];
    for (const each of rooms) {
      await shop.say(life, each, shop.ben, "Hello?");
      await shop.shows(each, "the plan's sign-in is no longer accepted");
    }
    const told = () => shop.platform.texts("dm-ada").filter((text) => text.includes("no longer accepted"));
    expect(told()).toEqual(["The plan's sign-in is no longer accepted. Send /login to sign in again."]);
    expect(plan.requests.filter(({ lastUserText }) => lastUserText.includes("Hello?")).at(-1)?.text).not.toContain(
      "Hall",
    );
    plan.use(() => [say("Signed in anew.")]);
    shop.clock.pass(11 * 60_000);
    await shop.say(life, await shop.room("group", "Door"), shop.ben, "And now?");
    await vi.waitFor(() => expect(plan.requests.at(-1)?.lastUserText).toContain("And now?"), 10_000);
  });
});
