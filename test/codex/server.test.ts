import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type CodexServer,
  createConnection,
  createThreads,
  type ServerState,
  webSocketTransport,
} from "../../src/codex/index.ts";
import { launchMark } from "../../src/codex/launch.ts";
import { writeRecord } from "../../src/codex/reaper.ts";
import { silentLog } from "../../src/shared/index.ts";
import { type FakeModel, gate, say, shell, startFakeModel, waitFor } from "../fakes/model/index.ts";
import { makeRecorder, newHome, present, startableServer } from "./scene.ts";

const runsForEver = shell("echo $$ > pid.txt; exec sleep 600", { yieldMs: 250 });

describe("the app-server process", { timeout: 60_000 }, () => {
  let home: string;
  let model: FakeModel;
  const servers: CodexServer[] = [];
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    home = newHome();
    model = await startFakeModel();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    for (const server of servers.splice(0)) await server.stop();
    await model.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  function newServer(changes: Parameters<typeof startableServer>[2] = {}): CodexServer {
    const server = startableServer(home, model, changes);
    servers.push(server);
    return server;
  }

  /** Starts a turn that leaves a command running, and returns the command's process id. */
  async function runCommand(server: CodexServer) {
    const connection = createConnection({
      open: webSocketTransport((signal) => server.endpoint(signal)),
      version: "0.1.0",
      log: silentLog,
      reconnectMs: 20,
    });
    await connection.ready();
    const cwd = join(home, "workspace");
    mkdirSync(cwd, { recursive: true });
    const threads = createThreads(connection);
    const { threadId } = await threads.startThread({ cwd, sandbox: "danger-full-access", approvalPolicy: "never" });
    const recorder = makeRecorder();
    connection.attach(threadId, recorder);
    await threads.startTurn({ threadId, input: [{ type: "text", text: "Run" }], clientUserMessageId: "run" });
    return { connection, recorder, commandPid: await readPid(join(cwd, "pid.txt")) };
  }

  test("listens on loopback for whoever has the token", async () => {
    const server = newServer();
    await server.start();
    const { url, token } = await server.endpoint();
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    expect(statSync(join(home, "codex/app-server.token")).mode & 0o777).toBe(0o600);
    const stranger = createConnection({
      open: webSocketTransport(async () => ({ url, token: "guessed" })),
      version: "0.1.0",
      log: silentLog,
    });
    await expect(stranger.ready()).rejects.toMatchObject({ kind: "refused", code: 401 });
    await stranger.close();
    expect(token).toHaveLength(22);
  });

  test("gives agents neither the model's key nor our own secrets", async () => {
    const environment = { ...process.env, TELEGRAM_BOT_TOKEN: "123:bot-token", GIT_AUTHOR_NAME: "Milo" };
    const server = newServer({ environment });
    await server.start();
    model.enqueue([shell("env > env.txt; echo $$ > pid.txt")], [say("Done.")]);
    const { connection, recorder } = await runCommand(server);
    await recorder.turnEnd();
    const seen = readFileSync(join(home, "workspace/env.txt"), "utf8");
    expect(seen).toContain("GIT_AUTHOR_NAME=Milo");
    expect(seen).not.toContain("bot-token");
    expect(seen).not.toContain("offline-model-key");
    expect(model.requests[0]?.headers.authorization).toBe("Bearer offline-model-key");
    await connection.close();
  });

  test("starts again after it was killed, tells listeners, and ends the commands it left", async () => {
    const server = newServer();
    await server.start();
    const states: ServerState[] = [];
    server.onState((state) => void states.push(state));
    const door = gate();
    model.enqueue([runsForEver], [waitFor(door)]);
    const { connection, recorder, commandPid } = await runCommand(server);
    const killed = pidOf(server);
    expect(isAlive(commandPid)).toBe(true);
    process.kill(killed, "SIGKILL");
    await vi.waitFor(() => expect(recorder.reconnects).toHaveLength(1), 20_000);
    expect(states.map(({ status }) => status)).toEqual(["restarting", "ready"]);
    expect(states[0]).toMatchObject({ sentence: "Codex ended unexpectedly (SIGKILL)." });
    expect(pidOf(server)).not.toBe(killed);
    expect(isAlive(commandPid)).toBe(false);
    await connection.close();
  });

  test("stops in the middle of a turn and leaves no process behind", async () => {
    const server = newServer();
    await server.start();
    const door = gate();
    model.enqueue([runsForEver], [waitFor(door)]);
    const { connection, commandPid } = await runCommand(server);
    await door.reached;
    const pid = pidOf(server);
    await server.stop();
    expect(server.state).toEqual({ status: "stopped" });
    expect(isAlive(pid)).toBe(false);
    expect(groupIsAlive(pid)).toBe(false);
    expect(isAlive(commandPid)).toBe(false);
    expect(existsSync(join(home, "codex/app-server.json"))).toBe(false);
    await expect(server.endpoint()).rejects.toMatchObject({ kind: "unavailable" });
    await connection.close();
  });

  test("can be started again after it was stopped", async () => {
    const server = newServer();
    await server.start();
    await server.stop();
    await server.start();
    expect(server.state.status).toBe("ready");
  });

  test("dies with its Shipmate, together with the commands it ran", async () => {
    model.enqueue([runsForEver], [waitFor(gate())]);
    const { owner, serverPid } = await startOwner();
    const commandPid = await readPid(join(home, "workspace/pid.txt"));
    expect([isAlive(serverPid), isAlive(commandPid)]).toEqual([true, true]);
    await kill(owner);
    await vi.waitFor(() => expect([isAlive(serverPid), isAlive(commandPid)]).toEqual([false, false]), 20_000);
    await newServer().start();
  });

  test("ends what a predecessor left in this folder after all", async () => {
    const codexHome = join(home, "codex");
    mkdirSync(codexHome, { recursive: true });
    const leftServer = startProcess({});
    const leftCommand = startProcess(marked(codexHome));
    const stranger = startProcess(marked(join(home, "elsewhere")));
    writeRecord(join(codexHome, "app-server.json"), leftServer);
    await newServer().start();
    expect([leftServer, leftCommand, stranger].map(isAlive)).toEqual([false, false, true]);
  });

  test("leaves a Shipmate that still runs in this folder alone", async () => {
    model.use(() => [say("Fine.")]);
    const { owner, serverPid } = await startOwner();
    const server = newServer();
    await expect(server.start()).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(`process ${owner.pid}`),
    });
    expect(isAlive(serverPid)).toBe(true);
    await kill(owner);
    await server.start();
  });

  test("does not touch a process that only has the number of a predecessor", async () => {
    const bystander = startProcess({});
    mkdirSync(join(home, "codex"), { recursive: true });
    const gone = { pid: bystander, born: "another boot/1" };
    writeFileSync(join(home, "codex/app-server.json"), JSON.stringify({ owner: gone, server: gone }));
    await newServer().start();
    expect(isAlive(bystander)).toBe(true);
  });

  test("says what to do when there is no Codex program", async () => {
    const server = newServer({ binary: join(home, "no-such-codex") });
    await expect(server.start()).rejects.toMatchObject({
      name: "CodexError",
      kind: "unavailable",
      message: expect.stringContaining("There is no Codex program at"),
    });
    expect(server.state).toEqual({ status: "stopped" });
  });

  test("says what Codex said when it cannot start", async () => {
    const server = newServer({ config: { model_provider: "nobody" } });
    const refused = expect(server.start()).rejects;
    await refused.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/Codex ended at once.*nobody/s),
    });
    expect(existsSync(join(home, "codex/app-server.json"))).toBe(false);
  });

  test("reports failure while it keeps dying, and keeps trying", async () => {
    const broken = join(home, "broken");
    const program = join(home, "codex.sh");
    // Says that it listens and dies, once the file is there; before, it is a server that waits.
    const script = `#!/bin/sh\necho "listening on: ws://127.0.0.1:9"\n[ -e "${broken}" ] && exit 3\nexec sleep 600\n`;
    writeFileSync(program, script);
    chmodSync(program, 0o755);
    const server = newServer({ binary: program, restartMs: 1 });
    await server.start();
    const states: ServerState[] = [];
    server.onState((state) => void states.push(state));
    writeFileSync(broken, "");
    process.kill(pidOf(server), "SIGKILL");
    await vi.waitFor(() => expect(states.at(-1)).toMatchObject({ status: "failed" }), 20_000);
    expect(states.filter(({ status }) => status === "restarting")).toHaveLength(5);
    await expect(server.endpoint()).rejects.toMatchObject({ message: "Codex ended unexpectedly (exit code 3)." });
    rmSync(broken);
    const { url } = await vi.waitFor(() => server.endpoint(), 20_000);
    expect(url).toBe("ws://127.0.0.1:9");
  });

  function startProcess(env: NodeJS.ProcessEnv): number {
    const child = startIdle(env);
    children.push(child);
    return present(child.pid, "a process");
  }

  async function startOwner(): Promise<{ owner: ChildProcess; serverPid: number }> {
    const script = fileURLToPath(new URL("./owner.ts", import.meta.url));
    const owner = spawn(process.execPath, [script, home, model.url], { stdio: ["ignore", "pipe", "ignore"] });
    children.push(owner);
    const [line] = await once(owner.stdout, "data");
    return { owner, serverPid: Number(String(line)) };
  }
});

function marked(codexHome: string): NodeJS.ProcessEnv {
  const [name = "", value] = launchMark(codexHome, "earlier").split("=");
  return { [name]: value };
}

/** A process that does nothing, in a group of its own. */
function startIdle(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn("sleep", ["600"], { detached: true, stdio: "ignore", env: { PATH: process.env.PATH, ...env } });
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

function pidOf(server: CodexServer): number {
  if (server.state.status !== "ready") throw new Error(`The server is ${server.state.status}.`);
  return server.state.pid;
}

function readPid(path: string): Promise<number> {
  return vi.waitFor(() => {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    if (Number.isNaN(pid)) throw new Error("no process id yet");
    return pid;
  }, 20_000);
}

/** A zombie is as good as gone: in a container nobody may collect it. */
function isAlive(pid: number): boolean {
  if (!answers(pid)) return false;
  if (process.platform !== "linux") return true;
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

function groupIsAlive(pid: number): boolean {
  return answers(-pid);
}

function answers(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
