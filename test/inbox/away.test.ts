import { beforeEach, expect, test, vi } from "vitest";
import { createMailbox } from "../../src/mailbox/index.ts";
import type { QueuePayload } from "../../src/storage/index.ts";
import { addPost, addTeammate, asked } from "./colleagues.ts";
import { ada, command, dm, group, message, person, press } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
let pennyId: string;
beforeEach(async () => {
  await office.open(group, "members");
  pennyId = await addTeammate(office);
});

const ben = person("ben", "Ben");
const { latest, pressed, labels, token } = lastCard(office);

const hide = (name = "Penny") => office.sink(command(ada, "agent", `hide ${name}`));
const last = async () => (await office.texts()).at(-1);

test("/agent hide sends a colleague away, and /agent show has it back", async () => {
  await hide("penny");
  expect(await last()).toBe("Penny is away. Everything is kept. To have Penny back: /agent show Penny");
  expect((await office.deps.teammates.list(office.db)).map(({ name }) => name)).toEqual(["Milo"]);
  await office.sink(command(ada, "agent", "show Penny"));
  expect(await last()).toBe("Penny is back.");
  expect(await office.deps.teammates.list(office.db)).toHaveLength(2);
});

test("the last one cannot be sent away", async () => {
  await hide("Penny");
  await hide("Milo");
  expect(await last()).toMatch(/^Somebody has to stay\./);
});

const roads: readonly (readonly [road: string, go: () => Promise<void>])[] = [
  ["a name at the start", () => office.sink(message(ada, "Penny, pay this"))],
  ["a mention", () => office.sink(message(ada, "could you, @Penny?", { place: group }))],
  [
    "a mention in talk that does not address us",
    () => office.sink(message(ada, "could you, @Penny?", { place: group, addressed: "ambient" })),
  ],
  ["/ask", () => office.sink(command(ada, "ask", "penny pay this"))],
  ["/ask with the name alone", () => office.sink(command(ada, "ask", "Penny"))],
  [
    "a reply",
    async () => {
      const conversation = await office.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow();
      await addPost(office, { channel: dm(ada).channel, messageId: "p1", conversationId: conversation.id });
      await office.sink(message(ada, "and now?", { quote: { messageId: "p1", fromUs: true } }));
    },
  ],
  ["its thread", () => office.sink(message(ada, "go on", { place: { ...group, thread: "t1" } }))],
];
for (const [road, go] of roads) {
  test(`${road} does not reach who is away, and says so in one line`, async () => {
    await office.sink(message(ada, "Penny: hello", { place: group }));
    await office.sink(message(ada, "Penny: hello", { place: { ...group, thread: "t1" } }));
    await hide();
    const before = { asked: await asked(office), texts: await office.texts() };
    await go();
    expect(await asked(office)).toEqual(before.asked);
    const said = (await office.texts()).slice(before.texts.length).filter((text) => text !== "");
    expect(said).toEqual(["Penny is away. Milo can help."]);
  });
}

test("a bot of its own says so without naming somebody who cannot be asked there", async () => {
  await office.db.updateTable("connections").set({ teammate_handle: "penny" }).execute();
  await hide();
  await office.sink(message(ada, "hello"));
  expect(await last()).toBe("Penny is away.");
  expect(await asked(office)).toEqual([]);
});

test("a button that offers a first task keeps it for later", async () => {
  await office.sink(command(ada, "team", "add Rosa, a bookkeeper"));
  await pressed("Create");
  const offered = await labels();
  const task = await token(offered[0] ?? "");
  await hide("Rosa");
  await office.sink(press(ada, task));
  const [refusal, card] = (await office.posts()).slice(-2);
  expect(refusal?.text).toBe("Rosa is away. Milo can help.");
  expect(card?.buttons.map(({ label }) => label)).toEqual(offered);
  expect(await asked(office)).toEqual([]);
});

test("of several who are named, those who are there get it", async () => {
  await hide();
  await office.sink(message(ada, "@Milo @Penny look"));
  expect(await asked(office)).toEqual(["Milo"]);
  expect(await last()).toBe("Penny is away.");
});

test("where the one who leads is away, the next one answers without a word", async () => {
  await office.db.updateTable("places").set({ lead_teammate_id: pennyId }).execute();
  await hide();
  const before = await office.texts();
  await office.sink(message(ada, "hello", { place: group }));
  expect(await asked(office)).toEqual(["Milo"]);
  expect(await office.texts()).toEqual(before);
});

test("who is away is in no list, no completion and no answer about who there is", async () => {
  await office.hire(ben, "member");
  await hide();
  expect(await office.inbox.complete(office.connectionId, "teammate", "p", "ada")).toEqual([]);
  await office.sink(command(ben, "team"));
  expect(await last()).not.toContain("Penny");
  await office.sink(command(ben, "ask", "nobody hello"));
  expect(await last()).not.toContain("Penny");
  await office.sink(command(ben, "agent", "Penny"));
  expect(await last()).toBe("Penny is away.");
});

test("an admin finds who is away in /team and has them back there; a manager only reads it", async () => {
  await office.hire(ben, "manager");
  await hide();
  await office.sink(command(ben, "team"));
  expect(await last()).toContain("Away:\n\n- Penny");
  expect(await labels()).toEqual([]);
  await office.sink(command(ada, "team"));
  expect(await pressed("Have Penny back")).toBe("Penny is back.");
  expect(await latest()).toMatchObject({ op: "edit", target: "card", buttons: [] });
  expect((await latest()).text).toContain("**Penny**, Bookkeeper · free");
});

test("the profile sends away and has back, for admins alone", async () => {
  await office.hire(ben, "manager");
  await office.sink(command(ada, "agent", "penny"));
  await pressed("More");
  expect(await pressed("Hide", ben)).toBe("Only an owner or admin can decide this.");
  expect(await pressed("Hide")).toBe("Penny is away.");
  expect((await latest()).text).toContain("Away: takes nothing new");
  expect(await labels()).toEqual(["Have back"]);
  await pressed("Have back");
  expect(await labels()).toEqual(["Edit", "Settings", "Model", "More"]);
  await office.sink(command(ben, "agent", "hide Penny"));
  expect(await last()).toBe("You may not change that.");
});

test("what waits for it waits, says so, and goes on when it is back", async () => {
  const heard: QueuePayload<"mailbox">[] = [];
  const worker = await office.storage.queues.work("mailbox", async (payload) => void heard.push(payload));
  await using _ = { [Symbol.asyncDispose]: () => worker.close() };
  await office.sink(message(ada, "Penny, pay this"));
  await office.sink(message(ada, "Penny, and this"));
  const [first] = await office.deliveries();
  const mailbox = createMailbox({ ...office.deps, queues: office.storage.queues, outbox: office.deps.outbox });
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0));
  await hide();
  const waiting = (await office.posts()).filter(({ text }) => text.startsWith("Penny is away. This waits"));
  expect(waiting).toHaveLength(2);
  const holds = () => office.db.selectFrom("deliveries").select("hold_reason").execute();
  expect(await holds()).toEqual([{ hold_reason: "hidden" }, { hold_reason: "hidden" }]);
  const lane = first?.conversationId ?? "";
  expect(await mailbox.claim(lane, { computer: "c", maxConcurrentRuns: 9 })).toMatchObject({
    kind: "held",
    reason: "hidden",
  });
  const before = heard.length;
  await office.sink(command(ada, "agent", "show Penny"));
  await vi.waitFor(() => expect(heard.slice(before)).toContainEqual({ conversationId: lane }));
  expect(await mailbox.claim(lane, { computer: "c", maxConcurrentRuns: 9 })).toMatchObject({ kind: "claimed" });
});
