/** The bot under test, in a process of its own: the shipped code by the shipped settings, and somebody who looks at its meters. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { ConnectionSpec } from "../src/app/index.ts";
import { startApp } from "../src/app/index.ts";
import { loadConfig } from "../src/config.ts";
import { configuredConnections } from "../src/connections.ts";
import { createLog } from "../src/shared/index.ts";
import { answerCommands } from "./child.ts";

export interface BotMeters {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** What is in use; without garbage where node was started with `--expose-gc`. */
  readonly heapMb: number;
  /** Of the time since the last look. */
  readonly loopDelayP99Ms: number;
}

const resolutionMs = 10;

/** Telegram takes about thirty messages a second from one bot: the pace that keeps to it would be all that a bench of throughput measures. */
function unpaced(spec: ConnectionSpec): ConnectionSpec {
  return {
    ...spec,
    create: async (deps) => {
      const adapter = await spec.create(deps);
      const none = { dm: 0, group: 0, channel: 0, forum: 0 };
      return {
        ...adapter,
        capabilities: { ...adapter.capabilities, postIntervalMs: none, connectionIntervalMs: 0 },
      };
    },
  };
}

const config = loadConfig(process.env, process.cwd());
const log = createLog(config.logLevel);
const connections = configuredConnections(config, log);
const app = await startApp({
  config,
  version: "0.0.0",
  connections: process.env.BENCH_UNPACED === "yes" ? connections.map(unpaced) : connections,
  log,
  say: () => {},
});
if (app.problems.length > 0) throw new Error(app.problems.join(" "));
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();

answerCommands({
  meters(): BotMeters {
    const { user, system } = process.cpuUsage();
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    const p99 = delay.percentile(99) / 1e6 - resolutionMs;
    delay.reset();
    return {
      cpuMs: (user + system) / 1000,
      rssMb: rss / 1024 ** 2,
      heapMb: heapUsed / 1024 ** 2,
      loopDelayP99Ms: Math.max(0, p99),
    };
  },
  async end() {
    await app.stop(5_000);
  },
});
