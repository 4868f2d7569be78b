import { expect, test, vi } from "vitest";
import type { QueuePayload } from "../../src/storage/index.ts";
import { ada, dm, message } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);

function edit(messageId: string, text: string) {
  const editedAt = new Date();
  return {
    kind: "edit",
    key: `edit:${messageId}:${text}`,
    place: dm(ada),
    author: ada,
    messageId,
    text,
    editedAt,
  } as const;
}

function deletion(messageId: string) {
  return { kind: "deletion", key: `deletion:${messageId}`, place: dm(ada), messageId } as const;
}

async function texts(): Promise<string[]> {
  return (await office.messages()).map((each) => each.text);
}

async function setStatus(status: "running" | "completed"): Promise<void> {
  await office.db.updateTable("deliveries").set({ status }).execute();
}

/** What running turns are told, as a worker hears it. */
async function listen() {
  const heard: QueuePayload<"control">[] = [];
  const worker = await office.storage.queues.work("control", async (payload) => void heard.push(payload));
  return { heard, [Symbol.asyncDispose]: () => worker.close() };
}

test("F-10 an edit before the start replaces the text", async () => {
  const event = message(ada, "delete a");
  await office.sink(event);
  await office.sink(edit(event.messageId, "delete b"));
  expect(await texts()).toEqual(["delete b"]);
  expect(await office.deliveries()).toHaveLength(1);
});

test("F-10 an edit during the turn also becomes a correction for it", async () => {
  await using control = await listen();
  const event = message(ada, "delete a");
  await office.sink(event);
  await setStatus("running");
  await office.sink(edit(event.messageId, "delete b"));
  const [stored] = await office.messages();
  await vi.waitFor(() => expect(control.heard).toEqual([{ kind: "edited", messageId: stored?.id }]));
  expect(stored?.text).toBe("delete b");
});

test("F-10 an edit after the end is stored and starts nothing", async () => {
  await using control = await listen();
  const event = message(ada, "delete a");
  await office.sink(event);
  await setStatus("completed");
  await office.sink(edit(event.messageId, "delete b"));
  const row = await office.db.selectFrom("messages").select(["text", "edited_at"]).executeTakeFirst();
  expect(row?.text).toBe("delete b");
  expect(row?.edited_at).not.toBeNull();
  expect(await office.deliveries()).toHaveLength(1);
  // A later edit of a running message arrives: had this one been announced, it would have come before.
  const second = message(ada, "c");
  await office.sink(second);
  await setStatus("running");
  await office.sink(edit(second.messageId, "d"));
  await vi.waitFor(() => expect(control.heard).toHaveLength(1));
});

test("F-10 a changed link preview is no edit", async () => {
  const event = message(ada, "see https://example.com");
  await office.sink(event);
  const same = edit(event.messageId, "see https://example.com");
  await office.sink(same);
  expect(await office.outcome(same.key)).toBe("unchanged");
  const row = await office.db.selectFrom("messages").select("edited_at").executeTakeFirst();
  expect(row?.edited_at).toBeNull();
});

test("an edit of a message we do not have leaves a reason", async () => {
  const event = edit("unknown", "text");
  await office.sink(event);
  expect(await office.outcome(event.key)).toBe("unknown_message");
});

test("an edit of one part of a paste does not throw the other parts away", async () => {
  const collect = { key: "ada", kind: "paste", waitMs: 1_000 } as const;
  const first = message(ada, "one", { collect });
  await office.sink(first);
  await office.sink(message(ada, "two"));
  const change = edit(first.messageId, "uno");
  await office.sink(change);
  expect(await texts()).toEqual(["one\ntwo"]);
  expect(await office.outcome(change.key)).toBe("merged_text");
});

test("a deleted message that still waits is not started, and our copy of its text is gone", async () => {
  const event = message(ada, "by mistake");
  await office.sink(event);
  await office.sink(deletion(event.messageId));
  expect(await texts()).toEqual([""]);
  expect((await office.deliveries()).map((each) => each.status)).toEqual(["cancelled"]);
});

test("an edit that comes after the deletion brings nothing back", async () => {
  const event = message(ada, "the password is hunter2");
  await office.sink(event);
  await office.sink(deletion(event.messageId));
  const late = edit(event.messageId, "the password was hunter2");
  await office.sink(late);
  expect(await texts()).toEqual([""]);
  expect(await office.outcome(late.key)).toBe("unknown_message");
});

test("with a deleted message goes what others quoted of it, also where we never had the message itself", async () => {
  const quote = { messageId: "deleted", text: "the password is hunter2", authorName: "Ben", fromUs: false };
  await office.sink(message(ada, "is this safe?", { quote }));
  await office.sink(message(ada, "and this?", { quote: { ...quote, messageId: "another" } }));
  await office.sink(deletion("deleted"));
  const rows = await office.db.selectFrom("messages").select("quote").orderBy("seq").execute();
  expect(rows.map((row) => row.quote)).toEqual([
    { messageId: "deleted", authorName: "Ben", fromUs: false },
    { ...quote, messageId: "another" },
  ]);
  const own = message(ada, "look", { quote: { ...quote, messageId: "another" } });
  await office.sink(own);
  await office.sink(deletion(own.messageId));
  expect((await office.db.selectFrom("messages").select("quote").orderBy("seq").execute()).at(-1)?.quote).toBeNull();
});

test("a deletion of a message in work lets the work go on", async () => {
  const event = message(ada, "go");
  await office.sink(event);
  await setStatus("running");
  await office.sink(deletion(event.messageId));
  expect((await office.deliveries()).map((each) => each.status)).toEqual(["running"]);
});
