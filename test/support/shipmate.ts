import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The shipped command as a process of its own, driven from outside. */
export interface ShipmateProcess extends AsyncDisposable {
  readonly pid: number;
  /** Everything it wrote so far, standard output and error together. */
  output(): string;
  /** Resolves when the output matches; fails with the output when the process ends first. */
  says(pattern: RegExp, timeoutMs?: number): Promise<void>;
  /** Sends a signal and waits for the end. Resolves with the exit code, or null when a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

export interface ShipmateOptions {
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly arguments?: readonly string[];
  /** Another checkout than this one. */
  readonly checkout?: string;
  /** Working directory: where `.env` is looked for. The home folder when absent, so that no `.env` of the checkout joins in. */
  readonly cwd?: string;
}

const inherited = ["PATH", "LANG", "TMPDIR", "USER"];

export function startShipmate(options: ShipmateOptions): ShipmateProcess {
  const base = Object.fromEntries(inherited.flatMap((name) => [[name, process.env[name]]]));
  const child = spawn(
    process.execPath,
    [`${options.checkout ?? root}/src/main.ts`, ...(options.arguments ?? ["start"])],
    {
      cwd: options.cwd ?? options.home,
      // Codex runs commands in a login shell; whatever the developer's own profile does has no place in a test.
      env: { ...base, HOME: options.home, SHIPMATE_HOME: options.home, PORT: "0", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error("the process did not start");
  return { pid, ...watch(child) };
}

function watch(child: ChildProcess): Omit<ShipmateProcess, "pid"> {
  let text = "";
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (text += String(chunk)));
  const exited = once(child, "exit").then(([code]) => {
    ended = true;
    return typeof code === "number" ? code : null;
  });
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (!ended) child.kill(signal);
    return exited;
  }
  return {
    output: () => text,
    exited,
    end,
    async says(pattern, timeoutMs = 30_000) {
      // Not expect.poll: this is also used in hooks.
      await vi.waitFor(
        () => {
          if (!ended && !pattern.test(text)) throw new Error(`it has not said ${pattern} yet:\n${text}`);
        },
        { timeout: timeoutMs, interval: 20 },
      );
      if (!pattern.test(text)) throw new Error(`it ended without saying ${pattern}:\n${text}`);
    },
    async [Symbol.asyncDispose]() {
      await end("SIGKILL");
    },
  };
}
