import { beforeEach, expect, test } from "vitest";
import type { Person } from "../../src/people/index.ts";
import type { Teammate } from "../../src/teammates/index.ts";
import { createTools, type ToolContext, type ToolResult } from "../../src/tools/index.ts";
import { ada, person } from "../inbox/office.ts";
import { useOffice } from "../inbox/scene.ts";
import { somebody } from "../support/tool-rooms.ts";

const office = await useOffice();
const { teammates } = office.deps;
let owner: Person;
let milo: Teammate;
let welcomed: string[];
beforeEach(async () => {
  owner = await office.hire(ada, "owner");
  milo = await office.unit((unit) => teammates.ensureDefault(unit));
  welcomed = [];
});

const tools = createTools(office.deps);
let calls = 0;

/** A call of Milo's in a turn that somebody asked for. */
async function call(
  name: string,
  args: unknown,
  by: Person | null = owner,
  callId = `call-${++calls}`,
): Promise<ToolResult> {
  const context: Partial<ToolContext> = {
    callId,
    caller: { ...somebody, teammateId: milo.id, requesterId: by?.id ?? null },
    signal: new AbortController().signal,
    welcome: async (_unit, newcomer) => void welcomed.push(newcomer.name),
  };
  return tools.call(name, args, context as ToolContext);
}

const text = ({ contentItems }: ToolResult) =>
  contentItems.map((item) => (item.type === "inputText" ? item.text : "")).join();

const penny = { name: "Penny", title: "Bookkeeper", job: "Keeps the books." };

async function offer(...ids: readonly string[]): Promise<void> {
  await office.db.deleteFrom("models").execute();
  for (const [position, id] of ids.entries()) {
    await office.db
      .insertInto("models")
      .values({
        id,
        position,
        name: id.toUpperCase(),
        efforts: '["low","high"]',
        is_default: position === 0,
        seen_at: new Date(),
      })
      .execute();
  }
}

test("create_agent adds a colleague like its maker and shows it", async () => {
  await office.unit((unit) => teammates.update(unit, owner, milo.id, { model: "gpt-x", effort: "high" }));
  const result = await call("create_agent", penny);
  expect(result.success).toBe(true);
  expect(await teammates.byHandle(office.db, "penny")).toMatchObject({
    ...penny,
    model: "gpt-x",
    effort: "high",
    access: "workspace",
  });
  expect(welcomed).toEqual(["Penny"]);
});

test("create_agent that comes again gives back what it made", async () => {
  const first = await call("create_agent", penny, owner, "same");
  expect(await call("create_agent", penny, owner, "same")).toEqual(first);
  expect(await teammates.list(office.db)).toHaveLength(2);
  expect(text(await call("create_agent", penny))).toContain("has that name already");
});

test.each([
  [{ ...penny, name: "" }, "needs a name"],
  [{ ...penny, job: "j".repeat(2_001) }, "2,000"],
  [{ ...penny, autonomy: "autonomous" }, "only narrow"],
  [{ ...penny, effort: "heroic" }, "effort"],
  [{ ...penny, access: "full" }, "access"],
])("create_agent refuses %j before anything is written", async (args, reason) => {
  const result = await call("create_agent", args);
  expect(result.success).toBe(false);
  expect(text(result)).toContain(reason);
  expect(await teammates.list(office.db)).toHaveLength(1);
  expect(welcomed).toEqual([]);
});

for (const role of ["member", "guest"] as const) {
  test(`for a ${role} nobody is added, and the model is told whom to ask`, async () => {
    const ben = await office.hire(person("ben", "Ben"), role);
    expect(text(await call("create_agent", penny, ben))).toContain("managers and above");
    expect(text(await call("update_profile", { job: "Everything." }, ben))).toContain("managers and above");
    expect((await call("update_profile", { title: "Helper" }, ben)).success).toBe(true);
  });
}

test("where nobody asked, a teammate narrows itself and nothing more", async () => {
  expect((await call("update_profile", { autonomy: "ask_all" }, null)).success).toBe(true);
  expect(text(await call("update_profile", { model: "gpt-x" }, null))).toContain("Nobody asked for this turn");
  expect(text(await call("create_agent", penny, null))).toContain("Nobody asked for this turn");
});

test("a secret in a profile is taken out before it is kept", async () => {
  await call("create_agent", { ...penny, job: `Use sk-${"a".repeat(30)} for the bank.` });
  expect((await teammates.byHandle(office.db, "penny"))?.job).not.toContain("sk-");
});

test("update_profile is about oneself unless somebody is named, and says what holds then", async () => {
  await call("create_agent", penny);
  await call("update_profile", { picture: "🦊" });
  const result = await call("update_profile", {
    agent: "@Penny",
    busy_mode: "queue",
    notifications: false,
    effort: "low",
  });
  expect(text(result)).toContain('"busy_mode":"queue"');
  expect(await teammates.get(office.db, milo.id)).toMatchObject({ picture: "🦊", busyMode: "steer" });
  expect(await teammates.byHandle(office.db, "penny")).toMatchObject({
    busyMode: "queue",
    notifications: false,
    effort: "low",
  });
  await call("update_profile", { agent: "penny", effort: "default" });
  expect((await teammates.byHandle(office.db, "penny"))?.effort).toBeNull();
  expect(text(await call("update_profile", { agent: "nobody", title: "X" }))).toContain(
    'nobody here is called "nobody"',
  );
});

test("update_agents goes on after a change that fails, and reports each", async () => {
  await call("create_agent", penny);
  const result = await call("update_agents", {
    changes: [
      { agent: "penny", title: "Auditor" },
      { agent: "nobody", title: "X" },
      { agent: "penny", access: "full" },
      { agent: "penny", height: 3 },
      { agent: "milo", title: "Host" },
    ],
  });
  expect(result.success).toBe(false);
  const lines = text(result).split("\n");
  expect(lines[0]).toBe("2 of 5 done.");
  expect(text(result)).toMatch(
    /1\. Saved[\s\S]*2\. Nothing changed[\s\S]*3\. Nothing changed[\s\S]*4\. Wrong arguments[\s\S]*5\. Saved/,
  );
  expect(await teammates.byHandle(office.db, "penny")).toMatchObject({ title: "Auditor", access: "workspace" });
  expect((await teammates.get(office.db, milo.id))?.title).toBe("Host");
});

test("update_agents takes twenty changes at most", async () => {
  const changes = Array.from({ length: 21 }, () => ({ agent: "milo", title: "Host" }));
  expect((await call("update_agents", { changes })).success).toBe(false);
  expect((await teammates.get(office.db, milo.id))?.title).toBe("General helper");
});

test("list_models tells the default, those in use and the first of the rest, eight in all", async () => {
  await offer(...Array.from({ length: 12 }, (_, n) => `model-${n}`));
  await office.unit((unit) => teammates.update(unit, owner, milo.id, { model: "model-11" }));
  const lines = text(await call("list_models", {})).split("\n");
  const ids = lines.slice(0, -1).map((line) => (JSON.parse(line) as { id: string }).id);
  expect(ids).toEqual(["model-0", "model-11", ...[1, 2, 3, 4, 5, 6].map((n) => `model-${n}`)]);
  expect(lines.at(-1)).toBe("omittedModels: 4");
});

test("list_models finds by a query, twenty at most", async () => {
  await offer(...Array.from({ length: 30 }, (_, n) => `model-${n}`));
  expect(text(await call("list_models", { query: "L-29" }))).toContain('"id":"model-29"');
  expect(text(await call("list_models", { query: "model" })).split("\n")).toHaveLength(21);
  expect(text(await call("list_models", { query: "nothing" }))).toContain("No model");
});

test("a model that nobody offers is refused with those that are", async () => {
  await offer("model-a", "model-b");
  for (const result of [
    await call("create_agent", { ...penny, model: "model-z" }),
    await call("update_profile", { model: "model-z" }),
  ]) {
    expect(result.success).toBe(false);
    expect(text(result)).toContain('"id":"model-a"');
  }
  expect((await call("create_agent", { ...penny, model: "model-b" })).success).toBe(true);
});

test("read_agent and list_agents tell who there is, and who is away", async () => {
  await call("create_agent", penny);
  const { id = "" } = (await teammates.byHandle(office.db, "penny")) ?? {};
  await office.unit((unit) => teammates.hide(unit, owner, id));
  expect(JSON.parse(text(await call("read_agent", { agent: "Penny" })))).toMatchObject({
    ...penny,
    away: true,
    model: "default",
  });
  const lines = text(await call("list_agents", {})).split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { name: "Milo", handle: "milo", title: "General helper", you: true },
    { name: "Penny", handle: "penny", title: "Bookkeeper", away: true },
  ]);
  expect(text(await call("read_agent", { agent: "nobody" }))).toContain('"nobody"');
});
