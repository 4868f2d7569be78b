import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { listRules, revokeRule } from "../../src/attention/index.ts";
import type { Person } from "../../src/people/index.ts";
import { consentUrl, mcpStdio } from "../fakes/mcp/index.ts";
import { call, say } from "../fakes/model/index.ts";
import { pressIn } from "./pressing.ts";
import { type Life, openWorkshop, type Room, type Workshop } from "./workshop.ts";

let shop: Workshop;
let life: Life;

beforeAll(async () => {
  const { command, args } = mcpStdio();
  const survey = fileURLToPath(new URL("../fakes/mcp/survey.ts", import.meta.url));
  shop = await openWorkshop(
    {
      "mcp_servers.echo.command": command,
      "mcp_servers.echo.args": args,
      "mcp_servers.survey.command": command,
      "mcp_servers.survey.args": [survey],
    },
    { forms: true },
  );
  life = await shop.start({ codexOutlivesUs: true });
});

afterEach(() => shop.model.reset());
afterAll(() => shop?.[Symbol.asyncDispose]());

const press = (room: Room, on: string | RegExp, label: string, by: Person, note?: string) =>
  pressIn({ shop, life }, room, { on, label, by, note });

const outputs = () => shop.model.requests.map(({ lastOutput }) => lastOutput ?? "");

describe("a tool of an MCP server", () => {
  it("is used once a person approved it, on what the card shows", async () => {
    const room = await shop.room("group", "Ops");
    shop.model.enqueue([call("mcp__echo", "echo", { text: "token=abcdefghij1234 *hi*" })], [say("Echoed.")]);
    await shop.say(life, room, shop.ben, "Echo.");
    const card = await shop.shows(room, "use the tool echo of echo");
    expect(card.text).toContain("- text:");
    expect(card.buttons.map(({ label }) => label)).toEqual([
      "Approve",
      "Deny",
      "Deny…",
      "For this task",
      "Always: echo: echo",
      "Stop",
    ]);
    expect(await press(room, "use the tool echo", "Approve", await shop.hire("Carla", "member"))).toMatchObject({
      kind: "refused",
    });
    await press(room, "use the tool echo", "Approve", shop.ben);
    await shop.shows(room, "Echoed.");
    expect(outputs().at(-1)).toContain("echo: token=");
  });

  it("may be allowed for the task, and is then not asked for again", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue(
      [call("mcp__echo", "echo", { text: "one" })],
      [call("mcp__echo", "echo", { text: "two" })],
      [say("Twice.")],
    );
    await shop.say(life, room, shop.ada, "Echo twice.");
    await press(room, "use the tool echo", "For this task", shop.ada);
    await shop.shows(room, "Twice.");
    expect(outputs().at(-1)).toContain("echo: two");
  });

  it("may be allowed for good, until the rule is revoked", async () => {
    const room = await shop.room("dm");
    const consent = (text: string) => [call("mcp__echo", "echo", { text })];
    shop.model.enqueue(consent("first"), [say("First.")]);
    await shop.say(life, room, shop.ada, "Echo for good.");
    await press(room, "- text: `first`", "Always", shop.ada);
    await shop.shows(room, "First.");
    expect((await shop.shows(room, "- text: `first`")).text).toContain('from now on always for "echo: echo"');
    // Another conversation knows nothing of what was allowed for a task.
    const other = await shop.room("dm");
    shop.model.enqueue(consent("second"), [say("Second.")]);
    await shop.say(life, other, shop.ben, "Echo again.");
    await shop.shows(other, "Second.");
    expect(outputs().at(-1)).toContain("echo: second");
    const [rule] = await listRules(shop.db, shop.teammate.id);
    expect(await shop.unit((unit) => revokeRule(unit, rule?.id ?? "", shop.ada, new Date()))).toBe(true);
    const third = await shop.room("dm");
    shop.model.enqueue(consent("third"), [say("Third.")]);
    await shop.say(life, third, shop.ben, "Echo again.");
    await press(third, "- text: `third`", "Deny", shop.ben);
    await shop.shows(third, "Third.");
    expect(outputs().at(-1)).not.toContain("echo: third");
  });

  it("that is denied is not used, and the teammate gets the reason", async () => {
    const room = await shop.room("dm");
    shop.model.use(({ text }) =>
      text.includes("not today") ? [say("Another day.")] : [call("mcp__echo", "echo", { text: "no" })],
    );
    await shop.say(life, room, shop.ada, "Echo.");
    await press(room, "use the tool echo", "Deny…", shop.ada, "not today");
    await shop.shows(room, "Another day.");
    expect(outputs().join()).not.toContain("echo: no");
  });
});

describe("a form of an MCP server", () => {
  const ask = (message: string) => [call("mcp__echo", "ask", { message })];

  it("is asked field by field, checked, and given as its fields want", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue(ask("Your order?"), [say("Ordered.")]);
    await shop.say(life, room, shop.ada, "Order.");
    await press(room, "use the tool ask", "Approve", shop.ada);
    expect(await press(room, "1 of 4: How many", "Answer", shop.ada, "a dozen")).toMatchObject({ kind: "invalid" });
    await press(room, "1 of 4: How many", "Answer", shop.ada, "3");
    await press(room, "2 of 4: Size", "Large", shop.ada);
    await press(room, "3 of 4: As a gift", "Yes", shop.ada);
    await press(room, "4 of 4: Note", "Skip", shop.ada);
    await shop.shows(room, "Ordered.");
    expect(outputs().at(-1)).toContain('answer: {"action":"accept","content":{"amount":3,"size":"large","gift":true}}');
  });

  it("may be declined", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue(ask("Your order?"), [say("No order.")]);
    await shop.say(life, room, shop.ada, "Order.");
    await press(room, "use the tool ask", "Approve", shop.ada);
    await press(room, "1 of 4", "Decline", shop.ada);
    await shop.shows(room, "No order.");
    expect(outputs().at(-1)).toContain('"action":"decline"');
  });

  it("waits through a restart of ours, with what was answered before", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue(ask("Your order?"), [say("Ordered again.")]);
    await shop.say(life, room, shop.ada, "Order.");
    await press(room, "use the tool ask", "Approve", shop.ada);
    await press(room, "1 of 4: How many", "Answer", shop.ada, "2");
    await shop.shows(room, "2 of 4: Size");
    await life.kill();
    life = await shop.start({ codexOutlivesUs: true });
    await press(room, "2 of 4: Size", "Small", shop.ada);
    await press(room, "3 of 4", "Skip", shop.ada);
    await press(room, "4 of 4", "Skip", shop.ada);
    await shop.shows(room, "Ordered again.");
    expect(outputs().at(-1)).toContain('"content":{"amount":2,"size":"small"}');
    const cards = shop.platform.texts(room.channel).filter((text) => text.includes("for echo: Your order?"));
    expect(cards).toHaveLength(1);
  });

  it("that no card can show is declined, and the people there are told", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call("mcp__survey", "survey")], [say("No survey, then.")]);
    await shop.say(life, room, shop.ada, "Survey.");
    await press(room, "use the tool survey", "Approve", shop.ada);
    await shop.shows(room, "No survey, then.");
    expect(outputs().at(-1)).toContain("survey: decline");
    await shop.shows(room, "survey asked for something I can't show here, so I declined it.");
  });

  it("ends with its turn", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue(ask("Your order?"));
    await shop.say(life, room, shop.ada, "Order.");
    await press(room, "use the tool ask", "Approve", shop.ada);
    await shop.shows(room, "1 of 4");
    const run = await shop.db
      .selectFrom("runs")
      .select("id")
      .where("conversation_id", "=", room.conversationId)
      .executeTakeFirstOrThrow();
    await shop.db
      .updateTable("runs")
      .set({ stop_requested_by: shop.ada.id, stop_requested_at: new Date() })
      .where("id", "=", run.id)
      .execute();
    await life.storage.queues.add("control", { kind: "stop", runId: run.id });
    await shop.shows(room, /Your order\?.*Stopped/su);
  });
});

describe("a page an MCP server wants to be opened", () => {
  it("is a link, and done when the person says so", async () => {
    const room = await shop.room("dm");
    shop.model.enqueue([call("mcp__echo", "consent", { message: "Agree?" })], [say("Agreed.")]);
    await shop.say(life, room, shop.ada, "Agree.");
    await press(room, "use the tool consent", "Approve", shop.ada);
    const card = await shop.shows(room, "asks you to open a page, for echo: Agree?");
    expect(card.links).toEqual([{ label: "Open the page", url: consentUrl }]);
    expect(card.buttons.map(({ label }) => label)).toEqual(["Done", "Decline", "Stop"]);
    await press(room, "open a page", "Done", shop.ada);
    await shop.shows(room, "Agreed.");
    expect(outputs().at(-1)).toContain("consent: accept");
    await vi.waitFor(() => shop.shows(room, /Done by Ada/u));
  });
});
