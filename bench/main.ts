import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, Option } from "commander";
import { startCluster } from "./database.ts";
import { type Latency, measureLatency } from "./latency.ts";
import { describeMachine } from "./machine.ts";
import { type Memory, measureMemory } from "./memory.ts";
import { type IdleRss, measureIdle, measurePlatforms, type PlatformTurns } from "./platforms.ts";
import { asJson, asText } from "./report.ts";
import { measureRequest, type RequestSize } from "./request-size.ts";
import { type DueRoutines, measureRoutines } from "./routines.ts";
import { measureStarts, type Starts } from "./start.ts";
import { measureThroughput, type Throughput } from "./throughput.ts";
import { type Bench, type CodexKind, startCodex } from "./world.ts";

const scenarios = ["latency", "platforms", "throughput", "memory", "start", "request", "routines"] as const;
const kinds: readonly CodexKind[] = ["stand-in", "real"];

interface Flags {
  readonly json?: true;
  readonly quick?: true;
  readonly long?: true;
  readonly only?: readonly (typeof scenarios)[number][];
  readonly codex?: readonly CodexKind[];
  readonly chats: readonly string[];
  readonly profile?: string;
}

const flags = new Command("bench")
  .description("Measures what Shipmate costs, beside a client that does nothing but ask Codex.")
  .option("--json", "machine-readable")
  .option("--quick", "about a minute, less exact")
  .option("--long", "10,000 turns for the memory")
  .addOption(new Option("--only <scenarios...>", "some scenarios").choices(scenarios))
  .addOption(new Option("--codex <kinds...>", "the stand-in app-server, the real one, or both").choices(kinds))
  .option("--chats <numbers...>", "how many chats ask at once", ["1", "20", "200"])
  .option("--profile <folder>", "have node write CPU profiles of the bot there")
  .parse()
  .opts<Flags>();

const scratch = fileURLToPath(new URL("../.shipmate-test/", import.meta.url));
await mkdir(scratch, { recursive: true });
const folder = await mkdtemp(`${scratch}bench-`);
try {
  await using cluster = await startCluster(join(folder, "cluster"));
  const bench: Bench = {
    folder,
    cluster,
    quick: flags.quick ?? false,
    long: flags.long ?? false,
    // The first is what `npm start` gives it.
    botFlags: [
      "--max-semi-space-size=8",
      ...(flags.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${flags.profile}`]),
    ],
  };
  const machine = describeMachine(cluster);
  const results = { machine, ...(await measure(bench)) };
  console.log(flags.json ? asJson(results) : asText(results));
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

async function measure(bench: Bench) {
  const wanted = new Set(flags.only ?? scenarios);
  const latency: Latency[] = [];
  const throughput: Throughput[] = [];
  const platforms: PlatformTurns[] = [];
  let idle: readonly IdleRss[] = [];
  let memory: Memory | undefined;
  let request: RequestSize | undefined;
  let dueRoutines: DueRoutines | undefined;
  const starts: Starts | undefined = wanted.has("start") ? await told("starts", measureStarts(bench)) : undefined;
  for (const kind of flags.codex ?? kinds) {
    await using codex = await startCodex(bench, kind);
    if (kind === "real" && wanted.has("request")) request = await told("a model request", measureRequest(bench, codex));
    if (wanted.has("latency")) latency.push(await told(`latency, ${kind}`, measureLatency(bench, codex)));
    if (wanted.has("platforms")) {
      platforms.push(...(await told(`platforms, ${kind}`, measurePlatforms(bench, codex))));
      if (kind === "stand-in") idle = await told("platforms at rest", measureIdle(bench, codex));
    }
    if (wanted.has("throughput")) {
      for (const chats of flags.chats.map(Number)) {
        // Two hundred chats on the real one take minutes.
        if (bench.quick && kind === "real" && chats > 20) continue;
        throughput.push(await told(`${chats} chats, ${kind}`, measureThroughput(bench, codex, chats)));
      }
    }
    if (kind === "stand-in" && wanted.has("routines")) {
      dueRoutines = await told("routines that are due at once", measureRoutines(bench, codex));
    }
    if (kind === "stand-in" && wanted.has("memory")) memory = await told("memory", measureMemory(bench, codex));
  }
  return { latency, platforms, idle, throughput, memory, starts, request, dueRoutines };
}

/** Says on standard error what is being measured: it takes minutes. */
function told<T>(what: string, work: Promise<T>): Promise<T> {
  process.stderr.write(`measuring ${what} …\n`);
  return work;
}
