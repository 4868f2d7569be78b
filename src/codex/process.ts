import type { ChildProcess } from "node:child_process";

export interface StopTimes {
  /** After the first signal: app-server then waits for running turns, without a limit of its own. */
  firstMs: number;
  /** After the second signal, which makes it leave at once. */
  secondMs: number;
}

const defaultTimes: StopTimes = { firstMs: 2000, secondMs: 1000 };

/**
 * Ends a child started with `detached`: TERM, wait, TERM, wait, KILL for its whole group. Whoever started the child
 * also sends that KILL when it ends by itself; afterwards its number may be somebody else's.
 */
export async function stopGroup(child: ChildProcess, times: StopTimes = defaultTimes): Promise<void> {
  const { pid } = child;
  if (pid === undefined || hasEnded(child)) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  if (!(await within(ended, times.firstMs))) {
    child.kill("SIGTERM");
    if (!(await within(ended, times.secondMs))) signalGroup(pid, "SIGKILL");
  }
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Sends a signal to a process group; a group that is gone is fine. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
