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
  /** CPU a turn: of the bot's process, of all of PostgreSQL, and of app-server where it is the real one; else not a number. */
  readonly botCpuMs: number;
  readonly postgresCpuMs: number;
  readonly codexCpuMs: number;
  readonly loopDelayP99Ms: number;
  /** What a client of the same app-server without a bot reached, and the median of the rounds' ratios. */
  readonly bareTurnsPerSecond: number;
  readonly ratio: number;
}

/**
 * Everybody asks, waits for the answer, and asks again; in turns with a bare client that does the same on the same
 * app-server, so that whatever else this machine does slows down both.
 */
export async function measureThroughput(bench: Bench, codex: Codex, chats: number): Promise<Throughput> {
  const { direct, pid } = codex.endpoints;
  await using bare = await startChild("bare", { env: { CODEX_URL: direct.url, CODEX_TOKEN: direct.token ?? "" } });
  await using world = await startWorld(bench, { endpoint: direct, people: chats, unpaced: true });
  await bare.call("prepare", chats);
  // The first turn of each makes its conversation and thread, and the first two hundred are compiled on the way.
  await askAll(world, codex.kind === "real" ? 2 : 1 + Math.ceil(200 / chats), Number.POSITIVE_INFINITY);
  const rounds: Round[] = [];
  const ms = roundMs(bench, codex, chats);
  for (let round = 0; round < (bench.quick ? 2 : 3); round += 1) {
    const bareTurnsPerSecond = await bare.call<number>("turns", ms);
    rounds.push({ bareTurnsPerSecond, ...(await measureRound(bench, world, pid, ms)) });
  }
  const of = (pick: (round: Round) => number | undefined) =>
    median(rounds.map(pick).filter((value) => value !== undefined));
  return {
    codex: codex.kind,
    chats,
    turns: rounds.reduce((sum, round) => sum + round.answers.length, 0),
    turnsPerSecond: of((round) => round.turnsPerSecond),
    bareTurnsPerSecond: of((round) => round.bareTurnsPerSecond),
    ratio: of((round) => round.turnsPerSecond / round.bareTurnsPerSecond),
    answerMs: spread(rounds.flatMap((round) => round.answers)),
    botCpuMs: of((round) => round.botCpuMs),
    postgresCpuMs: of((round) => round.postgresCpuMs),
    codexCpuMs: of((round) => round.codexCpuMs),
    loopDelayP99Ms: of((round) => round.loopDelayP99Ms),
  };
}

interface Round {
  readonly answers: readonly number[];
  readonly turnsPerSecond: number;
  readonly bareTurnsPerSecond: number;
  readonly botCpuMs: number;
  readonly postgresCpuMs: number | undefined;
  readonly codexCpuMs: number | undefined;
  readonly loopDelayP99Ms: number;
}

/** Long enough for everybody to ask a few times: the real app-server makes some twenty turns a second, however many wait. */
function roundMs(bench: Bench, codex: Codex, chats: number): number {
  const usual = bench.quick ? 3_000 : 8_000;
  return codex.kind === "real" ? Math.max(usual, chats * 100) : usual;
}

async function measureRound(bench: Bench, world: World, codexPid: number | undefined, ms: number) {
  const cpu = () => ({ postgres: bench.cluster.cpuMs(), codex: codexPid === undefined ? undefined : cpuOf(codexPid) });
  const [metersBefore, before] = [await world.meters(), cpu()];
  const { answers, tookMs } = await askAll(world, Number.POSITIVE_INFINITY, ms);
  const [meters, after] = [await world.meters(), cpu()];
  const turns = answers.length;
  return {
    answers,
    turnsPerSecond: turns / (tookMs / 1000),
    botCpuMs: (meters.cpuMs - metersBefore.cpuMs) / turns,
    postgresCpuMs: each(before.postgres, after.postgres, turns),
    codexCpuMs: each(before.codex, after.codex, turns),
    loopDelayP99Ms: meters.loopDelayP99Ms,
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
