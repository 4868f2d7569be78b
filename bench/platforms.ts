import { setTimeout as sleep } from "node:timers/promises";
import { type Platform, platforms } from "./chats.ts";
import { askOneByOne, type OneByOne, people } from "./latency.ts";
import { median } from "./spread.ts";
import { askAll } from "./throughput.ts";
import { type Bench, type Codex, startWorld, type World, type WorldOptions } from "./world.ts";

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

const crowd = 20;
const restMs = 2_000;

/** The same private chats on each platform, with a bot of its own each: what one message costs, alone and among others. */
export async function measurePlatforms(bench: Bench, codex: Codex): Promise<readonly PlatformTurns[]> {
  const cpu = codex.kind === "stand-in" ? await measureCpu(bench, codex) : undefined;
  await using stack = new AsyncDisposableStack();
  const { timed: endpoint } = codex.endpoints;
  const worlds = await startWorlds(stack, bench, { endpoint, people, unpaced: false });
  const all = await askOneByOne(worlds, codex, bench.quick ? 2 : 6);
  return worlds.flatMap(({ chats: { platform } }, index) => {
    const turns = all[index];
    return turns === undefined ? [] : [{ platform, codex: codex.kind, ...turns, botCpuMs: cpu?.get(platform) }];
  });
}

/**
 * Without our own pace. What discord.js asks for stays (fifty requests a second): ten turns a second are all that Discord
 * allows, so that less work is shared between turns than on the others.
 */
async function measureCpu(bench: Bench, codex: Codex): Promise<ReadonlyMap<Platform, number>> {
  await using stack = new AsyncDisposableStack();
  const { direct: endpoint } = codex.endpoints;
  const worlds = await startWorlds(stack, bench, { endpoint, people: crowd, unpaced: true });
  for (const world of worlds) await askAll(world, 5, Number.POSITIVE_INFINITY);
  const rounds = new Map<Platform, number[]>(platforms.map((platform) => [platform, []]));
  for (let round = 0; round < (bench.quick ? 2 : 5); round += 1) {
    for (const world of worlds) {
      const before = await world.meters();
      const { answers } = await askAll(world, 5, Number.POSITIVE_INFINITY);
      const after = await world.meters();
      rounds.get(world.chats.platform)?.push((after.cpuMs - before.cpuMs) / answers.length);
    }
  }
  return new Map([...rounds].map(([platform, each]) => [platform, median(each)]));
}

async function startWorlds(
  stack: AsyncDisposableStack,
  bench: Bench,
  options: Omit<WorldOptions, "platforms">,
): Promise<readonly World[]> {
  const worlds = [];
  for (const platform of platforms) {
    worlds.push(stack.use(await startWorld(bench, { ...options, platforms: [platform] })));
  }
  return worlds;
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
