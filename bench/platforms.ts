import { setTimeout as sleep } from "node:timers/promises";
import { type Platform, platforms } from "./chats.ts";
import { askOneByOne, type OneByOne } from "./latency.ts";
import { askAll } from "./throughput.ts";
import { type Bench, type Codex, startWorld, type WorldOptions } from "./world.ts";

export interface PlatformTurns extends OneByOne {
  readonly platform: Platform;
  readonly codex: Codex["kind"];
  /** CPU of the bot a turn, while everybody asks at the platform's own pace. */
  readonly botCpuMs: number;
}

export interface IdleRss {
  readonly platforms: readonly Platform[];
  readonly rssMb: number;
}

/** So many that a chat's turn comes again after the second that every platform asks for. */
const people = 30;
const restMs = 2_000;

/** The same private chats on each platform: what one message costs, alone and among others. */
export async function measurePlatforms(bench: Bench, codex: Codex): Promise<readonly PlatformTurns[]> {
  const all: PlatformTurns[] = [];
  for (const platform of platforms) {
    const { timed } = codex.endpoints;
    await using world = await startWorld(bench, { endpoint: timed, people, unpaced: false, platforms: [platform] });
    const turns = await askOneByOne(world, codex, bench.quick ? 3 : 6);
    const before = await world.meters();
    const { answers } = await askAll(world, bench.quick ? 3 : 8, Number.POSITIVE_INFINITY);
    // What follows an answer is part of its turn.
    await sleep(restMs);
    const botCpuMs = ((await world.meters()).cpuMs - before.cpuMs) / answers.length;
    all.push({ platform, codex: codex.kind, ...turns, botCpuMs });
  }
  return all;
}

/** Bots that were started, met their owner and rest: one a platform, and one that is connected to all of them. */
export async function measureIdle(bench: Bench, codex: Codex): Promise<readonly IdleRss[]> {
  const looking = { ...bench, botFlags: [...bench.botFlags, "--expose-gc"] };
  const sets: readonly NonNullable<WorldOptions["platforms"]>[] = [["telegram"], ["discord"], ["slack"], platforms];
  const all: IdleRss[] = [];
  for (const connected of sets) {
    const { direct } = codex.endpoints;
    await using world = await startWorld(looking, {
      endpoint: direct,
      people: 0,
      unpaced: false,
      platforms: connected,
    });
    await sleep(restMs);
    all.push({ platforms: connected, rssMb: (await world.meters()).rssMb });
  }
  return all;
}
