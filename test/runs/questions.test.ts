import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Person } from "../../src/people/index.ts";
import { silentLog } from "../../src/shared/index.ts";
import { createWebForms } from "../../src/web-forms/index.ts";
import { call, say, shell } from "../fakes/model/index.ts";
import { pressIn } from "./pressing.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  shop = await openWorkshop(
    // Codex's own questions, which our settings leave off.
    { "tools.experimental_request_user_input.enabled": true, "features.default_mode_request_user_input": true },
    { forms: true },
  );
  life = await shop.start();
});

afterEach(() => shop.model.reset());
afterAll(() => shop?.[Symbol.asyncDispose]());

const branch = {
  id: "branch",
  header: "Branch",
  question: "which branch should I use?",
  options: [{ label: "main" }, { label: "release/2.4", description: "what customers have" }],
};

const press = (room: Room, on: string | RegExp, label: string, by: Person, note?: string) =>
  pressIn({ shop, life }, room, { on, label, by, note });

const lastOutput = () => shop.model.requests.at(-1)?.lastOutput ?? "";

async function openItem(room: Room) {
  return vi.waitFor(async () => {
    const row = await shop.db
      .selectFrom("attention")
      .selectAll()
      .where("conversation_id", "=", room.conversationId)
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    return row;
  }, 20_000);
}

describe("a question of the teammate's", () => {
  it("waits in the turn, which goes on with the answer", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.enqueue([call("shipmate", "ask_user", { questions: [branch] })], [say("On main, then.")]);
    await shop.say(life, room, shop.ben, "Cut a release.");
    await shop.shows(room, "which branch should I use?");
    await vi.waitFor(async () => {
      const row = await shop.db
        .selectFrom("runs")
        .select(["status", "waiting_on"])
        .where("conversation_id", "=", room.conversationId)
        .executeTakeFirstOrThrow();
      expect(row).toEqual({ status: "waiting", waiting_on: "question" });
    });
    expect(await press(room, "which branch", "main", shop.ben)).toMatchObject({ kind: "done" });
    await shop.shows(room, "On main, then.");
    expect(lastOutput()).toContain('"Ben" answered:\nbranch: "main"');
    expect((await openItem(room)).settled_at).not.toBeNull();
  });

  it("may be several, skipped in part, and in own words", async () => {
    const room = await shop.room("dm");
    const free = { header: "When", question: "when shall it go out?" };
    const several = {
      header: "Parts",
      question: "what goes into it?",
      options: [{ label: "docs" }, { label: "code" }],
      multiple: true,
    };
    shop.model.enqueue([call("shipmate", "ask_user", { questions: [branch, free, several] })], [say("Good.")]);
    await shop.say(life, room, shop.ada, "Cut a release.");
    await press(room, "(1 of 3)", "Skip", shop.ada);
    await press(room, "(2 of 3)", "Answer", shop.ada, 'on "Friday"');
    await press(room, "(3 of 3)", "code", shop.ada);
    await press(room, "(3 of 3)", "Done", shop.ada);
    await shop.shows(room, "Good.");
    expect(lastOutput()).toContain('branch: skipped\nq2: "on \\"Friday\\""\nq3: "code"');
  });

  it("that nobody answers in time stays open, and the answer starts a new turn", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call("shipmate", "ask_user", { questions: [branch] })], [say("I wait for your answer.")]);
    const realSetTimeout = globalThis.setTimeout;
    const hurried = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation(((work: () => void, ms?: number, ...rest: []) =>
        realSetTimeout(work, ms === 600_000 ? 1 : ms, ...rest)) as typeof setTimeout);
    await shop.say(life, room, shop.ada, "Cut a release.");
    await shop.shows(room, "I wait for your answer.");
    hurried.mockRestore();
    expect(lastOutput()).toContain("Nobody has answered yet");
    shop.model.enqueue([say("Release it is.")]);
    await press(room, "which branch", "release/2.4", shop.ada);
    await shop.shows(room, "Release it is.");
    const told = shop.model.requests.at(-1)?.text ?? "";
    expect(told).toContain("> which branch should I use?");
    expect(told).toContain("> release/2.4");
  });

  it("gives way to a message of the same person, which the turn reads at once", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call("shipmate", "ask_user", { questions: [branch, { header: "When", question: "when?" }] })]);
    shop.model.enqueue([say("Tomorrow, on main.")]);
    await shop.say(life, room, shop.ada, "Cut a release.");
    await press(room, "(1 of 2)", "main", shop.ada);
    await shop.shows(room, "(2 of 2)");
    const said = await shop.say(life, room, shop.ada, "tomorrow, after lunch");
    await shop.shows(room, "Tomorrow, on main.");
    expect((await shop.delivery(said.deliveryId)).joined).toBe("steer");
    const told = JSON.stringify(shop.model.requests.at(-1)?.body);
    expect(told).toContain("They wrote a message instead");
    expect(told).toContain("q2: not answered");
    expect(shop.model.requests.at(-1)?.lastUserText).toContain("tomorrow, after lunch");
    expect((await shop.shows(room, "✓ Branch: main")).text).toContain("**Went on with your message**");
  });

  it("with wrong arguments asks nobody", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call("shipmate", "ask_user", { questions: [branch, branch] })], [say("Oh.")]);
    await shop.say(life, room, shop.ada, "Ask twice.");
    await shop.shows(room, "Oh.");
    expect(lastOutput()).toContain("two questions have the same id");
  });

  it("is withdrawn with a stopped run", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call("shipmate", "ask_user", { questions: [branch] })]);
    await shop.say(life, room, shop.ada, "Cut a release.");
    await shop.shows(room, "which branch");
    const { run_id: runId } = await openItem(room);
    await shop.db
      .updateTable("runs")
      .set({ stop_requested_by: shop.ada.id, stop_requested_at: new Date() })
      .where("id", "=", runId)
      .execute();
    await life.storage.queues.add("control", { kind: "stop", runId: runId ?? "" });
    await vi.waitFor(async () => expect((await openItem(room)).status).toBe("cancelled"), 20_000);
    await shop.shows(room, "**Stopped**");
  });
});

describe("a secret", () => {
  const value = "open-sesame-7421";

  it("comes from its page, goes into the turn, and nowhere else", async () => {
    const room = await shop.room("dm");
    const secret = { id: "password", header: "Password", question: "what is the portal's password?", secret: true };
    shop.model.enqueue(
      [call("shipmate", "ask_user", { questions: [secret] })],
      [shell(`echo ${value} > /dev/null`), say(`I used ${value}.`)],
      [say(`The password ${value} works.`)],
    );
    await shop.say(life, room, shop.ada, "Sign in.");
    const card = await shop.shows(room, "portal's password");
    const token = card.links[0]?.url.split("/").at(-1) ?? "";
    const pages = createWebForms({
      address: () => ({ base: "", opensAnywhere: true }),
      clock: shop.clock,
      log: silentLog,
    });
    expect(await pages.submit(shop.db, token, { answer: value }, { question: life.attention.takePage })).toMatchObject({
      kind: "done",
    });
    await shop.shows(room, "The password [secret] works.");
    expect(shop.model.requests.some((request) => request.lastOutput?.includes(`password (secret): "${value}"`))).toBe(
      true,
    );
    expect(await tablesWith(value)).toEqual([]);
    expect(JSON.stringify(shop.platform.texts(room.channel))).not.toContain(value);
  });

  /** Every table that has it, wherever. */
  async function tablesWith(text: string) {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(shop.db);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ n: string }>`
        select count(*) as n from ${sql.table(name)} t where position(${text} in t::text) > 0`.execute(shop.db);
      if (rows[0]?.n !== "0") found.push(name);
    }
    return found;
  }
});

describe("Codex's own question", () => {
  const asked = {
    questions: [
      {
        id: "color",
        header: "Color",
        question: "Which color?",
        options: [
          { label: "Red", description: "warm" },
          { label: "Blue", description: "cold" },
        ],
      },
    ],
  };

  it("is shown, answered and told to Codex", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call(undefined, "request_user_input", asked)], [say("Blue.")]);
    await shop.say(life, room, shop.ada, "Paint it.");
    await press(room, "Which color?", "Blue", shop.ada);
    await shop.shows(room, "Blue.");
    expect(JSON.parse(lastOutput())).toEqual({ answers: { color: { answers: ["Blue"] } } });
  });

  it("that is skipped is answered with nothing", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call(undefined, "request_user_input", asked)], [say("As I like.")]);
    await shop.say(life, room, shop.ada, "Paint it.");
    await press(room, "Which color?", "Skip", shop.ada);
    await shop.shows(room, "As I like.");
    expect(JSON.parse(lastOutput())).toEqual({ answers: {} });
  });
});
