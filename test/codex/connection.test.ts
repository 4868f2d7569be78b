import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type CodexConnection,
  type ConnectionOptions,
  createConnection,
  createThreads,
  type ThreadSettings,
  webSocketTransport,
} from "../../src/codex/index.ts";
import { createLog, silentLog } from "../../src/shared/index.ts";
import { type FakeAppServer, startFakeAppServer } from "../fakes/app-server/index.ts";
import { as, makeRecorder } from "./scene.ts";

const settings: ThreadSettings = { cwd: "/workspace", sandbox: "danger-full-access", approvalPolicy: "never" };
const approval = {
  kind: "command" as const,
  startedAtMs: 0,
  environmentId: "local",
  itemId: "item-1",
  command: "ls",
  cwd: "/workspace",
};

describe("the connection to app-server", () => {
  let server: FakeAppServer;
  const opened: CodexConnection[] = [];

  beforeEach(async () => {
    server = await startFakeAppServer({ token: "the-token" });
  });
  afterEach(async () => {
    for (const connection of opened.splice(0)) await connection.close();
    await server.close();
  });

  function connect(changes: Partial<ConnectionOptions> = {}): CodexConnection {
    const connection = createConnection({
      open: webSocketTransport(async () => ({ url: server.url, token: "the-token" })),
      version: "0.1.0",
      log: silentLog,
      reconnectMs: 1,
      overloadPauseMs: 1,
      ...changes,
    });
    opened.push(connection);
    return connection;
  }

  async function newThread(connection: CodexConnection) {
    const threads = createThreads(connection);
    const { threadId } = await threads.startThread(settings);
    const recorder = makeRecorder();
    connection.attach(threadId, recorder);
    const start = () =>
      threads.startTurn({ threadId, input: [{ type: "text", text: "Hello" }], clientUserMessageId: "m" });
    return { threads, threadId, recorder, start };
  }

  test("is not let in with a wrong token, and says so", async () => {
    const connection = connect({ open: webSocketTransport(async () => ({ url: server.url, token: "wrong" })) });
    await expect(connection.ready()).rejects.toMatchObject({ kind: "refused", code: 401 });
  });

  test("fails loudly when the handshake is refused, and gets in once it is not", async () => {
    server.refuseHandshake("no experimental API here");
    const connection = connect();
    await expect(connection.ready()).rejects.toMatchObject({
      kind: "refused",
      message: expect.stringContaining("no experimental API here"),
    });
    server.refuseHandshake(undefined);
    await vi.waitFor(() => expect(connection.state.status).toBe("ready"));
  });

  test("warns when Codex is of another version than the types were made from", async () => {
    const lines: string[] = [];
    const other = await startFakeAppServer({ version: "0.99.0" });
    const connection = connect({
      open: webSocketTransport(async () => ({ url: other.url, token: undefined })),
      log: createLog("warn", { write: (line: string) => void lines.push(line) }),
    });
    expect(await connection.ready()).toMatchObject({ version: "0.99.0" });
    expect(lines.join("")).toContain("Codex is 0.99.0, and Shipmate was made for 0.171.0.");
    await connection.close();
    await other.close();
  });

  test("keeps trying while nobody answers, and refuses requests meanwhile", async () => {
    let url = "ws://127.0.0.1:9";
    const connection = connect({ open: webSocketTransport(async () => ({ url, token: "the-token" })) });
    await vi.waitFor(() => expect(connection.state).toMatchObject({ why: expect.stringContaining("ECONNREFUSED") }));
    await expect(connection.request("model/list", {})).rejects.toMatchObject({ kind: "unavailable" });
    url = server.url;
    expect(await connection.ready()).toMatchObject({ version: "0.171.0" });
  });

  test("gives up on a reply after its time", async () => {
    const connection = connect();
    await connection.ready();
    server.ignore("thread/read");
    const late = connection.request("thread/read", { threadId: "t" }, { timeoutMs: 5 });
    await expect(late).rejects.toMatchObject({ name: "CodexError", kind: "timeout", method: "thread/read" });
    expect(connection.counts().inFlight).toBe(0);
  });

  test("tries an overloaded request again, five times at most", async () => {
    const connection = connect();
    await connection.ready();
    server.overload(3);
    await createThreads(connection).startThread(settings);
    expect(server.calls.get("thread/start")).toBe(4);
    server.overload(100);
    await expect(createThreads(connection).startThread(settings)).rejects.toMatchObject({ kind: "overloaded" });
    expect(server.calls.get("thread/start")).toBe(4 + 6);
  });

  test("keeps requests over the limit on its own side", async () => {
    const connection = connect({ maxInFlight: 3 });
    await connection.ready();
    server.ignore("thread/read");
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const all = Array.from({ length: 5 }, () => connection.request("thread/read", { threadId: "t" }, options));
    const settled = Promise.allSettled(all);
    expect(connection.counts()).toMatchObject({ inFlight: 3, waiting: 2 });
    await vi.waitFor(() => expect(server.calls.get("thread/read")).toBe(3));
    stop.abort();
    await settled;
    expect(server.calls.get("thread/read")).toBe(3);
    server.ignore(undefined);
    await createThreads(connection).startThread(settings);
    expect(connection.counts()).toMatchObject({ inFlight: 0, waiting: 0 });
  });

  test("rejects what was under way when the line drops, and connects again with a new epoch", async () => {
    const connection = connect();
    await connection.ready();
    const { threadId, recorder } = await newThread(connection);
    const { epoch } = connection;
    server.ignore("thread/read");
    const pending = connection.request("thread/read", { threadId });
    const outcome = expect(pending).rejects.toMatchObject({ kind: "disconnected" });
    await vi.waitFor(() => expect(server.calls.get("thread/read")).toBe(1));
    server.drop();
    await outcome;
    await vi.waitFor(() => expect(recorder.reconnects).toHaveLength(1));
    expect(recorder.disconnects).toBe(1);
    expect(connection.epoch).not.toBe(epoch);
    expect(connection.epoch).toBe(recorder.reconnects[0]);
    expect(connection.loadedThreads.size).toBe(0);
  });

  test("gets an open approval again under the same id after it joined the thread again", async () => {
    const connection = connect();
    await connection.ready();
    const { threads, threadId, recorder, start } = await newThread(connection);
    const decisions: unknown[] = [];
    server.use(async (turn) => {
      const params = { ...approval, threadId: turn.threadId, turnId: turn.turnId };
      decisions.push(await turn.ask("item/commandExecution/requestApproval", params));
    });
    const { turnId } = await start();
    const before = as(await recorder.request(0), "item/commandExecution/requestApproval");
    server.drop();
    await vi.waitFor(() => expect(recorder.reconnects).toHaveLength(1));
    expect(before.signal.aborted).toBe(true);
    expect(before.answer({ decision: "accept" })).toBe(false);
    expect(await threads.ensureLoaded(threadId, settings)).toMatchObject({ status: "rejoined", turnId });
    const again = as(await recorder.request(1), "item/commandExecution/requestApproval");
    expect(again.id).toBe(before.id);
    expect(again.epoch).not.toBe(before.epoch);
    expect(again.answer({ decision: "decline" })).toBe(true);
    expect(await recorder.turnEnd()).toMatchObject({ id: turnId, status: "completed" });
    expect(decisions).toEqual([{ decision: "decline" }]);
  });

  test("answers once, whoever answers", async () => {
    const connection = connect();
    await connection.ready();
    const { recorder, start } = await newThread(connection);
    server.use(async (turn) => {
      const params = { ...approval, threadId: turn.threadId, turnId: turn.turnId };
      await turn.ask("item/commandExecution/requestApproval", params);
    });
    await start();
    const request = as(await recorder.request(), "item/commandExecution/requestApproval");
    expect([request.answer({ decision: "accept" }), request.answer({ decision: "decline" })]).toEqual([true, false]);
    await recorder.turnEnd();
    expect(server.replies).toEqual([{ id: request.id, result: { decision: "accept" }, error: undefined }]);
  });

  test.each([
    ["item/commandExecution/requestApproval", { decision: "decline" }],
    ["item/fileChange/requestApproval", { decision: "decline" }],
    ["item/tool/call", { success: false, contentItems: [expect.anything()] }],
    ["mcpServer/elicitation/request", { action: "decline", content: null, _meta: null }],
    ["execCommandApproval", { decision: { denied: { rejection: expect.any(String) } } }],
    ["applyPatchApproval", { decision: { denied: { rejection: expect.any(String) } } }],
  ])("declines a stray %s in its own words", async (method, result) => {
    const connection = connect();
    await connection.ready();
    const id = server.ask(method, { threadId: "nobody", conversationId: "nobody" });
    await vi.waitFor(() => expect(server.replies).toEqual([{ id, result, error: undefined }]));
    expect(connection.counts()).toMatchObject({ strays: 1, openServerRequests: 0 });
  });

  test.each(["item/tool/requestUserInput", "item/permissions/requestApproval", "attestation/generate", "new/thing"])(
    "refuses a stray %s as unsupported",
    async (method) => {
      const connection = connect();
      await connection.ready();
      const id = server.ask(method, { threadId: "nobody" });
      await vi.waitFor(() => expect(server.replies).toHaveLength(1));
      expect(server.replies[0]).toMatchObject({ id, error: { code: -32601 } });
    },
  );

  test("refuses a request whose handler fails, and keeps going", async () => {
    const connection = connect();
    await connection.ready();
    const { threadId } = await createThreads(connection).startThread(settings);
    connection.attach(threadId, {
      onNotification: () => {},
      onRequest: () => {
        throw new Error("broken handler");
      },
    });
    server.ask("item/tool/call", { threadId });
    await vi.waitFor(() => expect(server.replies).toHaveLength(1));
    expect(server.replies[0]).toMatchObject({ error: { code: -32603 } });
    expect(connection.state.status).toBe("ready");
  });

  test("counts messages it cannot read, logs them without secrets, and reads on", async () => {
    const lines: string[] = [];
    const log = createLog("debug", { write: (line: string) => void lines.push(line) });
    const connection = connect({ log });
    await connection.ready();
    server.sendRaw('{"broken": "sk-abcdefghijklmnopqrstuvwx"');
    server.sendRaw("[1]");
    server.sendRaw('{"neither":1}');
    server.sendRaw('{"method":"brand/new","params":{}}');
    await vi.waitFor(() => expect(connection.counts()).toMatchObject({ malformed: 3, unknown: 1 }));
    expect(lines.join("")).toContain("cannot read");
    expect(lines.join("")).not.toContain("sk-abcdefghijklmnopqrstuvwx");
    await createThreads(connection).startThread(settings);
  });

  test("gives what belongs to no thread to the listeners", async () => {
    const connection = connect();
    await connection.ready();
    const seen: string[] = [];
    const stop = connection.onNotification(({ method }) => void seen.push(method));
    server.sendRaw('{"method":"account/updated","params":{"authMode":"apikey","planType":null}}');
    await vi.waitFor(() => expect(seen).toEqual(["account/updated"]));
    stop();
    server.sendRaw('{"method":"account/updated","params":{"authMode":null,"planType":null}}');
    await createThreads(connection).startThread(settings);
    expect(seen).toEqual(["account/updated"]);
  });

  test("forgets a thread that Codex unloaded", async () => {
    const connection = connect();
    await connection.ready();
    const { threads, threadId } = await newThread(connection);
    expect(await threads.ensureLoaded(threadId, settings)).toEqual({ status: "reused" });
    server.sendRaw(JSON.stringify({ method: "thread/closed", params: { threadId } }));
    await vi.waitFor(() => expect(connection.loadedThreads.has(threadId)).toBe(false));
    expect(await threads.ensureLoaded(threadId, settings)).toMatchObject({ status: "resumed" });
  });

  test("signs in again on every new line before anybody uses it", async () => {
    const signIns: string[] = [];
    const connection = connect({
      onConnected: async (request) => {
        await request("thread/turns/list", { threadId: "none" }).catch(() => {});
        signIns.push(connection.state.status);
      },
    });
    await connection.ready();
    server.drop();
    await vi.waitFor(() => expect(signIns).toHaveLength(2));
    expect(signIns).toEqual(["connecting", "connecting"]);
    await vi.waitFor(() => expect(connection.state.status).toBe("ready"));
  });

  test("takes one handler a thread", async () => {
    const connection = connect();
    const first = connection.attach("t", makeRecorder());
    expect(() => connection.attach("t", makeRecorder())).toThrow("already has a handler");
    first.detach();
    connection.attach("t", makeRecorder()).detach();
  });

  test("tells whoever waits when it is closed", async () => {
    server.ignore("initialize");
    const connection = connect();
    const waiting = expect(connection.ready()).rejects.toMatchObject({ kind: "unavailable" });
    await vi.waitFor(() => expect(server.calls.get("initialize")).toBe(1));
    await connection.close();
    await waiting;
    expect(connection.state).toEqual({ status: "closed" });
  });

  test("runs a whole turn of the stand-in in Codex's order", async () => {
    const connection = connect();
    await connection.ready();
    const { recorder, start } = await newThread(connection);
    const { turnId } = await start();
    expect(await recorder.turnEnd()).toMatchObject({ id: turnId, status: "completed" });
    expect(recorder.notifications.map(({ method }) => method)).toEqual([
      "thread/status/changed",
      "turn/started",
      "item/started",
      "item/completed",
      "item/started",
      "item/agentMessage/delta",
      "item/agentMessage/delta",
      "item/completed",
      "thread/tokenUsage/updated",
      "thread/status/changed",
      "turn/completed",
    ]);
  });
});
