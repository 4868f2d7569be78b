import type { PlatformTurns } from "./platforms.ts";
import type { Results } from "./report.ts";

export interface Budget {
  readonly name: string;
  readonly limit: string;
  readonly measured: number | undefined;
  readonly met: boolean | undefined;
}

/** What was promised, and what came of it. A scenario that was left out decides nothing. */
export function budgets({ latency, platforms, idle, throughput, memory, starts, request }: Results): readonly Budget[] {
  const own = latency.find(({ codex }) => codex === "stand-in");
  const onReal = latency.find(({ codex }) => codex === "real");
  const crowd = throughput.find(({ codex, chats }) => codex === "stand-in" && chats === 200);
  // One chat by itself waits for the bot's way there and back; nothing is busy then, and nothing is scarce.
  const real = throughput.filter(({ codex, chats }) => codex === "real" && chats > 1);
  const worst = real.length === 0 ? undefined : Math.min(...real.map(({ ratio }) => ratio));
  const last = memory?.after.at(-1);
  const early = memory?.after[0];
  return [
    atMost("event → turn/start, p50, stand-in (ms)", 15, own?.startMs.p50),
    atMost("event → turn/start, p95, stand-in (ms)", 40, own?.startMs.p95),
    atMost("event → turn/start, p50, real Codex (ms)", 15, onReal?.startMs.p50),
    atMost("event → turn/start, p95, real Codex (ms)", 40, onReal?.startMs.p95),
    atMost("first visible sign, p95, real Codex (ms)", 300, onReal?.signMs.p95),
    atMost("first visible sign of a first message, p95, real Codex (ms)", 300, onReal?.first.signMs.p95),
    atMost("bot CPU per turn, 200 chats, stand-in (ms)", 10, crowd?.botCpuMs),
    atLeast("turns/s over 200 chats, stand-in", 100, crowd?.turnsPerSecond),
    atLeast("turns/s beside the bare client, real Codex, 20 chats or more", 0.8, worst),
    atMost("ready, warm (ms)", 3_000, starts?.warmMs),
    atMost("ready, first start (ms)", 8_000, starts?.firstMs),
    atMost("idle RSS (MB)", 150, memory?.idleRssMb),
    atMost("RSS of the last look beside the first one under load", 1.15, last && early && last.rssMb / early.rssMb),
    atMost("our text and tools in a short direct message (KB)", 25, request && request.ours.all / 1024),
    ...platforms.flatMap(ofPlatform),
    ...idle.map((each) => atMost(`idle RSS, connected to ${each.platforms.join(", ")} (MB)`, 150, each.rssMb)),
  ];
}

function ofPlatform({ platform, codex, startMs, signMs, botCpuMs }: PlatformTurns): readonly Budget[] {
  const where = `${platform}, ${codex === "real" ? "real Codex" : codex}`;
  return [
    atMost(`event → turn/start, p50, ${where} (ms)`, 15, startMs.p50),
    atMost(`event → turn/start, p95, ${where} (ms)`, 40, startMs.p95),
    atMost(`first visible sign, p95, ${where} (ms)`, 300, signMs.p95),
    // What the real one streams is another amount of work; the budget speaks of the one that answers at once.
    ...(botCpuMs === undefined ? [] : [atMost(`bot CPU per turn, 20 chats, ${where} (ms)`, 10, botCpuMs)]),
  ];
}

function atMost(name: string, limit: number, measured: number | undefined): Budget {
  return { name, limit: `≤ ${limit}`, measured, met: measured === undefined ? undefined : measured <= limit };
}

function atLeast(name: string, limit: number, measured: number | undefined): Budget {
  return { name, limit: `≥ ${limit}`, measured, met: measured === undefined ? undefined : measured >= limit };
}
