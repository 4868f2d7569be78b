import { expect, test } from "vitest";
import { ada, command, dm, group, message, ownerCode, person, stranger } from "./office.ts";
import { useOffice } from "./scene.ts";

const office = await useOffice();

async function roles(): Promise<string[]> {
  const rows = await office.db.selectFrom("people").select(["display_name", "role"]).orderBy("created_at").execute();
  return rows.map((row) => `${row.display_name} ${row.role}`);
}

test("F-64 before somebody claimed the bot nothing runs, and a direct message says so", async () => {
  const event = message(stranger, "hello");
  await office.sink(event);
  expect(await office.messages()).toHaveLength(0);
  expect(await office.outcome(event.key)).toBe("not_set_up");
  expect(await office.texts()).toEqual([
    "This Shipmate isn't set up yet. If it is yours, send the owner code from your terminal.",
  ]);
});

test("F-64 before somebody claimed the bot a group hears nothing", async () => {
  const event = message(stranger, "hello", { place: group });
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("not_set_up");
  expect(await office.posts()).toEqual([]);
});

test("a stranger is told once a day", async () => {
  await office.sink(message(stranger, "hello"));
  await office.sink(message(stranger, "hello?"));
  expect(await office.posts()).toHaveLength(1);
  office.clock.pass(25 * 3_600_000);
  await office.sink(message(stranger, "hello!", { sentAt: office.clock.now() }));
  expect(await office.posts()).toHaveLength(2);
});

test("/start with the owner code makes its sender the owner, and offers three first tasks and a check-in", async () => {
  await office.sink(command(ada, "start", ownerCode));
  expect(await roles()).toEqual(["Ada owner"]);
  const [greeting] = await office.posts();
  expect(greeting?.text).toBe("You own this Shipmate, Ada. Say hello to Milo.");
  expect(greeting?.buttons).toHaveLength(4);
  expect(JSON.stringify(greeting?.buttons?.at(-1))).toContain("Check in on weekdays at 9:00");
});

test("the code alone in a direct message does the same, however it is typed", async () => {
  await office.sink(message(ada, ` ${ownerCode.toLowerCase().replace("-", "–")} `));
  expect(await roles()).toEqual(["Ada owner"]);
  expect(await office.messages()).toHaveLength(0);
});

test("a code in a group is not taken: others could read it", async () => {
  await office.sink(message(ada, ownerCode, { place: group }));
  await office.sink(command(ada, "start", ownerCode, { place: group }));
  expect(await roles()).toEqual([]);
  expect(await office.posts()).toEqual([]);
});

test("only the first of several people with the owner code owns the bot", async () => {
  const people = ["a", "b", "c", "d"].map((id) => person(id, id));
  await Promise.all(people.map((author) => office.sink(command(author, "start", ownerCode))));
  expect(await roles()).toHaveLength(1);
});

test("the owner code does nothing a second time", async () => {
  await office.claim();
  await office.sink(command(stranger, "start", ownerCode));
  expect(await roles()).toEqual(["Ada owner"]);
  expect((await office.texts()).at(-1)).toMatch(/used already/);
});

test("after the claim a stranger hears whom to ask, in direct messages only", async () => {
  await office.claim();
  await office.open(group, "members");
  const inGroup = message(stranger, "hello", { place: group });
  await office.sink(inGroup);
  expect(await office.outcome(inGroup.key)).toBe("stranger");
  const before = (await office.posts()).length;
  await office.sink(message(stranger, "hello"));
  const posts = await office.posts();
  expect(posts.length).toBe(before + 1);
  expect(posts.at(-1)).toMatchObject({
    text: "I work for a team here. Ask Ada for an invitation.",
    channel: dm(stranger).channel,
  });
});

async function inviteCode(role = ""): Promise<string> {
  await office.sink(command(ada, "invite", role));
  const code = /`(.+)`/u.exec((await office.texts()).at(-1) ?? "")?.[1];
  if (code === undefined) throw new Error("there is no code in the invitation");
  return code;
}

test("an invitation makes one stranger a person of the role it was made for", async () => {
  await office.claim();
  const code = await inviteCode("manager");
  await office.sink(message(stranger, code));
  expect(await roles()).toEqual(["Ada owner", "Somebody manager"]);
  await office.sink(message(person("second", "Second"), code));
  expect(await roles()).toHaveLength(2);
});

test("two strangers with one invitation at once: one of them joins", async () => {
  await office.claim();
  const code = await inviteCode();
  await Promise.all(["x", "y", "z"].map((id) => office.sink(message(person(id, id), code))));
  expect(await roles()).toHaveLength(2);
});

test("an invitation ends after 15 minutes", async () => {
  await office.claim();
  const code = await inviteCode();
  office.clock.pass(16 * 60_000);
  await office.sink(message(stranger, code, { sentAt: office.clock.now() }));
  expect(await roles()).toEqual(["Ada owner"]);
  expect((await office.texts()).at(-1)).toMatch(/expired/);
});

test("codes are stored as hashes only", async () => {
  await office.claim();
  const code = await inviteCode();
  const stored = JSON.stringify(await office.db.selectFrom("claim_codes").selectAll().execute());
  expect(stored).not.toContain(code);
  expect(stored).not.toContain(ownerCode);
});

test("after five wrong codes in ten minutes even the right one meets silence, and later it works", async () => {
  for (let n = 0; n < 5; n++) await office.sink(message(ada, `WRNG-234${n}`));
  const posts = (await office.posts()).length;
  const right = message(ada, ownerCode);
  await office.sink(right);
  expect(await office.outcome(right.key)).toBe("too_many_codes");
  expect(await office.posts()).toHaveLength(posts);
  expect(await roles()).toEqual([]);
  office.clock.pass(11 * 60_000);
  await office.sink(message(ada, ownerCode, { sentAt: office.clock.now() }));
  expect(await roles()).toEqual(["Ada owner"]);
});

test("many guesses at once count one by one", async () => {
  await office.sink(message(ada, "hello"));
  const guesses = Array.from({ length: 12 }, (_, n) => message(ada, `WRNG-2${n}34`));
  await Promise.all(guesses.map((guess) => office.sink(guess)));
  const reasons = await Promise.all(guesses.map((guess) => office.outcome(guess.key)));
  expect(reasons.filter((reason) => reason === "wrong_code")).toHaveLength(5);
  expect(reasons.filter((reason) => reason === "too_many_codes")).toHaveLength(7);
});

test("one long word of a stranger is answered like any other word", async () => {
  await office.sink(message(stranger, "goodmorning"));
  expect(await office.texts()).toEqual([expect.stringContaining("isn't set up yet")]);
});

test("somebody who was disabled is a stranger again", async () => {
  await office.claim();
  await office.hire(stranger, "member");
  await office.db.updateTable("people").set({ disabled_at: new Date() }).where("role", "=", "member").execute();
  const event = message(stranger, "hello");
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("stranger");
});

test("F-65 a name is shown as it is: it cannot be a link or ping a group", async () => {
  await office.sink(command({ ...ada, name: "[Ada](https://evil.example) @everyone" }, "start", ownerCode));
  const [greeting] = await office.texts();
  expect(greeting).not.toContain("[Ada](");
  expect(greeting).not.toContain("@everyone");
});
