import { startChild } from "./child.ts";
import { cpuOf } from "./database.ts";
import { median, type Spread, spread } from "./spread.ts";
import { question } from "./words.ts";
import { type Bench, type Codex, startWorld, type World } from "./world.ts";

export interface Throughput {
  readonly codex: Codex["kind"];
  readonly chats: number;
  readonly turns: number;
  readonly turnsPerSecond: number;
  readonly answerMs: Spread;
  /** CPU a turn: of the bot's process, of all of PostgreSQL, and of app-server where it is the real one. */
  readonly botCpuMs: number;
  readonly postgresCpuMs: number | undefined;
  readonly codexCpuMs: number | undefined;
  readonly loopDelayP99Ms: number;
  /** What a client of the same app-server without a bot reached right before and after. */
  readonly bareTurnsPerSecond: number;
}

/** Everybody asks, waits for the answer, and asks again. The bare client does the same on the same app-server, before and after. */
export async function measureThroughput(bench: Bench, codex: Codex, chats: number): Promise<Throughput> {
  const ms = bench.quick ? 4_000 : 10_000;
  const before = await bareTurns(codex, chats, ms);
  const bot = await botTurns(bench, codex, chats, ms);
  const after = await bareTurns(codex, chats, ms);
  return { ...bot, bareTurnsPerSecond: median([before, after].toSorted((a, b) => a - b)) };
}

async function bareTurns({ endpoints: { direct } }: Codex, chats: number, ms: number): Promise<number> {
  const env = { CODEX_URL: direct.url, CODEX_TOKEN: direct.token ?? "" };
  await using bare = await startChild("bare", { env });
  return await bare.call<number>("turns", { chats, ms });
}

async function botTurns(bench: Bench, codex: Codex, chats: number, ms: number) {
  await using world = await startWorld(bench, { endpoint: codex.endpoints.direct, people: chats, unpaced: true });
  // The first turn of each makes its conversation and thread.
  await askAll(world, 1, Number.POSITIVE_INFINITY);
  await askAll(world, Math.ceil(200 / chats), Number.POSITIVE_INFINITY);
  await world.meters();
  const pid = codex.endpoints.pid;
  const cpu = () => ({ postgres: bench.cluster.cpuMs(), codex: pid === undefined ? undefined : cpuOf(pid) });
  const [meters, cpuBefore] = [await world.meters(), cpu()];
  const { answers, tookMs } = await askAll(world, Number.POSITIVE_INFINITY, ms);
  const [after, cpuAfter] = [await world.meters(), cpu()];
  const turns = answers.length;
  return {
    codex: codex.kind,
    chats,
    turns,
    turnsPerSecond: turns / (tookMs / 1000),
    answerMs: spread(answers),
    botCpuMs: (after.cpuMs - meters.cpuMs) / turns,
    postgresCpuMs: each(cpuBefore.postgres, cpuAfter.postgres, turns),
    codexCpuMs: each(cpuBefore.codex, cpuAfter.codex, turns),
    loopDelayP99Ms: after.loopDelayP99Ms,
  };
}

function each(before: number | undefined, after: number | undefined, turns: number): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) / turns;
}

/** Everybody asks so often, or until the time is over. */
export async function askAll(
  world: World,
  times: number,
  ms: number,
): Promise<{ readonly answers: readonly number[]; readonly tookMs: number }> {
  const startedAt = performance.now();
  const answers: number[] = [];
  await Promise.all(
    world.people.map(async (person) => {
      for (let time = 0; time < times && performance.now() - startedAt < ms; time += 1) {
        answers.push((await world.chats.ask(person, question)).answerMs);
      }
    }),
  );
  return { answers, tookMs: performance.now() - startedAt };
}
