import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type McpOutcome, type McpServer, readTyped } from "../../src/mcp/index.ts";
import { makeRecorder } from "../codex/scene.ts";
import { type McpHttpServer, mcpStdio, startMcpHttp, stdioKey } from "../fakes/mcp/index.ts";
import { call, say } from "../fakes/model/index.ts";
import { type Bench, openBench } from "./bench.ts";

let bench: Bench;
let open: McpHttpServer;

beforeAll(async () => {
  bench = await openBench();
  open = await startMcpHttp();
  await bench.work();
}, 60_000);
afterAll(async () => {
  await open.close();
  await bench[Symbol.asyncDispose]();
});
beforeEach(() => {
  process.env.ECHO_KEY = stdioKey;
});
afterEach(async () => {
  delete process.env.ECHO_KEY;
  await bench.db.deleteFrom("mcp_servers").execute();
});

async function add(name: string, typed: string, teammateId: string | null = null): Promise<McpOutcome> {
  const read = readTyped(typed);
  if (read.kind === "problem") throw new Error(read.problem);
  const { config, secrets } = read;
  return ended((unit) =>
    bench.mcp.request(unit, {
      kind: "add",
      proposal: { name, teammateId, config },
      secrets,
      personId: bench.adaId,
    }),
  );
}

async function ended(ask: Parameters<typeof bench.unit<string>>[0]): Promise<McpOutcome> {
  const id = await bench.unit(ask);
  return vi.waitFor(
    async () => {
      const change = await bench.mcp.change(bench.db, id);
      if (change?.outcome == null) throw new Error(`not done: ${change?.status}`);
      return change.outcome;
    },
    { timeout: 30_000, interval: 30 },
  );
}

async function server(name: string): Promise<McpServer> {
  const found = await bench.mcp.named(bench.db, name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

async function setKey(name: string, key: string | null, value: string): Promise<McpOutcome> {
  const { id, revision, config } = await server(name);
  const secrets = key === null ? { values: {}, bearer: value } : { values: { [key]: value } };
  return ended((unit) =>
    bench.mcp.request(unit, {
      kind: "key",
      serverId: id,
      baseRevision: revision,
      proposal: { name, teammateId: null, config: withPlace(config, key) },
      secrets,
      personId: bench.adaId,
    }),
  );
}

function withPlace(config: McpServer["config"], key: string | null): McpServer["config"] {
  if (config.transport === "http") return key === null ? { ...config, bearer: true } : { ...config, headers: [key] };
  return key === null ? config : { ...config, env: [key] };
}

const stdio = (needs?: string) => {
  const { command, args } = mcpStdio(needs);
  return [command, ...args].join(" ");
};

/** Programs of this machine that were started with this word. */
function programsWith(word: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/u.test(pid))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
      } catch {
        return []; // It ended meanwhile.
      }
    })
    .filter((line) => line.includes(word));
}

describe("a server is tested before it is saved", { timeout: 60_000 }, () => {
  test("one that works is saved with the names of its tools, and its program ends after the test", async () => {
    const mark = `of-${crypto.randomUUID()}`;
    expect(await add("echo", `${stdio()} ${mark}`)).toMatchObject({ kind: "done", dropped: false });
    expect(await server("echo")).toMatchObject({ state: "ready", tools: ["ask", "consent", "echo"], missing: [] });
    await vi.waitFor(() => expect(programsWith(mark)).toEqual([]), 10_000);
  });

  test.each([
    ["http://127.0.0.1:9/mcp", "no_answer"],
    ["/nowhere/at-all", "no_program"],
    ["false", "program_ended"],
  ])("one that cannot be reached is not saved: %s", async (typed, reason) => {
    expect(await add("echo", typed)).toMatchObject({ kind: "unreachable", failure: { reason } });
    expect(await bench.mcp.list(bench.db)).toEqual([]);
  });

  test("one that wants a key is saved, and ready once it has the right one", async () => {
    await using locked = await startMcpHttp({ bearer: "the-right-token" });
    expect(await add("echo", locked.url)).toMatchObject({ kind: "done" });
    expect(await server("echo")).toMatchObject({ state: "needs_secret" });
    await setKey("echo", null, "a-wrong-token");
    expect(await server("echo")).toMatchObject({ state: "needs_secret" });
    await setKey("echo", null, "the-right-token");
    expect(await server("echo")).toMatchObject({ state: "ready", missing: [] });
  });

  test("a key can go along in a header of another name", async () => {
    await using locked = await startMcpHttp({ headers: { "x-api-key": "in-a-header" } });
    await add("echo", `X-Api-Key= ${locked.url}`);
    expect(await server("echo")).toMatchObject({ state: "needs_secret", missing: ["X-Api-Key"] });
    await setKey("echo", "X-Api-Key", "in-a-header");
    expect(await server("echo")).toMatchObject({ state: "ready", missing: [] });
  });

  test("a program that does not start without its key is saved when the key was announced", async () => {
    await add("echo", `ECHO_KEY= ${stdio("ECHO_KEY")}`);
    expect(await server("echo")).toMatchObject({ state: "needs_secret", missing: ["ECHO_KEY"] });
    await setKey("echo", "ECHO_KEY", stdioKey);
    expect(await server("echo")).toMatchObject({ state: "ready" });
  });

  test("a key may come from Shipmate's own environment, by its name", async () => {
    await add("echo", `ECHO_KEY=env:ECHO_KEY ${stdio("ECHO_KEY")}`);
    expect(await server("echo")).toMatchObject({ state: "ready" });
    expect(await add("other", `ECHO_KEY=env:NOT_THERE ${stdio("ECHO_KEY")}`)).toMatchObject({
      kind: "unreachable",
      failure: { reason: "no_variable", detail: "NOT_THERE" },
    });
  });

  test("names are unique, also where they differ in a dash only, and there are 32 servers at most", async () => {
    await add("my-echo", open.url);
    expect(await add("my-echo", open.url)).toEqual({ kind: "name_taken" });
    expect(await add("my_echo", open.url)).toEqual({ kind: "name_taken" });
    const config = (await server("my-echo")).config;
    const rows = Array.from({ length: 31 }, (_, at) => ({
      id: crypto.randomUUID(),
      name: `s${at}`,
      config: JSON.stringify(config),
    }));
    await bench.db.insertInto("mcp_servers").values(rows).execute();
    expect(await add("last", open.url)).toEqual({ kind: "too_many" });
  });
});

describe("a change of a server", { timeout: 60_000 }, () => {
  async function change(name: string, typed: string): Promise<McpOutcome> {
    const { id, revision, teammateId } = await server(name);
    const read = readTyped(typed);
    if (read.kind === "problem") throw new Error(read.problem);
    const proposal = { name, teammateId, config: read.config };
    return ended((unit) =>
      bench.mcp.request(unit, {
        kind: "change",
        serverId: id,
        baseRevision: revision,
        proposal,
        secrets: read.secrets,
        personId: bench.adaId,
      }),
    );
  }

  test("keeps its keys where they go to the same place, and takes them away where they would go elsewhere", async () => {
    await using here = await startMcpHttp({ bearer: "the-token-of-here" });
    await using there = await startMcpHttp();
    await add("echo", `Authorization= ${here.url}`);
    await setKey("echo", null, "the-token-of-here");
    expect(await change("echo", `Authorization= ${here.url}`)).toMatchObject({ kind: "done", dropped: false });
    expect(await server("echo")).toMatchObject({ state: "ready" });
    expect(await change("echo", `Authorization= ${there.url}`)).toMatchObject({ kind: "done", dropped: true });
    expect(await server("echo")).toMatchObject({ missing: [null] });
    const setup = await bench.mcp.setupFor(bench.db, bench.milo.id);
    expect(JSON.stringify(setup.config)).not.toContain("the-token-of-here");
  });

  test("is not saved where the new place cannot be reached", async () => {
    await add("echo", open.url);
    expect(await change("echo", "http://127.0.0.1:9/mcp")).toMatchObject({ kind: "unreachable" });
    expect((await server("echo")).config).toMatchObject({ url: open.url });
  });

  test("gives way where somebody changed or removed the server meanwhile", async () => {
    await add("echo", open.url);
    const { id, revision, config } = await server("echo");
    await bench.unit((unit) => bench.mcp.setEnabled(unit, { personId: bench.adaId }, id, false));
    const stale = await ended((unit) =>
      bench.mcp.request(unit, {
        kind: "change",
        serverId: id,
        baseRevision: revision,
        proposal: { name: "echo", teammateId: null, config },
        personId: bench.adaId,
      }),
    );
    expect(stale).toEqual({ kind: "gone" });
  });
});

describe("what threads get", { timeout: 60_000 }, () => {
  test("a teammate's own servers and everybody's, without those that are switched off", async () => {
    const empty = await bench.mcp.setupFor(bench.db, bench.milo.id);
    expect(empty).toEqual({ config: {}, fingerprint: "" });
    await add("echo", open.url);
    await add("mine", open.url, bench.milo.id);
    const both = await bench.mcp.setupFor(bench.db, bench.milo.id);
    expect(Object.keys(both.config)).toEqual(expect.arrayContaining(["mcp_servers.echo", "mcp_servers.mine"]));
    const others = await bench.mcp.setupFor(bench.db, crypto.randomUUID());
    expect(Object.keys(others.config)).not.toContain("mcp_servers.mine");
    expect(others.fingerprint).not.toBe(both.fingerprint);
    const { id } = await server("echo");
    await bench.unit((unit) => bench.mcp.setEnabled(unit, { personId: bench.adaId }, id, false));
    const one = await bench.mcp.setupFor(bench.db, bench.milo.id);
    expect(Object.keys(one.config)).not.toContain("mcp_servers.echo");
    expect(new Set([empty.fingerprint, both.fingerprint, one.fingerprint]).size).toBe(3);
    expect(await bench.mcp.setupFor(bench.db, bench.milo.id)).toEqual(one);
  });

  test("a call of its tool works from a thread, and a key stands in no file of Codex's and no row of ours", async () => {
    const secret = "sesame-open-yourself";
    await using locked = await startMcpHttp({ bearer: secret });
    await add("echo", locked.url);
    await setKey("echo", null, secret);
    const { config } = await bench.mcp.setupFor(bench.db, bench.milo.id);
    const { scene } = bench;
    const { threadId } = await scene.threads.startThread(scene.settings({ config }));
    const recorder = makeRecorder();
    scene.connection.attach(threadId, recorder);
    scene.model.enqueue([call("mcp__echo", "echo", { text: "hello" })], [say("Done.")]);
    await scene.threads.startTurn({ threadId, input: [{ type: "text", text: "Go" }], clientUserMessageId: "go" });
    expect((await recorder.turnEnd()).status).toBe("completed");
    expect(locked.calls).toEqual([{ tool: "echo", args: { text: "hello" } }]);
    expect(filesWith(scene.home, "hello")).not.toEqual([]);
    expect(filesWith(scene.home, secret)).toEqual([]);
    expect(await bench.everything()).not.toContain(secret);
  });
});

function filesWith(folder: string, word: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(word));
}

test("what waited while nobody worked is carried out later, once", { timeout: 60_000 }, async () => {
  const read = readTyped(open.url);
  if (read.kind === "problem") throw new Error(read.problem);
  const id = crypto.randomUUID();
  const proposal = JSON.stringify({ name: "late", teammateId: null, config: read.config });
  const created_at = new Date(Date.now() - 120_000);
  await bench.db
    .insertInto("mcp_changes")
    .values({ id, kind: "add", status: "waiting", proposal, created_at })
    .execute();
  await Promise.all([bench.mcp.sweep(bench.db), bench.mcp.sweep(bench.db)]);
  await vi.waitFor(async () => expect(await server("late")).toMatchObject({ state: "ready" }), 20_000);
  expect(bench.news.filter((each) => each.change.id === id)).toHaveLength(1);
});

test("somebody signs in where a server wants it, and it works from then on", { timeout: 60_000 }, async () => {
  await using locked = await startMcpHttp({ signIn: true });
  const read = readTyped(locked.url);
  if (read.kind === "problem") throw new Error(read.problem);
  const told = { card: "here" };
  const proposal = { name: "calendar", teammateId: null, config: read.config };
  await ended((unit) => bench.mcp.request(unit, { kind: "add", proposal, told, personId: bench.adaId }));
  expect(await server("calendar")).toMatchObject({ state: "needs_sign_in" });
  const before = (await bench.mcp.setupFor(bench.db, bench.milo.id)).fingerprint;
  const url = bench.news.at(-1)?.signInUrl;
  // The browser follows what it is told, back to Codex.
  const page = await fetch(url ?? "");
  expect(page.status).toBe(200);
  await vi.waitFor(async () => expect(await server("calendar")).toMatchObject({ state: "ready" }), 20_000);
  expect((await bench.mcp.setupFor(bench.db, bench.milo.id)).fingerprint).not.toBe(before);
});

test("a browser on another machine brings the sign-in back by its address, and no other address is called", {
  timeout: 60_000,
}, async () => {
  await using locked = await startMcpHttp({ signIn: true });
  const read = readTyped(locked.url);
  if (read.kind === "problem") throw new Error(read.problem);
  const proposal = { name: "calendar", teammateId: null, config: read.config };
  await ended((unit) =>
    bench.mcp.request(unit, { kind: "add", proposal, told: { card: "here" }, personId: bench.adaId }),
  );
  const { id: serverId } = await server("calendar");
  const bring = (callback: string) =>
    ended((unit) =>
      bench.mcp.request(unit, {
        kind: "signed_in",
        serverId,
        secrets: { values: { callback } },
        personId: bench.adaId,
      }),
    );
  const before = open.requests.taken + open.requests.refused;
  expect(await bring(open.url)).toEqual({ kind: "sign_in_over" });
  expect(open.requests.taken + open.requests.refused).toBe(before);
  const back = (
    await fetch(bench.news.findLast((each) => each.signInUrl !== null)?.signInUrl ?? "", { redirect: "manual" })
  ).headers.get("location");
  expect(await bring(back ?? "")).toMatchObject({ kind: "done" });
  await vi.waitFor(async () => expect(await server("calendar")).toMatchObject({ state: "ready" }), 20_000);
});
