import { sql } from "kysely";
import { expect, test } from "vitest";
import { createInbox } from "../../src/inbox/index.ts";
import { addTeammate } from "./colleagues.ts";
import { ada, command, dm, group, message, person } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

test("a message becomes a stored message and one waiting delivery", async () => {
  const event = message(ada, "Look at the log");
  await office.sink(event);
  const [stored] = await office.messages();
  expect(stored).toMatchObject({ text: "Look at the log", authorName: "Ada" });
  expect(stored?.personId).not.toBeNull();
  expect(await office.deliveries()).toMatchObject([{ messageId: stored?.id, status: "queued" }]);
  expect(await office.outcome(event.key)).toBe("delivered");
});

test("F-01 the same event again changes nothing", async () => {
  const event = message(ada, "once");
  await office.sink(event);
  await office.sink(event);
  expect(await office.messages()).toHaveLength(1);
  expect(await office.deliveries()).toHaveLength(1);
});

test("F-01 the same event on two ways at once gives one delivery", async () => {
  const event = message(ada, "once");
  await Promise.all(Array.from({ length: 8 }, () => office.sink(event)));
  expect(await office.messages()).toHaveLength(1);
  expect(await office.deliveries()).toHaveLength(1);
  expect(await office.outcome(event.key)).toBe("delivered");
});

test("F-01 one message announced by two different events gives one delivery", async () => {
  const event = message(ada, "once");
  await office.sink(event);
  await office.sink({ ...event, key: "another kind of event" });
  expect(await office.deliveries()).toHaveLength(1);
  expect(await office.outcome("another kind of event")).toBe("duplicate");
});

test("F-01 a message that was mere talk at first and then turns out to mention us is delivered", async () => {
  await office.open(group, "everyone");
  const event = message(ada, "Milo?", { place: group, addressed: "ambient" });
  await office.sink(event);
  await office.sink({ ...event, key: "the mention", addressed: "mention" });
  expect(await office.deliveries()).toHaveLength(1);
});

test("F-02 when storing fails nothing is kept and the adapter is told, so that the same event can come again", async () => {
  const failing = createInbox({
    ...office.deps,
    mailbox: {
      ...office.deps.mailbox,
      deliver: async () => {
        throw new Error("the database went away");
      },
    },
  });
  const event = message(ada, "keep me");
  await expect(failing.sink(office.connectionId)(event)).rejects.toThrow("the database went away");
  expect(await office.messages()).toHaveLength(0);
  expect(await office.outcome(event.key)).toBe("unknown");
  await office.sink(event);
  expect(await office.deliveries()).toHaveLength(1);
});

test("two people who write for the first time at the same moment both arrive", async () => {
  await office.open(group, "everyone");
  const authors = ["u1", "u2", "u3", "u4"].map((id) => person(id, id));
  await Promise.all(authors.map((author) => office.sink(message(author, "hello", { place: group }))));
  expect(await office.deliveries()).toHaveLength(4);
});

test("F-13 bots are not answered", async () => {
  const event = message({ ...ada, isBot: true }, "beep");
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("bot");
  expect(await office.messages()).toHaveLength(0);
});

test("F-03 what was written more than a day ago is not answered any more", async () => {
  const event = message(ada, "old", { sentAt: new Date(Date.now() - 25 * 3_600_000) });
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("stale");
});

test("F-11 talk in a group that is not meant for us leaves a reason, and no text", async () => {
  await office.open(group, "everyone");
  const event = message(ada, "lunch?", { place: group, addressed: "ambient" });
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("not_addressed");
  expect(await office.messages()).toHaveLength(0);
});

test("a passer-by who never addressed us is not remembered", async () => {
  await office.open(group, "everyone");
  await office.sink(message(person("passer-by", "Passer"), "lunch?", { place: group, addressed: "ambient" }));
  const names = await office.db.selectFrom("identities").select("display_name").execute();
  expect(names).toEqual([{ display_name: "Ada" }]);
});

test("F-12 an empty mention gets a hint and no run", async () => {
  await office.open(group, "everyone");
  const event = message(ada, " ", { place: group });
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("empty");
  expect(await office.deliveries()).toHaveLength(0);
  expect((await office.texts()).at(-1)).toMatch(/Write what you need/);
});

test("our name alone as a reply to somebody's message points at that message, and is work", async () => {
  await office.open(group, "everyone");
  const quote = { messageId: "q", text: "the build is red", authorName: "Somebody", fromUs: false };
  await office.sink(message(ada, "", { place: group, quote }));
  expect(await office.deliveries()).toHaveLength(1);
});

test("a file without a word is work", async () => {
  const files = [{ id: "f1", name: "a.pdf", kind: "document", size: 12, mime: "application/pdf" }] as const;
  await office.sink(message(ada, "", { files }));
  const stored = await office.db.selectFrom("attachments").select(["name", "platform_file_id", "size"]).execute();
  expect(stored).toEqual([{ name: "a.pdf", platform_file_id: "f1", size: "12" }]);
  expect(await office.deliveries()).toHaveLength(1);
});

test("a text that is too long is kept up to the limit, and its author is told", async () => {
  await office.sink(message(ada, "x".repeat(100_500)));
  expect((await office.messages())[0]?.text).toHaveLength(100_000);
  expect((await office.texts()).at(-1)).toMatch(/kept the first 100,000 characters/);
});

test("the cut never leaves half a character behind", async () => {
  await office.sink(message(ada, `${"x".repeat(99_999)}🙂!`));
  expect((await office.messages())[0]?.text).toBe("x".repeat(99_999));
});

test("what a database cannot store is taken out, and the rest arrives", async () => {
  const odd = { ...ada, name: "A\u0000da\n\ud800" };
  const quote = { messageId: "q", text: "a\u0000b\ud800", fromUs: false };
  await office.sink(message(odd, "tab\there\u0000 \ud800", { quote, forwardedFrom: "x\u0000" }));
  expect((await office.messages())[0]?.text).toMatch(/^tab\there/);
});

test("a person who changes their name is shown under the new one", async () => {
  await office.sink(message({ ...ada, name: "Ada L." }, "hi"));
  expect((await office.messages())[0]?.authorName).toBe("Ada L.");
});

test("F-05 an answer belongs to the thread its question came from", async () => {
  await office.sink(message(ada, "in a topic", { place: { ...dm(ada), thread: "7" } }));
  await office.sink(message(ada, "outside"));
  expect((await office.messages()).map((each) => each.thread)).toEqual(["7", ""]);
  const kinds = await office.db.selectFrom("conversations").select(["thread", "kind"]).orderBy("thread").execute();
  expect(kinds).toEqual([
    { thread: "", kind: "main" },
    { thread: "7", kind: "task" },
  ]);
});

test("F-06 more than five waiting messages of one person are refused in words", async () => {
  for (let n = 0; n < 5; n++) await office.sink(message(ada, `task ${n}`));
  const event = message(ada, "one too many");
  await office.sink(event);
  expect(await office.deliveries()).toHaveLength(5);
  expect(await office.outcome(event.key)).toBe("too_many_waiting");
  expect((await office.texts()).at(-1)).toMatch(/already have 5 messages waiting for Milo/);
});

test("F-06 more than twenty waiting messages for one teammate are refused in words", async () => {
  await office.open(group, "members");
  for (let n = 0; n < 20; n++) {
    const author = person(`m${n}`, `M${n}`);
    await office.hire(author, "member");
    await office.sink(message(author, "task", { place: group }));
  }
  await office.sink(message(ada, "one more", { place: group }));
  expect(await office.deliveries()).toHaveLength(20);
  expect((await office.texts()).at(-1)).toMatch(/Milo has too much waiting/);
});

test("what waits to happen by itself takes no room from what people ask", async () => {
  for (let n = 0; n < 20; n++) {
    await office.sink(message(ada, `task ${n}`));
    await office.db.updateTable("deliveries").set({ trigger: "routine" }).execute();
  }
  const event = message(ada, "Look at the log");
  await office.sink(event);
  expect(await office.deliveries()).toHaveLength(21);
  expect(await office.outcome(event.key)).toBe("delivered");
});

test("F-11 an event that can never be stored is given up after a few tries with a reason, and the next one goes through", async () => {
  await refuseToStore("cursed", "22P02");
  const cursed = message(ada, "cursed");
  for (let offered = 1; offered < 6; offered += 1) await expect(office.sink(cursed)).rejects.toThrow("refused");
  await office.sink(cursed);
  expect(await office.outcome(cursed.key)).toBe("broken");

  await office.sink(message(ada, "blessed"));
  expect((await office.messages()).map((each) => each.text)).toEqual(["blessed"]);
});

test("F-02 an event that cannot be stored because the disk is full is never given up", async () => {
  await refuseToStore("later", "53100");
  const event = message(ada, "later");
  for (let offered = 1; offered < 10; offered += 1) await expect(office.sink(event)).rejects.toThrow("refused");
  await sql`drop trigger refusing on messages`.execute(office.db);
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("delivered");
});

test("a name that we cut in the middle of a character does not keep the command from being stored", async () => {
  await addTeammate(office);
  const event = command(ada, "ask", `x${"😀".repeat(20)} hello`);
  await office.sink(event);
  expect((await office.texts()).at(-1)).toMatch(/x😀+/u);
});

async function refuseToStore(text: string, code: string): Promise<void> {
  await sql`drop trigger if exists refusing on messages`.execute(office.db);
  await sql
    .raw(
      `create or replace function refuse() returns trigger language plpgsql as $$
       begin if new.text = '${text}' then raise exception 'refused' using errcode = '${code}'; end if; return new; end $$`,
    )
    .execute(office.db);
  await sql`create trigger refusing before insert on messages for each row execute function refuse()`.execute(
    office.db,
  );
}

test("F-03 what was missed for hours is answered all the same, with the times it was said and in that order", async () => {
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  await office.open(group, "members");
  await office.sink(message(ada, "first", { place: group, sentAt: hoursAgo(23) }));
  await office.sink(message(ada, "second", { place: group, sentAt: hoursAgo(3) }));
  await office.sink(message(ada, "talk", { place: group, addressed: "ambient", sentAt: hoursAgo(2) }));
  await office.sink(message(ada, "third", { place: group }));
  const delivered = await office.db
    .selectFrom("deliveries as d")
    .innerJoin("messages as m", "m.id", "d.message_id")
    .select(["m.text", "m.sent_at", "d.ready_at"])
    .orderBy("d.queue_order")
    .execute();
  expect(delivered.map((each) => each.text)).toEqual(["first", "second", "third"]);
  const ages = delivered.map((each) => Math.round((Date.now() - each.sent_at.getTime()) / 3_600_000));
  expect(ages).toEqual([23, 3, 0]);
  for (const each of delivered) expect(each.ready_at.getTime()).toBeLessThanOrEqual(Date.now());
  const seen = await office.db.selectFrom("seen_messages").select("sent_at").executeTakeFirstOrThrow();
  expect(Math.round((Date.now() - seen.sent_at.getTime()) / 3_600_000)).toBe(2);
});
