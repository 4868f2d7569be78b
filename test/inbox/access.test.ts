import { expect, test } from "vitest";
import type { Role } from "../../src/people/index.ts";
import type { PlaceAccess } from "../../src/storage/index.ts";
import { ada, dm, group, message, person, stranger } from "./office.ts";
import { useOffice } from "./scene.ts";

const office = await useOffice();

const ben = person("ben", "Ben");

/** Who may ask where; everything else is silence. */
const allowed: Readonly<Record<PlaceAccess, readonly (Role | "stranger")[]>> = {
  closed: [],
  owner: ["owner"],
  members: ["owner", "admin", "manager", "member"],
  everyone: ["owner", "admin", "manager", "member", "guest", "stranger"],
};

for (const access of ["closed", "owner", "members", "everyone"] as const) {
  for (const role of ["owner", "admin", "manager", "member", "guest", "stranger"] as const) {
    const may = allowed[access].includes(role);
    test(`F-28 in a place for ${access}, a ${role} ${may ? "may ask" : "is not heard"}`, async () => {
      await office.claim();
      await office.open(group, access);
      if (role !== "stranger") await office.hire(ben, role);
      await office.sink(message(ben, "hello", { place: group }));
      expect(await office.deliveries()).toHaveLength(may ? 1 : 0);
    });
  }
}

for (const role of ["owner", "admin", "manager", "member", "guest"] as const) {
  test(`a ${role} may ask in a direct message`, async () => {
    await office.claim();
    await office.hire(ben, role);
    await office.sink(message(ben, "hello"));
    expect(await office.deliveries()).toHaveLength(1);
  });
}

test("what a stranger asks has no requester, so nobody decides in their name", async () => {
  await office.claim();
  await office.open(group, "everyone");
  await office.sink(message(stranger, "hello", { place: group }));
  const rows = await office.db.selectFrom("deliveries").select("requester_person_id").execute();
  expect(rows).toEqual([{ requester_person_id: null }]);
});

function added(author = ada) {
  const place = group;
  return { kind: "membership", key: `added-${author.id}`, place, author, change: "added" } as const;
}

async function press(author: typeof ada, label: string): Promise<string | undefined> {
  const card = (await office.posts()).findLast((post) => post.buttons.some((button) => button.label === label));
  const token = card?.buttons.find((button) => button.label === label)?.token ?? "none";
  const interaction = { id: `press-${author.id}-${office.answers.length}` };
  const place = { ...group, channel: card?.channel ?? group.channel };
  await office.sink({ kind: "button", key: interaction.id, place, author, messageId: "card", token, interaction });
  return office.answers.at(-1)?.text;
}

test("added to a group by somebody we know, we ask who may ask", async () => {
  await office.claim();
  await office.sink(added());
  const card = (await office.posts()).at(-1);
  expect(card).toMatchObject({ text: "Hi. Ada, who may ask me here?", channel: group.channel, purpose: "card" });
  expect(card?.buttons.map((button) => button.label)).toEqual(["Everyone", "My team", "Only me"]);
});

test("added to a group by a manager, we ask just the same", async () => {
  await office.claim();
  await office.hire(ben, "manager");
  await office.sink(added(ben));
  expect((await office.posts()).at(-1)).toMatchObject({ channel: group.channel, purpose: "card" });
});

test("added to a group by a stranger, we say nothing", async () => {
  await office.claim();
  const before = (await office.posts()).length;
  await office.sink(added(stranger));
  expect(await office.posts()).toHaveLength(before);
});

test("F-64 added to a group before the claim, we say nothing", async () => {
  await office.sink(added());
  expect(await office.posts()).toEqual([]);
});

const cards = async () => (await office.posts()).filter((post) => post.channel === group.channel);

test("the first question of a member in a closed place brings the card, further ones silence", async () => {
  await office.claim();
  await office.hire(ben, "member");
  const first = message(ben, "hello", { place: group });
  await office.sink(first);
  await office.sink(message(ben, "hello?", { place: group }));
  expect(await office.outcome(first.key)).toBe("place_closed");
  expect(await cards()).toHaveLength(1);
});

test("who may open the place gets the card with each question, and the question is answered once it is open", async () => {
  await office.claim();
  await office.sink(message(ada, "the first one", { place: group }));
  const second = message(ada, "the second one", { place: group });
  await office.sink(second);
  expect(await cards()).toHaveLength(2);
  await press(ada, "Everyone");
  const stored = await office.db.selectFrom("messages").select(["text", "platform_message_id"]).execute();
  expect(stored).toEqual([{ text: "the second one", platform_message_id: second.messageId }]);
});

test("a question that was deleted meanwhile is not answered once the place is open, and nothing of it is kept", async () => {
  await office.claim();
  const question = message(ada, "the password is hunter2", { place: group });
  await office.sink(question);
  await office.sink({ kind: "deletion", key: "gone", place: group, messageId: question.messageId });
  const kept = await office.db.selectFrom("action_tokens").select("payload").execute();
  expect(JSON.stringify(kept)).not.toContain("hunter2");
  await press(ada, "My team");
  expect(await office.deliveries()).toEqual([]);
});

test("a question is not put into the mouth of whoever opens the place for somebody else", async () => {
  await office.claim();
  await office.hire(ben, "member");
  await office.sink(message(ben, "is it open?", { place: group }));
  await press(ada, "Everyone");
  expect(await office.deliveries()).toHaveLength(0);
});

test("who may ask somewhere is known beforehand: nobody where we never were, strangers only where everyone may", async () => {
  await office.claim();
  const may = (author: typeof ada) => office.inbox.mayAsk(office.connectionId, group, author.id);
  expect(await may(ada)).toBe(false);
  await office.open(group, "members");
  expect([await may(ada), await may(stranger)]).toEqual([true, false]);
  await office.open(group, "everyone");
  expect(await may(stranger)).toBe(true);
  await office.open(group, "closed");
  expect(await may(ada)).toBe(false);
});

test("whoever opens the place for others only is not answered there either", async () => {
  await office.claim();
  await office.hire(ben, "manager");
  await office.sink(message(ben, "what is new?", { place: group }));
  await press(ben, "Only me");
  expect(await office.deliveries()).toEqual([]);
});

test("our name alone brings the card, and nothing is asked once the place is open", async () => {
  await office.claim();
  await office.sink(message(ada, "", { place: group }));
  await press(ada, "Everyone");
  expect(await office.deliveries()).toHaveLength(0);
});

test("while nobody decides, the card comes again a day later", async () => {
  await office.claim();
  await office.hire(ben, "member");
  await office.sink(message(ben, "hello", { place: group }));
  office.clock.pass(25 * 3_600_000);
  await office.sink(message(ben, "hello?", { place: group, sentAt: office.clock.now() }));
  expect((await office.posts()).filter((post) => post.channel === group.channel)).toHaveLength(2);
});

test("an owner opens the place with one press, and the card says who decided what", async () => {
  await office.claim();
  await office.sink(added());
  expect(await press(ada, "My team")).toBe("My team may ask me here.");
  const closed = (await office.posts()).at(-1);
  expect(closed).toMatchObject({ op: "edit", text: "My team may ask me here. Decided by Ada.", buttons: [] });
  await office.sink(message(ada, "hello", { place: group }));
  expect(await office.deliveries()).toHaveLength(1);
});

test("F-28 a member cannot open a place", async () => {
  await office.claim();
  await office.hire(ben, "member");
  await office.sink(added());
  expect(await press(ben, "Everyone")).toMatch(/./);
  await office.sink(message(stranger, "hello", { place: group }));
  expect(await office.deliveries()).toHaveLength(0);
});

test("who opened a place is written down", async () => {
  await office.claim();
  await office.sink(added());
  await press(ada, "Everyone");
  const audit = await office.db.selectFrom("audit_log").select(["action", "data"]).execute();
  expect(audit).toContainEqual({ action: "place_access", data: { access: "everyone" } });
});

test("removed from a place, we forget nothing that was decided there", async () => {
  await office.claim();
  await office.open(group, "members");
  await office.sink({ kind: "membership", key: "out", place: group, author: ada, change: "removed" });
  const [archived] = await office.db.selectFrom("places").selectAll().where("kind", "=", "group").execute();
  expect(archived?.archived_at).not.toBeNull();
  await office.sink({ kind: "membership", key: "in again", place: group, author: ada, change: "added" });
  await office.sink(message(ada, "hello", { place: group }));
  expect(await office.deliveries()).toHaveLength(1);
});

test("a place that gets another id keeps its access and its conversation", async () => {
  await office.claim();
  await office.open(group, "members");
  await office.sink(message(ada, "before", { place: group }));
  const moved = { ...group, channel: "group-1-new" };
  await office.sink({
    kind: "membership",
    key: "m",
    place: group,
    author: ada,
    change: "moved",
    movedTo: moved.channel,
  });
  await office.sink(message(ada, "after", { place: moved }));
  const [before, after] = await office.deliveries();
  expect(after?.conversationId).toBe(before?.conversationId);
});

test("a direct message never asks who may ask", async () => {
  await office.claim();
  await office.sink({ kind: "membership", key: "hi", place: dm(ada), author: ada, change: "added" });
  expect(await office.posts()).toHaveLength(1);
});
