import { beforeEach, describe, expect, test } from "vitest";
import type { Author, InboundPlace } from "../../src/chat/index.ts";
import { resetConversation } from "../../src/places/index.ts";
import { newId } from "../../src/shared/index.ts";
import { addTeammate } from "../inbox/colleagues.ts";
import { ada, dm, group, message, person } from "../inbox/office.ts";
import { claimed, useOffice } from "../inbox/scene.ts";
import { startTurn } from "../memory/turns.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const other: InboundPlace = { channel: "channel-2", kind: "channel", title: "Books" };
const hour = 60 * 60_000;

beforeEach(async () => {
  await office.hire(ben, "member");
  await office.open(group, "members");
  await office.open(other, "members");
});

/** Something said, and answered already: only so much may wait. */
async function say(by: Author, text: string, place: InboundPlace = dm(by), agoMs = 0): Promise<void> {
  await office.sink(message(by, text, { place, sentAt: new Date(Date.now() - agoMs) }));
  await office.db.updateTable("deliveries").set({ status: "completed" }).execute();
}
const thread = (id: string): InboundPlace => ({ ...group, thread: id });

/** What one call gives in a turn of its own: the lines, and whether it succeeded. */
async function look(tool: string, args: object, by: Author = ada, place: InboundPlace = dm(by), asked = "Look it up.") {
  const turn = await startTurn(office, by, { place, text: asked });
  const { text, success } = await turn.call(tool, args);
  await turn.complete();
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): { id: string; by: string; text: string; in?: string; at: string } => JSON.parse(line));
  return { text, success, lines, said: lines.map((line) => line.text) };
}

const search = (query: string, by: Author = ada, place: InboundPlace = dm(by), more: object = {}) =>
  look("history_search", { query, ...more }, by, place);

describe("history_search", () => {
  test("finds what was said here, by whom and when, and not what it was asked itself", async () => {
    await say(ada, "The invoice of Contoso is paid.");
    const found = await look(
      "history_search",
      { query: "CONTOSO invoice" },
      ada,
      dm(ada),
      "Where is the Contoso invoice?",
    );
    expect(found.lines).toEqual([
      {
        id: expect.any(String),
        by: "Ada",
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/u),
        text: "The invoice of Contoso is paid.",
      },
    ]);
    expect(found.text).toContain("not instructions");
  });

  test("looks here first, then in the other threads of this place, and says which", async () => {
    await say(ben, "A plan in the thread.", thread("1"));
    await say(ben, "A plan in the channel.", group);
    await say(ben, "Another plan in the thread.", thread("1"));
    const { lines } = await search("plan", ben, group);
    expect(lines.map((line) => [line.text, line.in])).toEqual([
      ["A plan in the channel.", undefined],
      ["Another plan in the thread.", "another conversation"],
      ["A plan in the thread.", "another conversation"],
    ]);
  });

  test("looks in the eight threads in which something was said last", async () => {
    for (let nth = 1; nth <= 10; nth++) await say(ben, `Plan ${nth}.`, thread(`${nth}`));
    const { said } = await search("plan", ben, group);
    expect(said).toEqual([10, 9, 8, 7, 6, 5, 4, 3].map((nth) => `Plan ${nth}.`));
  });

  test("never looks in another place, in another person's direct messages, or at another teammate's", async () => {
    await say(ada, "A plan for Ada.");
    await say(ben, "A plan in the channel.", other);
    await addTeammate(office);
    await say(ben, "Penny, a plan for Penny.", group);
    for (const where of [group, dm(ben)]) expect((await search("plan", ben, where)).lines).toEqual([]);
    expect((await search("plan", ada)).said).toEqual(["A plan for Ada."]);
  });

  test("does not look behind the latest reset, here and beside", async () => {
    await say(ben, "An old plan.", group);
    await say(ben, "An old plan in the thread.", thread("1"));
    for (const { id } of await office.db.selectFrom("conversations").select("id").execute()) {
      await office.unit((unit) => resetConversation(unit, id));
    }
    expect((await search("plan", ben, group)).lines).toEqual([]);
    await say(ben, "A new plan.", group);
    expect((await search("plan", ben, group)).said).toEqual(["A new plan."]);
  });

  test("does not find what was deleted", async () => {
    const gone = message(ada, "A plan to be deleted.");
    await office.sink(gone);
    await office.db.updateTable("messages").set({ deleted_at: new Date() }).execute();
    expect((await search("plan")).lines).toEqual([]);
  });

  test("cuts around the words, and no more than 20 of them", async () => {
    await say(ada, `${"Before. ".repeat(100)}The needle is here. ${"After. ".repeat(100)}`);
    const [text] = (await search("needle")).said;
    expect(text).toMatch(/^….*The needle is here\. .*…$/u);
    expect(text?.length).toBeLessThan(220);
    for (let nth = 0; nth < 25; nth++) await say(ada, `Needle ${nth}.`);
    expect((await search("needle")).lines).toHaveLength(20);
  });

  test("F-66 shows no secret, and finds none", async () => {
    const key = `sk-${"a".repeat(30)}`;
    await say(ada, `The key of Contoso is ${key} for now.`);
    expect((await search("contoso")).said).toEqual(["The key of Contoso is [secret] for now."]);
    expect((await search(key.slice(0, 12))).lines).toEqual([]);
  });

  test("takes letters that mean something to a database as letters", async () => {
    await say(ada, "100% of it, by C:\\temp and a_b.");
    await say(ada, "1000 of it, by C:temp and axb.");
    for (const query of ["100%", "c:\\temp", "a_b", "it, 100%"]) expect((await search(query)).lines).toHaveLength(1);
  });

  test.each([
    ["2h", ["Late."]],
    ["2d", ["Late.", "Early."]],
    ["1w", ["Late.", "Early."]],
    [new Date(Date.now() - 2 * hour).toISOString(), ["Late."]],
    [new Date(Date.now() - 72 * hour).toISOString().slice(0, 10), ["Late.", "Early."]],
  ])("since %s", async (since, expected) => {
    await say(ada, "Early.", dm(ada), 30 * hour - hour * 10);
    await say(ada, "Late.", dm(ada), hour);
    const { said } = await search("l", ada, dm(ada), { since });
    expect(said).toEqual(expected);
  });

  test("says so when it does not understand since when", async () => {
    const { success, text } = await search("plan", ada, dm(ada), { since: "yesterday-ish" });
    expect([success, text]).toEqual([false, expect.stringContaining("24h, 7d")]);
  });
});

describe("history_read", () => {
  const read = (args: object = {}, by: Author = ada, place: InboundPlace = dm(by)) =>
    look("history_read", args, by, place);

  test("gives the last things said here, the oldest first, with what the teammate answered", async () => {
    await say(ada, "One.");
    const conversation = await office.db.selectFrom("conversations").selectAll().executeTakeFirstOrThrow();
    await office.db
      .insertInto("messages")
      .values({
        id: newId(),
        conversation_id: conversation.id,
        place_id: conversation.place_id,
        author: "teammate",
        author_name: "Milo",
        teammate_id: conversation.teammate_id,
        text: "Two.",
        sent_at: new Date(),
      })
      .execute();
    await say(ada, "Three.");
    const { lines } = await read();
    expect(lines.map((line) => [line.by, line.text])).toEqual([
      ["Ada", "One."],
      ["Milo", "Two."],
      ["Ada", "Three."],
    ]);
  });

  test("goes back page by page to the beginning", async () => {
    for (let nth = 1; nth <= 60; nth++) await say(ada, `Number ${nth}.`);
    const last = await read();
    expect(last.said).toHaveLength(50);
    expect([last.said[0], last.said[49]]).toEqual(["Number 11.", "Number 60."]);
    const before = last.lines[0]?.id;
    expect(last.text).toContain(`read on with before ${before}`);
    const first = await read({ before });
    expect([first.said[0], first.said[9]]).toEqual(["Number 1.", "Number 10."]);
    expect(first.text).not.toContain("read on");
    expect((await read({ before: first.lines[0]?.id })).text).toBe("Nothing was said before that.");
  });

  test("gives no more than 12,000 characters at once, and what is left with the next page", async () => {
    for (const letter of "abcdef") await say(ada, letter.repeat(2_900));
    const last = await read();
    expect(last.said.map((text) => text[0])).toEqual(["c", "d", "e", "f"]);
    expect((await read({ before: last.lines[0]?.id })).said.map((text) => text[0])).toEqual(["a", "b"]);
  });

  test("reads what was said before something found in another thread of this place", async () => {
    await say(ben, "The question.", thread("1"));
    await say(ben, "The plan.", thread("1"));
    const [hit] = (await search("plan", ben, group)).lines;
    expect((await read({ before: hit?.id }, ben, group)).said).toEqual(["The question."]);
  });

  test("gives nothing of another place, another person or behind the latest reset", async () => {
    await say(ada, "One for Ada.");
    await say(ada, "Two for Ada.");
    await say(ben, "One elsewhere.", other);
    await say(ben, "Two elsewhere.", other);
    const rows = await office.db.selectFrom("messages").select(["id", "text"]).execute();
    for (const { id } of rows) {
      expect(await read({ before: id }, ben, group)).toMatchObject({ success: false, lines: [] });
    }
    expect(await read({ before: "no id" }, ben, group)).toMatchObject({ success: false });
    const conversation = await office.db.selectFrom("conversations").select("id").executeTakeFirstOrThrow();
    await office.unit((unit) => resetConversation(unit, conversation.id));
    expect((await read()).said).toEqual([]);
  });

  test("since a while ago", async () => {
    await say(ada, "Early.", dm(ada), 20 * hour);
    await say(ada, "Late.", dm(ada), hour);
    expect((await read({ since: "2h" })).said).toEqual(["Late."]);
  });

  test("F-66 shows no secret", async () => {
    await say(ada, `The key is sk-${"a".repeat(30)}.`);
    expect((await read()).text).not.toContain("sk-");
  });
});
