import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  /** Stops the server and starts it again empty on the same port. */
  restart(): Promise<void>;
}

/** Whether a Redis can be started here. In CI a missing one is a failure, so that nobody skips half of a suite unseen. */
export function canStartRedis(): boolean {
  const found = spawnSync("redis-server", ["--version"]).status === 0;
  if (!found && process.env.CI !== undefined) throw new Error("redis-server is missing, and CI must test with it");
  return found;
}

/** A Redis of its own on a free port, in memory only. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let server = await start(port);
  const stop = async () => {
    const ended = once(server, "exit");
    server.kill();
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    restart: async () => {
      await stop();
      server = await start(port);
    },
    [Symbol.asyncDispose]: stop,
  };
}

async function start(port: number) {
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error("redis-server ended at once")));
    createInterface({ input: server.stdout }).on("line", (line) => {
      if (line.includes("Ready to accept connections")) resolve();
    });
  });
  return server;
}
