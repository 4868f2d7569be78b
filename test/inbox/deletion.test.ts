import { access, mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { InboundPlace } from "../../src/chat/index.ts";
import { newId } from "../../src/shared/index.ts";
import { startRun } from "./colleagues.ts";
import { ada, command, dm, group, message, person } from "./office.ts";
import { claimed, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
const ben = person("ben", "Ben");
const secret = "the door code is 4711-0815";

const deletion = (messageId: string, place: InboundPlace = dm(ada)) =>
  ({ kind: "deletion", key: `deletion:${messageId}`, place, messageId }) as const;

/** Somebody answers a message with /delete. */
const takeBack = (by = ada, messageId = "m-1", more: { place?: InboundPlace; fromUs?: boolean } = {}) =>
  command(by, "delete", "", { quote: { messageId, fromUs: more.fromUs ?? false }, place: more.place ?? dm(by) });

async function tell(text = secret, more: Parameters<typeof message>[2] = {}) {
  await office.sink(message(ada, text, { messageId: "m-1", ...more }));
  const [stored] = (await office.db.selectFrom("messages").selectAll().orderBy("seq").execute()).slice(-1);
  if (!stored?.conversation_id) throw new Error("nothing was stored");
  return { id: stored.id, conversationId: stored.conversation_id };
}

/** The message was taken up by a turn, which is over. */
async function work(conversationId: string, more: { reply?: string; answerId?: string } = {}) {
  const runId = await startRun(office);
  await office.db.updateTable("deliveries").set({ status: "completed", run_id: runId }).execute();
  await office.db
    .updateTable("runs")
    .set({ status: "completed", reply: more.reply ?? null })
    .where("id", "=", runId)
    .execute();
  await office.db
    .insertInto("codex_threads")
    .values({
      id: newId(),
      conversation_id: conversationId,
      codex_thread_id: `codex-${runId}`,
      tools_fingerprint: "",
      instructions_hash: "",
      provider: "openai",
      status: "active",
      pending_handoff: `Ada: ${secret}`,
    })
    .execute();
  if (more.answerId !== undefined) await say(runId, conversationId, more.reply ?? "", more.answerId);
  return runId;
}

async function say(runId: string, conversationId: string, text: string, messageId: string): Promise<void> {
  const milo = await office.db.selectFrom("teammates").select("id").executeTakeFirstOrThrow();
  await office.db
    .insertInto("messages")
    .values({
      id: newId(),
      conversation_id: conversationId,
      author: "teammate",
      author_name: "Milo",
      teammate_id: milo.id,
      text,
      sent_at: new Date(),
    })
    .execute();
  for (const [part, piece] of [text, "and more"].entries()) {
    await office.db
      .insertInto("posts")
      .values({
        id: newId(),
        connection_id: office.connectionId,
        channel: dm(ada).channel,
        place_kind: "dm",
        run_id: runId,
        lane: "conversation",
        purpose: "answer",
        op: "post",
        status: "sent",
        body: JSON.stringify({ text: piece, notify: true }),
        platform_message_id: part === 0 ? messageId : `${messageId}-${part}`,
        dedup_key: `answer:${runId}#${part}`,
        created_at: new Date(),
      })
      .execute();
  }
}

async function addEvents(runId: string, events: readonly (readonly [string, string | null, object])[]) {
  for (const [seq, [kind, itemId, payload]] of events.entries()) {
    await office.db
      .insertInto("run_events")
      .values({
        run_id: runId,
        seq: seq + 1,
        kind,
        item_id: itemId,
        payload: JSON.stringify(payload),
        emitted_at: new Date(),
      })
      .execute();
  }
}

/** Everything that is stored, as text. */
async function everything(): Promise<string> {
  const tables = ["messages", "seen_messages", "run_events", "posts", "runs", "codex_threads", "attachments"] as const;
  const rows = await Promise.all(tables.map((table) => office.db.selectFrom(table).selectAll().execute()));
  return JSON.stringify(rows);
}

const removals = async () =>
  (await office.db.selectFrom("posts").selectAll().where("op", "=", "remove").orderBy("seq").execute()).map(
    (post) => post.target_message_id ?? post.target_post_id,
  );

test.each(["by the platform", "with /delete"])("a message deleted %s leaves no copy behind", async (how) => {
  const { id, conversationId } = await tell();
  const runId = await work(conversationId);
  await addEvents(runId, [
    ["text_delta", "i1", { itemId: "i1", text: "You say the door co" }],
    ["text", "i1", { itemId: "i1", text: `You say ${secret}, I see`, phase: "final" }],
    [
      "step_ended",
      "i2",
      { itemId: "i2", step: { kind: "command", command: `echo "${secret}" > code` }, outcome: "ok" },
    ],
    ["step_ended", "i3", { itemId: "i3", step: { kind: "command", command: "ls" }, outcome: "ok" }],
  ]);
  const quote = { messageId: "m-1", text: secret, fromUs: false };
  await office.sink(message(ada, "is that right?", { quote }));
  await office.sink(how === "with /delete" ? takeBack() : deletion("m-1"));
  expect(await everything()).not.toContain("4711");
  expect(await everything()).not.toContain("door co");
  const events = await office.db.selectFrom("run_events").select("payload").orderBy("seq").execute();
  expect(events.map((event) => event.payload)).toMatchObject([
    { text: "You say [deleted], I see" },
    { step: { command: 'echo "[deleted]" > code' } },
    { step: { command: "ls" } },
  ]);
  const row = await office.db.selectFrom("messages").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ text: "", quote: null });
  expect(row.deleted_at).not.toBeNull();
});

test("what Codex knows of a deleted message stays behind in a thread that nobody goes on in", async () => {
  const { conversationId } = await tell();
  await work(conversationId);
  await office.sink(takeBack());
  const threads = await office.db.selectFrom("codex_threads").select(["status", "pending_handoff"]).execute();
  expect(threads).toEqual([{ status: "retired", pending_handoff: null }]);
  expect((await office.texts()).at(-1)).toBe(
    "Deleted. I kept no copy of it, and Milo will go on here from what else was said, without it.",
  );
  // What else was said is not forgotten.
  const conversation = await office.db.selectFrom("conversations").select("reset_at").executeTakeFirst();
  expect(conversation?.reset_at).toBeNull();
});

test("a message nobody began with is not begun with, and no conversation has to start anew", async () => {
  await tell("hello there");
  await work((await office.deliveries())[0]?.conversationId ?? "");
  await office.sink(message(ada, secret, { messageId: "m-2" }));
  await office.db
    .updateTable("codex_threads")
    .set({ created_at: new Date(Date.now() - 60_000) })
    .execute();
  await office.sink(takeBack(ada, "m-2"));
  expect((await office.deliveries()).at(-1)?.status).toBe("cancelled");
  expect((await office.texts()).at(-1)).toBe("Deleted, before anybody began with it.");
  expect(await office.db.selectFrom("codex_threads").select("status").execute()).toEqual([{ status: "active" }]);
});

test("files that came with it go, from the database and from the disk", async () => {
  const folder = await mkdtemp(join(tmpdir(), "uploads-"));
  const [path, elsewhere] = [join(folder, "plan.pdf"), join(folder, "elsewhere")];
  await writeFile(path, "plan");
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, "kept.txt"), "not ours to delete");
  await symlink(elsewhere, join(folder, "moved"));
  const files = ["plan.pdf", "kept.txt"].map((name) => ({ id: name, name, kind: "document" as const }));
  const { id } = await tell("see this", { files });
  const stored = office.db.updateTable("attachments").where("message_id", "=", id);
  await stored.set({ path, state: "stored" }).where("name", "=", "plan.pdf").execute();
  await stored
    .set({ path: join(folder, "moved", "kept.txt") })
    .where("name", "=", "kept.txt")
    .execute();
  await office.sink(deletion("m-1"));
  expect(await office.db.selectFrom("attachments").selectAll().execute()).toEqual([]);
  await vi.waitFor(() => expect(access(path)).rejects.toThrow());
  await access(join(elsewhere, "kept.txt"));
});

test("one photo of an album goes alone", async () => {
  const photo = (id: string) => ({ id, name: `${id}.jpg`, kind: "photo" as const });
  const collect = { key: "album", kind: "album", waitMs: 1_000 } as const;
  await office.sink(message(ada, "two", { messageId: "m-1", files: [photo("a")], collect }));
  await office.sink(message(ada, "", { messageId: "m-2", files: [photo("b")], collect }));
  await office.sink(deletion("m-2"));
  expect(await office.db.selectFrom("attachments").select("name").execute()).toEqual([{ name: "a.jpg" }]);
  expect((await office.messages()).map(({ text }) => text)).toEqual(["two"]);
});

test.each(["for us", "among people"])(
  "what was deleted stays away when the platform tells it again: said %s",
  async (to) => {
    await office.open(group, "members");
    const addressed = to === "for us" ? "mention" : "ambient";
    const said = message(ada, secret, { messageId: "m-1", place: group, addressed });
    await office.sink(said);
    await office.sink(deletion("m-1", group));
    const again = { ...said, key: "catch-up:m-1" };
    await office.sink(again);
    expect(await office.outcome(again.key)).toBe("deleted");
    expect(await everything()).not.toContain("4711");
    await office.sink(command(ada, "why"));
    expect((await office.texts()).at(-1)).toContain("it was deleted");
  },
);

test("a deletion that comes before the message itself keeps it away, too", async () => {
  await office.open(group, "members");
  await office.sink(deletion("m-1", group));
  await office.sink(message(ada, secret, { messageId: "m-1", place: group }));
  expect(await office.messages()).toEqual([]);
});

test("people delete their own messages, and admins everybody's", async () => {
  await office.open(group, "members");
  await office.hire(ben, "manager");
  await tell(secret, { place: group });
  const refused = takeBack(ben, "m-1", { place: group });
  await office.sink(refused);
  expect(await office.outcome(refused.key)).toBe("refused");
  expect(await office.texts()).toContain("That is somebody else's message. They, the owner or an admin can delete it.");
  expect(await everything()).toContain("4711");
  await office.sink(message(ben, "mine 99", { messageId: "m-2", place: group }));
  await office.sink(takeBack(ben, "m-2", { place: group }));
  expect(await everything()).not.toContain("mine 99");
  await office.db.updateTable("people").set({ role: "admin" }).where("display_name", "=", "Ben").execute();
  await office.sink(takeBack(ben, "m-1", { place: group }));
  expect(await everything()).not.toContain("4711");
});

test("a message in work is not deleted under the hands of whoever works on it", async () => {
  await tell();
  await office.db.updateTable("deliveries").set({ status: "running" }).execute();
  await office.sink(takeBack());
  expect((await office.texts()).at(-1)).toBe("Milo is working on it. Stop that first with /stop, then delete it.");
  expect(await everything()).toContain("4711");
  expect(await removals()).toEqual([]);
});

test("an answer is taken back whole, in the chat too, and Milo does not go on from it", async () => {
  const { conversationId } = await tell("what is the code?");
  const runId = await work(conversationId, { reply: `I think ${secret}`, answerId: "a-1" });
  await addEvents(runId, [["text", "i1", { itemId: "i1", text: `I think ${secret}`, phase: "final" }]]);
  await office.db.updateTable("codex_threads").set({ pending_handoff: null }).execute();
  const parts = await office.db.selectFrom("posts").select("id").where("run_id", "=", runId).orderBy("seq").execute();
  const word = takeBack(ada, "a-1", { fromUs: true });
  await office.sink(word);
  expect(await everything()).not.toContain("4711");
  expect(await removals()).toEqual([...parts.map(({ id }) => id), word.messageId]);
  const [thread] = await office.db.selectFrom("codex_threads").select("status").execute();
  expect(thread?.status).toBe("retired");
  // The question is a message of its own.
  expect(await everything()).toContain("what is the code?");
});

test("an answer is taken back by whoever asked, or by a manager", async () => {
  await office.hire(ben, "member");
  const { conversationId } = await tell("what is the code?");
  const runId = await work(conversationId, { reply: secret, answerId: "a-1" });
  const { id: adaId } = await office.db
    .selectFrom("people")
    .select("id")
    .where("display_name", "=", "Ada")
    .executeTakeFirstOrThrow();
  await office.db.updateTable("runs").set({ requester_person_id: adaId }).where("id", "=", runId).execute();
  await office.sink(takeBack(ben, "a-1", { place: dm(ada), fromUs: true }));
  expect(await office.texts()).toContain("Somebody else asked for that. They or a manager can delete it.");
  await office.db.updateTable("people").set({ role: "manager" }).where("display_name", "=", "Ben").execute();
  await office.sink(takeBack(ben, "a-1", { place: dm(ada), fromUs: true }));
  expect(await everything()).not.toContain("4711");
});

test("what cannot be deleted is said in words", async () => {
  await office.sink(command(ada, "delete"));
  await office.sink(takeBack(ada, "never-heard-of"));
  await office.sink(takeBack(ada, "a-card", { fromUs: true }));
  expect((await office.texts()).slice(-3)).toEqual([
    expect.stringContaining("Reply to the message with /delete."),
    "I don't have that message, so there is nothing to delete.",
    "I can take back answers and files of a teammate. This is neither.",
  ]);
});
