import { beforeEach, expect, test, vi } from "vitest";
import type { CommandEvent } from "../../src/chat/index.ts";
import { newId } from "../../src/shared/index.ts";
import { startRun } from "./colleagues.ts";
import { ada, command, dm, group, message, person, press } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await office.open(group, "members");
  office.can({ privatePosts: true });
});

const ben = person("ben", "Ben");

const { latest } = lastCard(office);

/** Gives a command in the group as a native one, and waits for what its giver sees. */
async function give(name: string, argument = "", more: Partial<CommandEvent> = {}): Promise<CommandEvent> {
  const event = command(ada, name, argument, { place: group, interaction: { id: newId() }, ...more });
  await office.sink(event);
  return event;
}

function ended(event: CommandEvent): boolean {
  return office.answers.some(({ interactionId }) => interactionId === event.interaction?.id);
}

for (const name of ["help", "status", "inbox", "team", "why", "rules", "invite", "link", "agent", "place"]) {
  test(`/${name} in a shared place is answered to its giver alone`, async () => {
    const event = await give(name);
    const post = await latest();
    expect(post).toMatchObject({ channel: group.channel, onlyFor: { userId: "ada", interaction: event.interaction } });
    // The private answer takes the "thinking" away; a second one would only show twice.
    expect(ended(event)).toBe(false);
  });
}

for (const name of ["help", "status", "team"]) {
  test(`where nothing can be said privately, everybody sees what /${name} says`, async () => {
    office.can({ privatePosts: false });
    const event = await give(name);
    expect((await latest()).onlyFor).toBeUndefined();
    await vi.waitFor(() => expect(ended(event)).toBe(true));
  });
}

for (const name of ["invite", "link", "rules"]) {
  test(`where nothing can be said privately, /${name} is for direct messages`, async () => {
    office.can({ privatePosts: false });
    await give(name);
    expect((await latest()).text).toBe("Please ask me that in a direct message.");
  });
}

test("what concerns everybody is said to everybody: /new", async () => {
  const event = await give("new");
  expect(await latest()).toMatchObject({ text: expect.stringMatching(/^A fresh conversation/), onlyFor: undefined });
  await vi.waitFor(() => expect(ended(event)).toBe(true));
});

test("/stop answers its giver alone: that it stopped is said by the task", async () => {
  await give("stop");
  expect((await latest()).onlyFor).toMatchObject({ userId: "ada" });
  await office.sink(message(ada, "build", { place: group }));
  await startRun(office);
  const event = await give("stop");
  expect(await latest()).toMatchObject({ text: "Stopping.", onlyFor: { userId: "ada" } });
  expect(ended(event)).toBe(false);
});

test("/ask that starts work takes the thinking away and says nothing", async () => {
  const before = (await office.posts()).length;
  const event = await give("ask", "milo build the site");
  expect(await office.posts()).toHaveLength(before);
  await vi.waitFor(() => expect(ended(event)).toBe(true));
});

test("in a direct message nothing has to be private", async () => {
  await give("help", "", { place: dm(ada) });
  expect((await latest()).onlyFor).toBeUndefined();
});

test("a message is answered to everybody", async () => {
  await office.sink(message(ada, "", { place: group }));
  expect((await latest()).onlyFor).toBeUndefined();
});

test("the card that asks who may ask is for everybody", async () => {
  await office.open(group, "closed");
  await give("status");
  expect(await latest()).toMatchObject({ text: "Hi. Ada, who may ask me here?", onlyFor: undefined });
});

test("a private message with buttons is changed for the one who sees it, by their own press", async () => {
  const pattern = JSON.stringify({ kind: "command_prefix", prefix: ["npm", "test"] });
  const { id: teammate_id } = await office.db.selectFrom("teammates").select("id").executeTakeFirstOrThrow();
  await office.db
    .insertInto("approval_rules")
    .values({ id: newId(), teammate_id, text: "npm test", pattern })
    .execute();
  await give("rules");
  const token = (await latest()).buttons[0]?.token ?? "";
  const pressed = press(ada, token, { place: group, private: true, messageId: "private-1" });
  await office.sink(pressed);
  expect(await latest()).toMatchObject({
    op: "edit",
    target: "private-1",
    onlyFor: { userId: "ada", interaction: pressed.interaction },
  });
});

test("a message that everybody sees is changed for everybody", async () => {
  await office.open(group, "closed");
  await office.sink(message(ada, "hello", { place: group }));
  const token = (await latest()).buttons[0]?.token ?? "";
  await office.sink(press(ada, token, { place: group }));
  expect(await latest()).toMatchObject({ op: "edit", onlyFor: undefined });
});

test("/stop without a thread stops what its giver asked for in every thread of the place", async () => {
  for (const thread of ["t1", "t2"]) await office.sink(message(ada, "build", { place: { ...group, thread } }));
  await give("stop", "", { wholePlace: true });
  expect((await latest()).text).toBe("2 waiting messages cancelled.");
});

test("/new without a thread says that each thread is fresh", async () => {
  await give("new", "", { wholePlace: true });
  expect((await latest()).text).toMatch(/^Each thread is a conversation of its own/);
});

test("a stranger's command in a shared place is answered to them alone, each time", async () => {
  for (const access of ["members", "closed"] as const) {
    await office.open(group, access);
    for (const name of ["help", "status"]) {
      const event = command(ben, name, "", { place: group, interaction: { id: newId() } });
      await office.sink(event);
      expect(await latest()).toMatchObject({
        text: "I work for a team here. Ask Ada for an invitation.",
        onlyFor: { userId: "ben", interaction: event.interaction },
      });
      expect(ended(event)).toBe(false);
    }
  }
});

test("where nothing can be said privately, a stranger's command stays without an answer", async () => {
  office.can({ privatePosts: false });
  const before = await office.posts();
  await office.sink(command(ben, "help", "", { place: group, interaction: { id: newId() } }));
  expect(await office.posts()).toEqual(before);
});

test("a command where nobody decided yet, or others did, says so to its giver alone", async () => {
  await office.hire(ben, "member");
  await office.open(group, "closed");
  await office.sink(message(ben, "hello", { place: group }));
  const give = async () => {
    const event = command(ben, "help", "", { place: group, interaction: { id: newId() } });
    await office.sink(event);
    return event;
  };
  await give();
  expect(await latest()).toMatchObject({
    text: "Nobody decided yet who may ask me here. A manager can, with /place.",
    onlyFor: { userId: "ben" },
  });
  await office.open(group, "owner");
  const refused = await give();
  expect(await office.outcome(refused.key)).toBe("not_allowed");
  expect(ended(refused)).toBe(false);
  expect(await latest()).toMatchObject({ text: "Only Ada may ask me here.", onlyFor: { userId: "ben" } });
});

test("/start greets its giver alone", async () => {
  await give("start");
  expect(await latest()).toMatchObject({ text: expect.stringMatching(/^Hello Ada/), onlyFor: { userId: "ada" } });
});
