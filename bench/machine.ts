import { cpus, loadavg, totalmem } from "node:os";
import { protocolVersion } from "../src/codex/index.ts";
import type { Cluster } from "./database.ts";

export interface Machine {
  readonly date: string;
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  /** Of the last minute: above the number of cores, others work here too. */
  readonly load: number;
  readonly node: string;
  readonly codex: string;
  readonly postgres: string;
}

export function describeMachine(cluster: Cluster): Machine {
  const all = cpus();
  return {
    date: new Date().toISOString(),
    cores: all.length,
    cpu: all[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    node: process.version,
    codex: protocolVersion,
    postgres: cluster.version,
  };
}
