import { setTimeout as sleep } from "node:timers/promises";
import { type Platform, platforms } from "./chats.ts";
import { askOneByOne, type OneByOne } from "./latency.ts";
import { askAll } from "./throughput.ts";
import { type Bench, type Codex, startWorld, type WorldOptions } from "./world.ts";

export interface PlatformTurns extends OneByOne {
  readonly platform: Platform;
  readonly codex: Codex["kind"];
  /** CPU of the bot a turn while twenty ask at once; undefined on the real app-server. */
  readonly botCpuMs: number | undefined;
}

export interface IdleRss {
  readonly platforms: readonly Platform[];
  readonly rssMb: number;
}

/** So many that a chat's turn comes again after the second that every platform asks for. */
const people = 30;
const crowd = 20;
const restMs = 2_000;

/** The same private chats on each platform: what one message costs, alone and among others. */
export async function measurePlatforms(bench: Bench, codex: Codex): Promise<readonly PlatformTurns[]> {
  const { timed: endpoint } = codex.endpoints;
  const all: PlatformTurns[] = [];
  for (const platform of platforms) {
    const botCpuMs = codex.kind === "stand-in" ? await measureCpu(bench, codex, platform) : undefined;
    await using world = await startWorld(bench, { endpoint, people, unpaced: false, platforms: [platform] });
    const turns = await askOneByOne(world, codex, bench.quick ? 2 : 6);
    all.push({ platform, codex: codex.kind, ...turns, botCpuMs });
  }
  return all;
}

/**
 * Without our own pace. What discord.js asks for stays (fifty requests a second): ten turns a second are all that Discord
 * allows, so that less work is shared between turns than on the others.
 */
async function measureCpu(bench: Bench, codex: Codex, platform: Platform): Promise<number> {
  const { direct: endpoint } = codex.endpoints;
  await using world = await startWorld(bench, { endpoint, people: crowd, unpaced: true, platforms: [platform] });
  await askAll(world, 5, Number.POSITIVE_INFINITY);
  await sleep(restMs);
  const before = await world.meters();
  const { answers } = await askAll(world, bench.quick ? 8 : 20, Number.POSITIVE_INFINITY);
  const after = await world.meters();
  return (after.cpuMs - before.cpuMs) / answers.length;
}

/** Bots that were started, met their owner and rest: one a platform, and one that is connected to all of them. */
export async function measureIdle(bench: Bench, codex: Codex): Promise<readonly IdleRss[]> {
  const sets: readonly NonNullable<WorldOptions["platforms"]>[] = [["telegram"], ["discord"], ["slack"], platforms];
  const all: IdleRss[] = [];
  for (const connected of sets) {
    // The first one may find code that was not compiled yet, and node then brings its compiler along.
    await rssAtRest(bench, codex, connected);
    all.push({ platforms: connected, rssMb: await rssAtRest(bench, codex, connected) });
  }
  return all;
}

async function rssAtRest(bench: Bench, codex: Codex, connected: WorldOptions["platforms"]): Promise<number> {
  const { direct: endpoint } = codex.endpoints;
  await using world = await startWorld(bench, { endpoint, people: 0, unpaced: false, platforms: connected });
  await sleep(restMs);
  return (await world.meters()).rssMb;
}
