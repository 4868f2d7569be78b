import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startChats } from "./chats.ts";
import { median } from "./spread.ts";
import type { Bench } from "./world.ts";

export interface Starts {
  /** The first start in an empty folder, where the database is made. */
  readonly firstMs: number;
  /** The median of the ones after it. */
  readonly warmMs: number;
}

const command = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** The shipped command with the database that comes along and its own Codex, from its start to its word that it is ready. */
export async function measureStarts(bench: Bench): Promise<Starts> {
  await using chats = await startChats("telegram");
  const home = await mkdtemp(join(bench.folder, "start-"));
  const env = {
    ...Object.fromEntries(["PATH", "LANG", "USER"].map((name) => [name, process.env[name]])),
    HOME: home,
    SHIPMATE_HOME: home,
    PORT: "0",
    ...chats.env,
    // Nobody asks the model anything.
    OPENAI_API_KEY: "no-key",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
  };
  const firstMs = await start(home, env);
  const warm = [];
  for (let time = 0; time < (bench.quick ? 2 : 5); time += 1) warm.push(await start(home, env));
  return { firstMs, warmMs: median(warm) };
}

async function start(cwd: string, env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [command, "start"], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const gone = once(child, "exit");
  let output = "";
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      if (output.includes("Shipmate is ready")) resolve(performance.now() - startedAt);
    });
    void gone.then(() => reject(new Error(`it ended before it was ready:\n${output}`)));
  });
  try {
    return await ready;
  } finally {
    child.kill("SIGTERM");
    await gone;
  }
}
