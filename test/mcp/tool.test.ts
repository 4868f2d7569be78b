import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ApprovalRequest, ToolContext, ToolDecision } from "../../src/tools/index.ts";
import { createTools, type Tools } from "../../src/tools/index.ts";
import { type McpHttpServer, mcpStdio, startMcpHttp } from "../fakes/mcp/index.ts";
import { roomsWithoutDatabase, somebody } from "../support/tool-rooms.ts";
import { type Bench, openBench } from "./bench.ts";

let bench: Bench;
let open: McpHttpServer;
let tools: Tools;

beforeAll(async () => {
  bench = await openBench();
  open = await startMcpHttp();
  await bench.work();
  tools = createTools({ ...roomsWithoutDatabase(), ...bench, teammates: bench.teammates });
}, 60_000);
afterAll(async () => {
  await open.close();
  await bench[Symbol.asyncDispose]();
});
afterEach(async () => {
  await bench.db.deleteFrom("mcp_changes").execute();
  await bench.db.deleteFrom("mcp_servers").execute();
});

/** People who decide each card as it comes; null: nobody does in time. */
function people(...decisions: readonly (ToolDecision["choice"] | null)[]) {
  const cards: ApprovalRequest[] = [];
  const left = [...decisions];
  let calls = 0;
  return {
    cards,
    async call(args: object, more: Partial<ToolContext> = {}): Promise<string> {
      calls += 1;
      const context = {
        callId: `call-${calls}`,
        caller: { ...somebody, teammateId: bench.milo.id, requesterId: bench.adaId },
        signal: new AbortController().signal,
        openApproval: async (card: ApprovalRequest) => {
          cards.push(card);
          return { attentionId: crypto.randomUUID() };
        },
        waitForDecision: async () => {
          const choice = left.shift() ?? null;
          return choice === null ? null : { choice, by: { displayName: "Ada" } };
        },
        ...more,
      } as ToolContext;
      const { contentItems } = await tools.call("manage_mcp_server", args, context);
      return contentItems.map((item) => (item.type === "inputText" ? item.text : "")).join("");
    },
  };
}

const names = async () => (await bench.mcp.list(bench.db)).map((each) => each.name);
const add = (name: string) => ({ action: "add", name, url: open.url });

describe("manage_mcp_server", { timeout: 60_000 }, () => {
  test("shows the owner exactly what is contacted and for whom, and tests before it saves", async () => {
    const { call, cards } = people("approve", "approve");
    expect(await call(add("echo"))).toContain("Saved. Its tools are there from the next turn on. echo (yours): ready");
    expect(cards).toMatchObject([{ title: "Add the MCP server echo", risk: "high" }]);
    expect(cards[0]?.details).toBe(`Contacts ${open.url}\nIts tools are for Milo.`);
    expect(await call({ action: "add", name: "far", url: "http://127.0.0.1:9/mcp" })).toContain("Nothing was saved");
    expect(await names()).toEqual(["echo"]);
  });

  test("asks nobody a second time for what was approved after the turn that asked", async () => {
    const { call, cards } = people(null, null, "approve");
    expect(await call(add("echo"))).toContain("Nobody has decided yet.");
    expect(await call(add("echo"))).toContain("Nobody has decided yet.");
    expect(await names()).toEqual([]);
    expect(await call(add("echo"))).toContain("echo (yours): ready");
    expect(cards).toHaveLength(1);
    // It was for this one time.
    const again = people("deny");
    await bench.db.deleteFrom("mcp_servers").execute();
    expect(await again.call(add("echo"), { callId: "another" })).toContain("Denied.");
    expect(again.cards).toHaveLength(1);
  });

  test("asks anew where the earlier request ended without a yes", async () => {
    const { call, cards } = people(null, "cancelled", "approve");
    await call(add("echo"));
    expect(await call(add("echo"))).toContain("echo (yours): ready");
    expect(cards).toHaveLength(2);
  });

  test("gives a call that comes again, after a lost line, the result of the first", async () => {
    const { call, cards } = people("approve");
    await call(add("echo"), { callId: "the-same" });
    expect(await call(add("echo"), { callId: "the-same" })).toContain("Saved.");
    expect(cards).toHaveLength(1);
  });

  test("says on the card that keys go away when a server's address is changed to another place", async () => {
    await using other = await startMcpHttp();
    const { call, cards } = people("approve", "approve");
    await call({ ...add("echo"), for: "everyone" });
    const { id, config } = (await bench.mcp.named(bench.db, "echo")) ?? {};
    const proposal = { name: "echo", teammateId: null, config: { ...config, bearer: true } as never };
    await bench.unit((unit) =>
      bench.mcp.request(unit, {
        kind: "key",
        serverId: id,
        proposal,
        secrets: { values: {}, bearer: "sesame-open" },
        personId: null,
      }),
    );
    await expect.poll(async () => (await bench.mcp.named(bench.db, "echo"))?.holdsSecrets).toBe(true);
    const result = await call({ action: "change", name: "echo", url: other.url });
    expect(cards[1]?.details).toContain(`Until now: ${open.url}`);
    expect(cards[1]?.details).toContain("Its keys are removed");
    expect(result).toContain("Its keys were removed");
    expect(result).not.toContain("sesame-open");
  });

  test("removes a server when that is approved", async () => {
    const { call } = people("approve", "deny", "approve");
    await call(add("echo"));
    expect(await call({ action: "remove", name: "echo" })).toContain("Denied.");
    expect(await names()).toEqual(["echo"]);
    expect(await call({ action: "remove", name: "echo" })).toBe("The server is removed.");
    expect(await names()).toEqual([]);
  });

  test("warns where the program lies in a folder that teammates can write to", async () => {
    const { call, cards } = people("deny");
    const folder = "/srv/shipmate/workspaces/milo";
    await call({ action: "add", name: "own", command: "node", args: ["server.js"], folder });
    expect(cards[0]?.details).toContain(`Runs node server.js\nin ${folder}`);
    expect(cards[0]?.details).toContain("where teammates can change what it does");
  });

  test("lists and tests a teammate's own servers and everybody's, without asking, and nobody else's", async () => {
    const { call, cards } = people("approve");
    await call({ ...add("echo"), for: "everyone" });
    const config = JSON.stringify({ transport: "http", url: open.url, headers: [], bearer: false });
    const ada = { id: bench.adaId, displayName: "Ada", role: "owner" as const, locale: null, timezone: null };
    const penny = { name: "Penny", title: "Bookkeeper", job: "Keeps the books." };
    const hired = await bench.unit((unit) => bench.teammates.create(unit, ada, penny));
    const other = hired.kind === "saved" ? hired.teammate.id : "";
    await bench.db
      .insertInto("mcp_servers")
      .values({ id: crypto.randomUUID(), name: "hers", config, teammate_id: other })
      .execute();
    expect(await call({ action: "list" })).toBe("- echo (everyone's): ready; tools: ask, consent, echo");
    expect(await call({ action: "test", name: "echo" })).toContain("echo (everyone's): ready");
    expect(await call({ action: "test", name: "hers" })).toBe("There is no such server of yours.");
    expect(await call({ action: "remove", name: "hers" })).toBe("There is no such server of yours.");
    expect(cards).toHaveLength(1);
  });

  test.each([
    [{ url: "https://tools.example/mcp?key=sesame-open" }, "without user, password and query"],
    [{ url: "https://ada:sesame@tools.example/mcp" }, "without user, password and query"],
    [{ command: "server", args: ["--token", "sesame-open"] }, "contains a key"],
    [{ command: "server", url: "https://tools.example" }, "either a url or a command"],
    [{ command: "server", folder: "tools" }, "has to be absolute"],
    [{ url: "tools.example" }, "begins with http"],
  ])("takes no key and nothing half said: %j", async (more, words) => {
    const { call, cards } = people();
    expect(await call({ action: "add", name: "echo", ...more })).toContain(words);
    expect(cards).toEqual([]);
  });

  test("is for when a person asked, and not by itself", async () => {
    const { call, cards } = people();
    const caller = { ...somebody, teammateId: bench.milo.id, requesterId: null };
    expect(await call(add("echo"), { caller })).toContain("only when a person asks");
    const { command, args } = mcpStdio();
    expect(await call({ action: "add", name: "Bad Name", command, args })).toContain("small letters");
    expect(cards).toEqual([]);
  });
});
