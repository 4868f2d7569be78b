import { beforeEach, expect, test, vi } from "vitest";
import type { Author, MessageEvent } from "../../src/chat/index.ts";
import { newId } from "../../src/shared/index.ts";
import { addTeammate } from "./colleagues.ts";
import { ada, command, filled, group, message, person, press, stranger } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await addTeammate(office);
  await office.open(group, "members");
});

const ben = person("ben", "Ben");

const { latest, token } = lastCard(office);

/** The token of a button on Penny's profile, as Ada asked for it in the group. */
async function button(label: string): Promise<string> {
  await office.sink(command(ada, "agent", "penny", { place: group }));
  await office.sink(press(ada, await token("Edit"), { place: group }));
  return token(label);
}

function form(token: string, userId = "ada") {
  return office.inbox.form(office.connectionId, token, userId);
}

async function nameNow(): Promise<string | undefined> {
  return (await office.deps.teammates.byHandle(office.db, "penny"))?.name;
}

async function told(interactionId: string): Promise<string | undefined> {
  await vi.waitFor(() => expect(office.answers.some((each) => each.interactionId === interactionId)).toBe(true));
  return office.answers.find((each) => each.interactionId === interactionId)?.text;
}

/** Presses Name on the profile; the post that asks for the reply has the id `asks-…`. */
async function askedForName(): Promise<string> {
  await office.sink(press(ada, await button("Name"), { place: group }));
  const messageId = `asks-${newId()}`;
  await office.sent(messageId);
  return messageId;
}

function reply(author: Author, to: string, text: string, more: Partial<MessageEvent> = {}): MessageEvent {
  const quote = { messageId: to, text: "What is the name?", fromUs: true };
  return message(author, text, { place: group, addressed: "reply", quote, ...more });
}

test("a form shows what stands there, however often it is opened", async () => {
  const token = await button("Name");
  const shown = { title: "Name", label: "What is the name?", value: "Penny", long: false, required: true };
  expect(await form(token)).toEqual(shown);
  expect(await form(token)).toEqual(shown);
  expect(await form(await button("Job"))).toMatchObject({ value: "Keeps the books.", long: true });
  expect(await form(await button("Picture"))).toMatchObject({ value: undefined, required: false });
});

test("F-28 a form is not opened by a stranger, a member, or somebody who was disabled", async () => {
  const token = await button("Name");
  await office.sink(message(stranger, "hello"));
  await office.hire(ben, "member");
  expect(await form(token, stranger.id)).toBeUndefined();
  expect(await form(token, "ben")).toBeUndefined();
  expect(await form(token, "nobody")).toBeUndefined();
  await office.db
    .updateTable("people")
    .set({ role: "admin", disabled_at: new Date() })
    .where("role", "=", "member")
    .execute();
  expect(await form(token, "ben")).toBeUndefined();
});

test("a form is not opened by a button that asks for nothing, is used up, has expired, or never was", async () => {
  const name = await button("Name");
  const back = await token("Back");
  expect(await form(back)).toBeUndefined();
  expect(await form("never")).toBeUndefined();
  await office.sink(press(ada, back, { place: group }));
  expect(await form(name)).toBeUndefined();
  const other = await button("Name");
  expect(await form(other)).toBeDefined();
  office.clock.pass(8 * 24 * 3_600_000);
  expect(await form(other)).toBeUndefined();
});

test("what was filled in counts once", async () => {
  const token = await button("Name");
  const [one, two] = [filled(ada, token, "Rosa", { place: group }), filled(ada, token, "Clara", { place: group })];
  await office.sink(one);
  await office.sink(two);
  expect(await nameNow()).toBe("Rosa");
  expect(await told(two.interaction.id)).toMatch(/already/);
});

test("two people who fill the same form in at once: one of them counts", async () => {
  await office.hire(ben, "manager");
  const token = await button("Name");
  await Promise.all([
    office.sink(filled(ada, token, "Rosa", { place: group })),
    office.sink(filled(ben, token, "Clara", { place: group })),
  ]);
  const changes = await office.db
    .selectFrom("audit_log")
    .select("id")
    .where("action", "=", "teammate_changed")
    .execute();
  expect(changes).toHaveLength(1);
});

test("a value that will not do is explained, and the form can be filled in again", async () => {
  const token = await button("Name");
  const wrong = filled(ada, token, "P".repeat(81), { place: group });
  await office.sink(wrong);
  expect(await told(wrong.interaction.id)).toBe("A name has at most 80 characters.");
  expect(await office.outcome(wrong.key)).toBe("invalid");
  expect(await form(token)).toBeDefined();
  await office.sink(filled(ada, token, " Rosa ", { place: group }));
  expect(await nameNow()).toBe("Rosa");
});

test("F-28 a form filled in by somebody who may not changes nothing and uses nothing up", async () => {
  await office.hire(ben, "member");
  const token = await button("Name");
  for (const author of [ben, stranger]) {
    const event = filled(author, token, "Mine", { place: group });
    await office.sink(event);
    expect(await told(event.interaction.id)).toMatch(/./);
  }
  expect(await nameNow()).toBe("Penny");
  expect(await form(token)).toBeDefined();
});

test("a form whose card nobody names is shown as a new message", async () => {
  await office.sink(filled(ada, await button("Name"), "Rosa", { place: group, messageId: undefined }));
  expect(await latest()).toMatchObject({ op: "post", text: expect.stringContaining("**Rosa**") });
});

test("a private card stays private when its form is filled in", async () => {
  office.can({ privatePosts: true, forms: true });
  const event = filled(ada, await button("Name"), "Rosa", { place: group, private: true });
  await office.sink(event);
  expect(await latest()).toMatchObject({ op: "edit", onlyFor: { userId: "ada", interaction: event.interaction } });
});

test("where forms are native and one did not open in time, its presser is asked to press again", async () => {
  office.can({ forms: true });
  const token = await button("Name");
  const before = (await office.posts()).length;
  const event = press(ada, token, { place: group });
  await office.sink(event);
  expect(await told(event.interaction.id)).toBe("That took a moment too long. Please press it again.");
  expect(await office.posts()).toHaveLength(before);
  expect(await form(token)).toBeDefined();
});

test("without forms a message asks for a reply, and shows what stands there", async () => {
  await askedForName();
  const post = await latest();
  expect(post).toMatchObject({ asksReply: true, channel: group.channel, onlyFor: undefined });
  expect(post.text).toBe(
    "**What is the name?**\n\nNow: Penny\n\nReply to this message, or reply “cancel” to leave it.",
  );
});

test("the reply is the value and never a task, and the card shows it", async () => {
  const asks = await askedForName();
  const event = reply(ada, asks, "Rosa");
  await office.sink(event);
  expect(await nameNow()).toBe("Rosa");
  expect(await office.outcome(event.key)).toBe("handled");
  expect(await office.messages()).toEqual([]);
  const [card, said] = (await office.posts()).slice(-2);
  expect(card).toMatchObject({ op: "edit", target: "card", text: expect.stringContaining("**Rosa**") });
  expect(said).toMatchObject({ op: "post", text: "Saved." });
});

test("a reply that will not do is explained, and the next one counts", async () => {
  const asks = await askedForName();
  await office.sink(reply(ada, asks, "two\nlines"));
  expect((await latest()).text).toBe("A name goes on one line.");
  await office.sink(reply(ada, asks, "Rosa"));
  expect(await nameNow()).toBe("Rosa");
});

test("a second reply changes nothing and is no task either", async () => {
  const asks = await askedForName();
  await office.sink(reply(ada, asks, "Rosa"));
  const second = reply(ada, asks, "Clara");
  await office.sink(second);
  expect(await nameNow()).toBe("Rosa");
  expect(await office.deliveries()).toEqual([]);
  expect((await latest()).text).toMatch(/^That is settled already/);
});

test("cancel as a reply leaves everything as it was", async () => {
  const asks = await askedForName();
  await office.sink(reply(ada, asks, "cancel"));
  expect((await latest()).text).toBe("I leave it as it was.");
  await office.sink(reply(ada, asks, "Rosa"));
  expect(await nameNow()).toBe("Penny");
});

test("an hour later a reply changes nothing", async () => {
  const asks = await askedForName();
  office.clock.pass(61 * 60_000);
  await office.sink(reply(ada, asks, "Rosa", { sentAt: office.clock.now() }));
  expect(await nameNow()).toBe("Penny");
  expect(await office.deliveries()).toEqual([]);
});

test("F-28 somebody else's reply is neither the value nor a task", async () => {
  await office.hire(ben, "admin");
  await office.open(group, "everyone");
  const asks = await askedForName();
  await office.sink(reply(ben, asks, "Mine"));
  expect((await latest()).text).toBe("Only Ada can do this.");
  const before = (await office.posts()).length;
  await office.sink(reply(stranger, asks, "Mine"));
  expect(await office.posts()).toHaveLength(before);
  expect(await nameNow()).toBe("Penny");
  expect(await office.deliveries()).toEqual([]);
  await office.sink(reply(ada, asks, "Rosa"));
  expect(await nameNow()).toBe("Rosa");
});

test("a reply of somebody who lost the right meanwhile changes nothing", async () => {
  const hired = await office.hire(ben, "manager");
  await office.sink(command(ben, "agent", "penny", { place: group }));
  await office.sink(press(ben, await token("Edit"), { place: group }));
  await office.sink(press(ben, await token("Name"), { place: group }));
  await office.sent("asks-ben");
  await office.db.updateTable("people").set({ role: "member" }).where("id", "=", hired.id).execute();
  await office.sink(reply(ben, "asks-ben", "Mine"));
  expect(await nameNow()).toBe("Penny");
});

test("a reply to a card that was drawn anew since belongs to what is no longer shown", async () => {
  const asks = await askedForName();
  const [card] = (await office.posts()).filter((post) => post.purpose === "card").slice(-1);
  const title = card?.buttons.find((each) => each.label === "Title")?.token ?? "";
  await office.sink(filled(ada, title, "Auditor", { place: group }));
  await office.sink(reply(ada, asks, "Rosa"));
  expect(await nameNow()).toBe("Penny");
  expect((await latest()).text).toMatch(/^That is settled already/);
});

test("any other reply to us is a task as ever", async () => {
  await askedForName();
  await office.sink(reply(ada, "an-answer", "and now?"));
  expect(await office.messages()).toMatchObject([{ text: "and now?" }]);
});

test("an action of another release is refused in words", async () => {
  const event = filled(ada, "never", "x");
  await office.sink(event);
  expect(await told(event.interaction.id)).toBe("This button is no longer active.");
  expect(await office.outcome(event.key)).toBe("unknown_button");
});
