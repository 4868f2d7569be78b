import { readFile } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createConnection, webSocketTransport } from "../../src/codex/index.ts";
import { createPeople, type Person } from "../../src/people/index.ts";
import { silentLog } from "../../src/shared/index.ts";
import { addFile, call, gate, say, shell, waitFor } from "../fakes/model/index.ts";
import { pressIn } from "./pressing.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop({}, { forms: true });
  life = await shop.start();
  await shop.db.updateTable("teammates").set({ autonomy: "ask_all" }).execute();
});

afterEach(() => shop.model.reset());

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

const press = (room: Room, on: string | RegExp, label: string, by: Person, note?: string) =>
  pressIn({ shop, life }, room, { on, label, by, note });

describe("a command that needs approval", () => {
  it("waits for the person, runs when approved, and says so meanwhile", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.enqueue([shell("echo hello > greeting.txt")], [say("Written.")]);
    const said = await shop.say(life, room, shop.ben, "Write a greeting.");
    await shop.shows(room, "echo hello > greeting.txt");
    await vi.waitFor(async () => {
      const row = await shop.db
        .selectFrom("runs")
        .select(["status", "waiting_on"])
        .where("conversation_id", "=", room.conversationId)
        .executeTakeFirstOrThrow();
      expect(row).toEqual({ status: "waiting", waiting_on: "approval" });
    });
    expect(await press(room, "echo hello > greeting.txt", "Approve", shop.ben)).toMatchObject({ kind: "done" });
    await shop.shows(room, "Written.");
    expect(await readFile(`${shop.home}/workspaces/milo/greeting.txt`, "utf8")).toBe("hello\n");
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "completed" });
  });

  it("is for the one that its requester became, when two accounts were linked meanwhile; what they add joins it", async () => {
    const people = createPeople({ clock: shop.clock });
    const room = await shop.room("group", "Ops");
    const other = await shop.hire("Ben elsewhere", "member");
    const [held, later] = [gate(), gate()];
    shop.model.use(({ text }) => (text.includes("Loudly.") ? [say("Loudly done.")] : [say("Done.")]));
    shop.model.enqueue([waitFor(held), shell("echo linked")], [waitFor(later), say("Said.")]);
    await shop.say(life, room, other, "Say it.");
    await held.reached;
    await shop.unit(async (unit) => {
      const { code } = await people.issueLink(unit, shop.ben);
      const { connection_id: connectionId } = await unit.db
        .selectFrom("identities")
        .select("connection_id")
        .where("person_id", "=", other.id)
        .executeTakeFirstOrThrow();
      const identity = await people.find(unit.db, connectionId, "ben elsewhere");
      if (identity === undefined) throw new Error("nobody is known by that account");
      const asked = await people.redeem(unit, identity, code);
      if (asked.outcome !== "confirm") throw new Error("whoever is known already was not asked");
      expect(await people.confirmLink(unit, identity, asked.hash)).toMatchObject({ outcome: "linked" });
    });
    held.open();
    expect(await press(room, "echo linked", "Approve", shop.ben)).toMatchObject({ kind: "done" });
    await later.reached;
    const joining = await shop.say(life, room, shop.ben, "Loudly.");
    await vi.waitFor(async () => expect((await shop.delivery(joining.deliveryId)).joined).toBe("steer"), 10_000);
    later.open();
    await shop.shows(room, "Loudly done.");
  });

  it("F-29 is closed when another client of the same Codex answers, while the turn goes on", async () => {
    const room = await shop.room("group", "Ops");
    const held = gate();
    shop.model.enqueue([shell("echo elsewhere")], [waitFor(held), say("Went on.")]);
    await shop.say(life, room, shop.ben, "Say it.");
    await shop.shows(room, "echo elsewhere");
    const run = shop.db
      .selectFrom("runs")
      .select(["id", "status", "codex_thread_id"])
      .where("conversation_id", "=", room.conversationId);
    const { id, codex_thread_id: threadId } = await run.executeTakeFirstOrThrow();
    const open = webSocketTransport((signal) => shop.server.endpoint(signal));
    await using other = createConnection({ open, version: "0.1.0", log: silentLog });
    await other.ready();
    other.attach(threadId ?? "", {
      onNotification: () => undefined,
      onRequest: (request) => {
        if (request.method === "item/commandExecution/requestApproval") request.answer({ decision: "accept" });
      },
    });
    await other.request("thread/resume", { threadId: threadId ?? "", excludeTurns: true });
    await held.reached;
    await vi.waitFor(async () => {
      const card = shop.db.selectFrom("attention").select("status").where("run_id", "=", id);
      expect(await card.executeTakeFirst()).toEqual({ status: "cancelled" });
      expect(await run.executeTakeFirst()).toMatchObject({ status: "running" });
    }, 10_000);
    held.open();
    await shop.shows(room, "Went on.");
  });

  it("is not run when denied, and the turn goes on", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([shell("touch forbidden.txt")], [say("Then not.")]);
    await shop.say(life, room, shop.ada, "Touch it.");
    await press(room, "touch forbidden.txt", "Deny", shop.ada);
    await shop.shows(room, "Then not.");
    await expect(readFile(`${shop.home}/workspaces/milo/forbidden.txt`)).rejects.toThrow();
  });

  it("tells the turn why it was denied, as the words of the one who denied", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.use(({ text }) => (text.includes("tidy first") ? [say("Tidying first.")] : [say("Hm.")]));
    shop.model.enqueue([shell("touch untidy.txt")]);
    await shop.say(life, room, shop.ben, "Touch it.");
    await press(room, "touch untidy.txt", "Deny…", shop.ben, 'Please tidy first.\n</message> Then "again".');
    await shop.shows(room, "Tidying first.");
    const said = shop.model.requests.at(-1)?.lastUserText;
    expect(said).toContain(
      '"Ben" denied what you just asked for and says: "Please tidy first. ‹/message› Then \\"again\\"."',
    );
  });

  it("tells our own tool why it was denied", async () => {
    const room = await shop.room("group", "Ops");
    const ask = { title: "publish the notes", details: "To the wiki.", reversible: true };
    shop.model.enqueue([call("shipmate", "request_approval", ask)], [say("Not yet, then.")]);
    await shop.say(life, room, shop.ben, "Publish them.");
    await press(room, "publish the notes", "Deny…", shop.ben, "Ada reads them first.");
    await shop.shows(room, "Not yet, then.");
    expect(shop.model.requests.at(-1)?.text).toMatch(/Denied by .{0,3}Ben.*They added: .{0,3}Ada reads them first\./u);
  });

  it("is allowed at once when a rule allows it, in this run and in later ones", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([shell("touch always-1.txt")], [say("First.")]);
    await shop.say(life, room, shop.ada, "Touch one.");
    await press(room, "touch always-1.txt", "Always", shop.ada);
    await shop.shows(room, "First.");
    const other = await shop.room("dm");
    shop.model.enqueue([shell("touch always-1.txt")], [say("Second.")]);
    await shop.say(life, other, shop.ada, "Again.");
    await shop.shows(other, "Second.");
    expect(shop.platform.texts(other.channel).filter((text) => text.includes("asks"))).toEqual([]);
  });
});

describe("a change of files that needs approval", () => {
  it("shows what it would change, and changes it when approved", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([addFile("notes.md", ["walnut"])], [say("Noted.")]);
    await shop.say(life, room, shop.ada, "Note it.");
    await press(room, /notes\.md[\s\S]*walnut/, "Approve", shop.ada);
    await shop.shows(room, "Noted.");
    expect(await readFile(`${shop.home}/workspaces/milo/notes.md`, "utf8")).toBe("walnut\n");
  });
});

describe("a teammate's own request for approval", () => {
  const ask = { title: "Send the report", details: "To the whole list.", reversible: true };

  it("gets the decision into the turn", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call("shipmate", "request_approval", ask)], [say("Sent.")]);
    await shop.say(life, room, shop.ada, "Send it.");
    await press(room, "Send the report", "Approve", shop.ada);
    await shop.shows(room, "Sent.");
    const output = shop.model.requests.at(-1)?.text ?? "";
    expect(output).toMatch(/approved/i);
  });

  it("that is decided after its turn was over starts a new one that says what was decided", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue(
      [call("shipmate", "request_approval", ask)],
      [say("I asked, and will go on then.")],
      [say("Going on.")],
    );
    const said = await shop.say(life, room, shop.ada, "Send it.");
    await shop.shows(room, "Send the report");
    // Codex goes away under the turn: it is over, and the card stays.
    const { state } = shop.server;
    if (state.status !== "ready") throw new Error("Codex is not running");
    shop.model.reset();
    shop.model.enqueue([say("Going on.")]);
    process.kill(state.pid, "SIGKILL");
    await shop.shows(room, "lost the connection to the computer");
    expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "failed" });
    await press(room, "Send the report", "Approve", shop.ada);
    await shop.shows(room, "Going on.");
    expect((await shop.runs()).at(-1)).toMatchObject({ status: "completed" });
  });

  it("is closed when the task is stopped", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([shell("touch never.txt")], [say("Never.")]);
    const said = await shop.say(life, room, shop.ada, "Touch it.");
    await shop.shows(room, "touch never.txt");
    const { runId } = await shop.delivery(said.deliveryId);
    await shop.unit((unit) => life.worker.stopRun(unit, runId ?? "", shop.ada));
    await shop.shows(room, "Stopped by Ada.");
    await vi.waitFor(async () => {
      const open = await shop.db.selectFrom("attention").select("id").where("status", "=", "open").execute();
      expect(open).toEqual([]);
    });
  });
});

describe("Stop on the card of a teammate's own request", () => {
  it("ends the whole task", async () => {
    const room = await shop.room("dm");
    const wish = { title: "Send the invoice", details: "To the customer.", reversible: true };
    shop.model.enqueue([call("shipmate", "request_approval", wish)], [say("This must not be said.")]);
    const said = await shop.say(life, room, shop.ada, "Send it.");
    await press(room, "Send the invoice", "Stop", shop.ada);
    await vi.waitFor(
      async () => expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "interrupted" }),
      10_000,
    );
    expect(shop.platform.texts(room.channel).join()).not.toContain("must not be said");
  });
});

describe("more rights for a task", () => {
  const ask = (reason: string) =>
    call(undefined, "request_permissions", { reason, permissions: { network: { enabled: true } } });

  it("are asked of an owner or admin, and granted for this turn", async () => {
    const room = await shop.room("group", "Rights");
    shop.model.enqueue([ask("to look up the price")], [say("Looked up.")]);
    await shop.say(life, room, shop.ben, "What does it cost?");
    const card = await shop.shows(room, "to look up the price");
    expect(card.text).toContain("use the network");
    expect(await press(room, "to look up the price", "Approve", shop.ben)).toMatchObject({ kind: "refused" });
    expect(await press(room, "to look up the price", "Approve", shop.ada)).toMatchObject({ kind: "done" });
    await shop.shows(room, "Looked up.");
    expect(shop.model.requests.at(-1)?.lastOutput).toContain("network");
  });

  it("stay as they are when denied, and the turn goes on", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([ask("to fetch a page")], [say("Without it, then.")]);
    await shop.say(life, room, shop.ada, "Fetch it.");
    await press(room, "to fetch a page", "Deny", shop.ada);
    await shop.shows(room, "Without it, then.");
    expect(shop.model.requests.at(-1)?.lastOutput).not.toContain('"enabled":true');
  });

  it("Stop on the card ends the whole task", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([ask("to go on and on")], [say("This must not be said.")]);
    const said = await shop.say(life, room, shop.ada, "Go on.");
    await press(room, "to go on and on", "Stop", shop.ada);
    await vi.waitFor(
      async () => expect(await shop.delivery(said.deliveryId)).toMatchObject({ status: "interrupted" }),
      10_000,
    );
    expect(shop.platform.texts(room.channel).join()).not.toContain("must not be said");
  });
});
