import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { Client } from "pg";
import { silentLog } from "../src/shared/index.ts";
import { openDatabase } from "../src/storage/postgres.ts";

/** The PostgreSQL that comes along, as it is shipped: what a bench of an unsafe one would say helps nobody. */
export interface Cluster extends AsyncDisposable {
  readonly version: string;
  /** A database nobody has used yet. */
  create(): Promise<string>;
  /** Milliseconds of CPU that all its processes took so far; undefined where the system does not tell. */
  cpuMs(): number | undefined;
}

export async function startCluster(home: string, settings?: Readonly<Record<string, string>>): Promise<Cluster> {
  const database = await openDatabase({ home, log: silentLog, settings });
  const admin = new URL(database.url);
  admin.pathname = "/postgres";
  const [row] = await query(admin.href, "show server_version");
  return {
    version: String(row?.server_version),
    async create() {
      const url = new URL(database.url);
      url.pathname = `/bench_${randomBytes(4).toString("hex")}`;
      await query(admin.href, `create database ${url.pathname.slice(1)}`);
      return url.href;
    },
    cpuMs: () => cpuOfDescendants("postgres"),
    [Symbol.asyncDispose]: database.close,
  };
}

export async function query(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Linux counts CPU in hundredths of a second, whatever the kernel's own clock. */
const tickMs = 10;

interface Process {
  readonly parent: number;
  readonly name: string;
  readonly ticks: number;
}

/** The CPU of every process of that name that we started, directly or not, with their children that ended. */
function cpuOfDescendants(name: string): number | undefined {
  const all = readProcesses();
  if (all === undefined) return undefined;
  const isOurs = (pid: number): boolean => {
    const parent = all.get(pid)?.parent ?? 0;
    return parent === process.pid || (parent > 1 && isOurs(parent));
  };
  let ticks = 0;
  for (const [pid, each] of all) if (each.name === name && isOurs(pid)) ticks += each.ticks;
  return ticks * tickMs;
}

/** CPU of one process that we did not start in node, such as app-server. */
export function cpuOf(pid: number): number | undefined {
  const ticks = readProcess(pid)?.ticks;
  return ticks === undefined ? undefined : ticks * tickMs;
}

function readProcesses(): Map<number, Process> | undefined {
  try {
    const pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
    return new Map(
      pids.flatMap((entry) => {
        const found = readProcess(Number(entry));
        return found === undefined ? [] : [[Number(entry), found] as const];
      }),
    );
  } catch {
    return undefined;
  }
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    // From the third field on; user, system, and both of ended children are fields 14 to 17.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0);
    return { parent: Number(fields[1]), name, ticks };
  } catch {
    return undefined; // It ended meanwhile.
  }
}
