import { type ChildProcess, spawn } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import { CodexError } from "./errors.ts";
import { signalGroup, stopGroup } from "./process.ts";
import type { OpenTransport, Transport } from "./transport.ts";

/** How to start an app-server. */
export interface Launch {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
}

/** A line over the standard streams of a child of our own: one JSON text per line. Ending it ends the child and its group. */
export function stdioTransport(launch: Launch, onLog: (line: string) => void = () => {}): OpenTransport {
  return (events, signal) =>
    new Promise((resolve, reject) => {
      const child = spawn(launch.command, launch.args, {
        cwd: launch.cwd,
        env: launch.env,
        stdio: ["pipe", "pipe", "pipe"],
        detached: true,
      });
      child.once("error", (cause) => {
        reject(new CodexError("unavailable", `Codex could not be started: ${cause.message}`, { cause }));
      });
      child.once("spawn", () => resolve(transportOf(child)));
      child.once("exit", () => {
        if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
      });
      child.once("close", (code, signalName) => {
        events.onClose(`The app-server ended (${signalName ?? code ?? "unknown"}).`);
      });
      // A write into a pipe whose reader died must not end our process; "close" tells the story.
      child.stdin.on("error", () => {});
      child.stdout.on("data", splitLines(events.onMessage));
      child.stderr.on("data", splitLines(onLog));
      signal.addEventListener("abort", () => void stopGroup(child), { once: true });
    });
}

function transportOf(child: ChildProcess): Transport {
  return {
    send: (message) => {
      child.stdin?.write(`${message}\n`);
    },
    close: async () => {
      child.stdin?.end();
      await stopGroup(child);
    },
  };
}

/** Splits at line feeds only. Node's readline also splits at U+2028 and U+2029, which JSON texts may contain as they are. */
export function splitLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];
  return (chunk) => {
    const pieces = decoder.write(chunk).split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      const line = [...parts, piece].join("").trimEnd();
      parts = [];
      if (line !== "") onLine(line);
    }
    parts.push(last);
  };
}
