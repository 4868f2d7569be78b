import { beforeEach, expect, test, vi } from "vitest";
import { createMcpKeyPage, tellMcp } from "../../src/inbox/index.ts";
import type { McpServer } from "../../src/mcp/index.ts";
import { proposalSchema } from "../../src/mcp/server.ts";
import { newId } from "../../src/shared/index.ts";
import { ada, command, filled, group, person, press } from "./office.ts";
import { claimed, lastCard, useOffice } from "./scene.ts";

const office = await useOffice(claimed);
beforeEach(async () => {
  await office.db.deleteFrom("mcp_changes").execute();
  await office.db.deleteFrom("mcp_servers").execute();
});

const ben = person("ben", "Ben");
const { latest, token, labels, pressed } = lastCard(office);

type State = McpServer["state"];

async function server(name: string, state: State = "ready", url = "https://tools.example/mcp"): Promise<string> {
  const id = newId();
  const config = JSON.stringify({ transport: "http", url, headers: [], bearer: false });
  const tools = JSON.stringify(state === "ready" ? ["echo", "ask"] : []);
  await office.db.insertInto("mcp_servers").values({ id, name, config, state, tools }).execute();
  return id;
}

const now = async (name: string) => office.deps.mcp.named(office.db, name);
const waiting = () => office.db.selectFrom("mcp_changes").selectAll().where("status", "=", "waiting").execute();

test("/mcp lists the servers with how they are, and one of them with what can be done", async () => {
  await server("echo");
  await server("vault", "needs_secret");
  await office.sink(command(ada, "mcp"));
  const list = await latest();
  expect(list.text).toContain("- **echo** · ● ready, 2 tools\n- **vault** · needs a key");
  await pressed("vault");
  expect((await latest()).text).toContain("**vault** · needs a key · for everyone\nhttps\\://tools.example/mcp");
  expect(await labels()).toEqual(["Set key…", "Another key…", "Test", "Change…", "Disable", "Remove…", "All servers"]);
});

test("/mcp is for the owner and admins, and is not answered where others read along", async () => {
  await office.hire(ben, "manager");
  await office.sink(command(ben, "mcp"));
  expect((await latest()).text).toContain("Only the owner and admins");
  await office.open(group, "members");
  await office.sink(command(ada, "mcp", "", { place: group }));
  expect((await latest()).text).not.toContain("MCP servers give");
  await office.hire(person("cleo", "Cleo"), "admin");
  await office.sink(command(person("cleo", "Cleo"), "mcp"));
  expect((await latest()).text).toContain("give your teammates more tools");
});

test("a button that an admin got does nothing for somebody who is none", async () => {
  const id = await server("echo");
  await office.hire(ben, "member");
  await office.sink(command(ada, "mcp", "echo"));
  await office.sink(press(ben, await token("Disable")));
  expect((await office.deps.mcp.get(office.db, id))?.enabled).toBe(true);
});

test("a server is switched off and on, given to one teammate and to all, and removed after a question", async () => {
  const id = await server("echo");
  await office.sink(command(ada, "mcp", "echo"));
  await pressed("Disable");
  expect(await now("echo")).toMatchObject({ enabled: false, revision: 2 });
  expect((await latest()).text).toContain("switched off");
  await pressed("Enable");
  await pressed("Milo");
  expect((await latest()).text).toContain("for Milo");
  const milo = await office.deps.teammates.byHandle(office.db, "milo");
  expect(await now("echo")).toMatchObject({ enabled: true, teammateId: milo?.id, revision: 4 });
  await pressed("Everyone");
  await pressed("Remove…");
  expect((await latest()).text).toContain("Remove echo?");
  await pressed("Keep");
  expect(await now("echo")).toMatchObject({ id, teammateId: null });
  await pressed("Remove…");
  await pressed("Remove");
  expect(await now("echo")).toBeUndefined();
  await office.sink(command(ada, "why"));
  const actions = await office.db.selectFrom("audit_log").select("action").where("action", "like", "mcp.%").execute();
  expect(actions.map((each) => each.action)).toEqual([
    "mcp.disable",
    "mcp.enable",
    "mcp.assign",
    "mcp.assign",
    "mcp.remove",
  ]);
});

test("what is typed after the command waits for its test, on a card that is answered later", async () => {
  await office.sink(command(ada, "mcp", "echo https://tools.example/mcp?key=not-for-the-eye"));
  expect((await latest()).text).toBe("Connecting to echo…");
  const [change] = await waiting();
  expect(change).toMatchObject({
    kind: "add",
    proposal: { name: "echo", config: { url: "https://tools.example/mcp" } },
  });
  expect(JSON.stringify([change?.proposal, change?.told])).not.toContain("not-for-the-eye");
  await office.unit((unit) =>
    tellMcp({ deps: office.deps, outbox: office.deps.outbox, people: office.deps.people })(unit, {
      change: { ...changeOf(change), status: "done" },
      outcome: { kind: "unreachable", failure: { reason: "no_answer" } },
      signInUrl: null,
    }),
  );
  const card = await latest();
  expect(card.op).toBe("edit");
  expect(card.text).toBe("echo was not saved: nothing answers there. Put that right and send it again.");
});

function changeOf(row: Awaited<ReturnType<typeof waiting>>[number] | undefined) {
  if (row === undefined) throw new Error("nothing waits");
  return {
    id: row.id,
    kind: row.kind,
    serverId: row.server_id,
    baseRevision: row.base_revision,
    proposal: proposalSchema.parse(row.proposal),
    secrets: null,
    personId: row.person_id,
    teammateId: row.teammate_id,
    told: row.told,
    outcome: null,
    attentionId: null,
    tries: 1,
    createdAt: row.created_at,
  };
}

test.each([
  ["echo", "There is no server called echo."],
  ["https://tools.example/mcp", "A server needs a name first"],
  ["Echo! https://tools.example/mcp", "A name has at most 32 small letters"],
  ["shipmate https://tools.example/mcp", "taken by Shipmate itself"],
  ['echo node "server', "A quotation mark is not closed."],
  ["echo API_KEY=sesame-open node server.js", "That looks like a key"],
])("what cannot be tried is said at once: /mcp %s", async (typed, words) => {
  await office.sink(command(ada, "mcp", typed));
  expect((await latest()).text).toContain(words);
  expect(await waiting()).toEqual([]);
});

test("only the owner may point to Shipmate's own environment", async () => {
  const cleo = person("cleo", "Cleo");
  await office.hire(cleo, "admin");
  await office.sink(command(cleo, "mcp", "echo API_KEY=env:HOME node server.js"));
  expect((await latest()).text).toContain("Only the owner can take a key");
  await office.sink(command(ada, "mcp", "echo API_KEY=env:HOME node server.js"));
  expect(await waiting()).toHaveLength(1);
});

test("a new server can be written into a form, and what is wrong with it uses nothing up", async () => {
  await office.sink(command(ada, "mcp"));
  const form = await token("Add…");
  await office.sink(filled(ada, form, "echo"));
  await vi.waitFor(() => expect(office.answers.at(-1)?.text).toContain("After the name comes an address"));
  await office.sink(filled(ada, form, "echo https://tools.example/mcp"));
  expect(await waiting()).toMatchObject([{ kind: "add", proposal: { name: "echo" } }]);
});

test("a change of a server carries the revision it was made for", async () => {
  const id = await server("echo");
  await office.sink(command(ada, "mcp", "echo"));
  const change = await token("Change…");
  expect(await office.inbox.form(office.connectionId, change, "ada")).toMatchObject({
    value: "https://tools.example/mcp",
  });
  await office.sink(filled(ada, change, "https://other.example/mcp"));
  expect(await waiting()).toMatchObject([{ kind: "change", server_id: id, base_revision: 1 }]);
});

test("a test that takes long can be asked for again after a minute, not before", async () => {
  await server("echo");
  await office.sink(command(ada, "mcp", "echo"));
  await pressed("Test");
  expect((await latest()).text).toBe("Testing echo…");
  expect(await pressed("Test again")).toBe("Still testing.");
  expect(await waiting()).toHaveLength(1);
  office.clock.pass(61_000);
  await pressed("Test again");
  expect(await waiting()).toHaveLength(2);
});

test("a key goes through a page of its own, for the server as it was then, and from somebody who still may", async () => {
  const id = await server("vault", "needs_secret");
  await office.sink(command(ada, "mcp", "vault"));
  await pressed("Set key…");
  expect((await latest()).text).toContain("Set the key for vault on this page.");
  const page = await office.db.selectFrom("web_forms").selectAll().executeTakeFirstOrThrow();
  expect(page).toMatchObject({ purpose: "mcp_secret", payload: { data: { serverId: id, key: null, revision: 1 } } });

  const take = createMcpKeyPage(office.deps);
  const fill = (key: string, personId = page.person_id) =>
    office.unit((unit) => take(unit, { payload: { serverId: id, key: null, revision: 1 }, personId, values: { key } }));
  const member = await office.hire(ben, "member");
  expect(await fill("sesame-open", member.id)).toMatchObject({ kind: "invalid" });
  expect(await fill("two\nlines")).toMatchObject({ kind: "invalid" });
  expect(await waiting()).toEqual([]);
  expect(await fill("sesame-open")).toMatchObject({ kind: "done" });
  expect((await latest()).text).toBe("Testing vault…");
  const [change] = await waiting();
  expect(change).toMatchObject({ kind: "key", server_id: id, base_revision: 1 });
  expect(change?.secrets?.includes("sesame-open")).toBe(false);
  await office.unit((unit) => office.deps.mcp.setEnabled(unit, { personId: page.person_id }, id, false));
  expect(await fill("sesame-open")).toEqual({ kind: "over" });
});

test("the owner's /status names servers that teammates should have and cannot use", async () => {
  await server("echo");
  await server("vault", "needs_secret");
  await office.sink(command(ada, "status"));
  const { text } = await latest();
  expect(text).toContain("- MCP server vault: needs a key. /mcp vault");
  expect(text).not.toContain("MCP server echo");
});

test("a server of somebody who is gone meanwhile, and a button of one that was removed, say so", async () => {
  const id = await server("echo");
  await office.sink(command(ada, "mcp", "echo"));
  await office.unit((unit) => office.deps.mcp.remove(unit, { personId: null }, id));
  expect(await pressed("Test")).toContain("removed or changed meanwhile");
  expect((await latest()).text).toContain("There are none yet.");
});
