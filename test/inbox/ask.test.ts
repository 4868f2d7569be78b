import { beforeEach, expect, test } from "vitest";
import type { CommandEvent, Quote } from "../../src/chat/index.ts";
import { addTeammate, asked } from "./colleagues.ts";
import { ada, command, person, stranger } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await addTeammate(office);
});

const quote: Quote = { messageId: "m1", text: "The invoice is wrong.", authorName: "Ben", fromUs: false };

async function ask(argument: string, more: Partial<CommandEvent> = {}): Promise<string | undefined> {
  await office.sink(command(ada, "ask", argument, more));
  const row = await office.db
    .selectFrom("messages")
    .select(["text", "quote"])
    .orderBy("seq", "desc")
    .executeTakeFirst();
  return row?.text;
}

test("/ask NAME gives the rest to that colleague", async () => {
  expect(await ask("penny check this")).toBe("check this");
  expect(await asked(office)).toEqual(["Penny"]);
});

test("a name of two words is one name", async () => {
  await addTeammate(office, "Penny Two", "penny-two");
  expect(await ask("Penny Two check this")).toBe("check this");
  expect(await asked(office)).toEqual(["Penny Two"]);
});

test("asking about a message carries it along, to whoever answers here", async () => {
  expect(await ask("what is this?", { quote })).toBe("what is this?");
  expect(await asked(office)).toEqual(["Milo"]);
  const [row] = await office.db.selectFrom("messages").select("quote").execute();
  expect(row?.quote).toMatchObject(quote);
});

test("asking about a message may begin with a name", async () => {
  expect(await ask("Penny, is this right?", { quote })).toBe("is this right?");
  expect(await asked(office)).toEqual(["Penny"]);
});

test("asking about a message without a word means: look at this", async () => {
  expect(await ask("", { quote })).toBe("");
  expect(await asked(office)).toEqual(["Milo"]);
});

test("without a message, nobody and nothing to ask is explained", async () => {
  await ask("");
  expect((await office.texts()).at(-1)).toMatch(/^Whom, and what\?/);
  await ask("penny");
  expect((await office.texts()).at(-1)).toMatch(/^Whom, and what\?/);
  await ask("nobody check this");
  expect((await office.texts()).at(-1)).toMatch(/^There is no nobody here/);
  expect(await asked(office)).toEqual([]);
});

test("files that came with the command are kept", async () => {
  const files = [{ id: "f1", name: "invoice\u0000.pdf", kind: "document" }] as const;
  await ask("penny", { files });
  const rows = await office.db.selectFrom("attachments").select(["name", "platform_file_id"]).execute();
  expect(rows).toEqual([{ name: "invoice.pdf", platform_file_id: "f1" }]);
  expect(await asked(office)).toEqual(["Penny"]);
});

test("names are completed for people, those that begin so first", async () => {
  await addTeammate(office, "Rosa Pen", "rosa-pen");
  const complete = (typed: string, userId = "ada") =>
    office.inbox.complete(office.connectionId, "teammate", typed, userId);
  expect(await complete("pe")).toEqual(["Penny", "Rosa Pen"]);
  expect(await complete("@MI")).toEqual(["Milo"]);
  expect(await complete("sa")).toEqual(["Rosa Pen"]);
  expect(await complete("")).toEqual(["Milo", "Penny", "Rosa Pen"]);
  expect(await complete("x")).toEqual([]);
});

test("strangers are told no names, and neither are those who were disabled", async () => {
  const complete = (userId: string) => office.inbox.complete(office.connectionId, "teammate", "", userId);
  await office.sink(command(stranger, "help"));
  await office.hire(person("ben", "Ben"), "member");
  await office.db.updateTable("people").set({ disabled_at: new Date() }).where("role", "=", "member").execute();
  expect(await Promise.all(["nobody", stranger.id, "ben"].map(complete))).toEqual([[], [], []]);
});

test("at most 25 names are offered", async () => {
  for (let n = 0; n < 30; n++) await addTeammate(office, `Penny ${n}`, `penny-${n}`);
  expect(await office.inbox.complete(office.connectionId, "teammate", "penny", "ada")).toHaveLength(25);
});

test("with one colleague a name can be left out", async () => {
  await office.reset();
  await office.claim();
  expect(await ask("what is new?")).toBe("what is new?");
  expect(await ask("Milo, and now?")).toBe("and now?");
  await ask("hello");
  expect((await office.texts()).at(-1)).toMatch(/^Whom, and what\?/);
});
