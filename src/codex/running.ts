import { type ChildProcess, spawn } from "node:child_process";
import { CodexError } from "./errors.ts";
import { guardGroup } from "./guard.ts";
import { signalGroup, stopGroup } from "./process.ts";
import { type Launch, splitLines } from "./stdio.ts";

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** Resolves when the process is gone, with what it died of. Its group is gone then, too. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readyMs: number;
  /** What stands in the environment of everything that comes from this start, and of nothing else. */
  mark: string;
  onStarted(pid: number): void;
  onFailed(): void;
  onLine(line: string): void;
  signal: AbortSignal;
}

/** Starts app-server and waits until it says where it listens. Rejects with what it said last when it ends before. */
export async function startServer(launch: Launch, options: StartOptions): Promise<RunningServer> {
  const child = spawn(launch.command, launch.args, {
    cwd: launch.cwd,
    env: launch.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = untilEnded(child);
  const { pid } = child;
  if (pid === undefined) throw new CodexError("unavailable", `Codex could not be started: ${await ended}.`);
  options.onStarted(pid);
  const callOff = guardGroup(pid, options.mark);
  void ended.then(callOff);
  try {
    const url = await untilListening(child, ended, options);
    return { url, pid, ended, stop: () => stopGroup(child) };
  } catch (error) {
    await stopGroup(child);
    options.onFailed();
    throw error;
  }
}

function untilEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => {
      if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
      resolve(signal ?? `exit code ${code}`);
    });
  });
}

function untilListening(child: ChildProcess, ended: Promise<string>, options: StartOptions): Promise<string> {
  let lastLine = "";
  return new Promise<string>((resolve, reject) => {
    const onLine = (line: string) => {
      lastLine = line;
      options.onLine(line);
      const url = /listening on: (ws:\/\/\S+)/.exec(line)?.[1];
      if (url !== undefined) finish(() => resolve(url));
    };
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", onAbort);
      settle();
    };
    const fail = (why: string) => finish(() => reject(new CodexError("unavailable", why)));
    const onAbort = () => fail("Codex was stopped before it was ready.");
    const timer = setTimeout(() => fail(`Codex did not get ready within ${options.readyMs} ms.`), options.readyMs);
    options.signal.addEventListener("abort", onAbort, { once: true });
    child.stdout?.on("data", splitLines(onLine));
    child.stderr?.on("data", splitLines(onLine));
    void ended.then((reason) => fail(`Codex ended at once (${reason}): ${lastLine}`));
  });
}
