import { budgets } from "./budgets.ts";
import type { Latency, OneByOne } from "./latency.ts";
import type { Machine } from "./machine.ts";
import type { Memory } from "./memory.ts";
import type { IdleRss, PlatformTurns } from "./platforms.ts";
import type { RequestSize } from "./request-size.ts";
import type { DueRoutines } from "./routines.ts";
import type { Spread } from "./spread.ts";
import type { Starts } from "./start.ts";
import type { Throughput } from "./throughput.ts";

export interface Results {
  readonly machine: Machine;
  readonly latency: readonly Latency[];
  readonly platforms: readonly PlatformTurns[];
  readonly idle: readonly IdleRss[];
  readonly throughput: readonly Throughput[];
  readonly memory: Memory | undefined;
  readonly starts: Starts | undefined;
  readonly request: RequestSize | undefined;
  readonly dueRoutines: DueRoutines | undefined;
}

export function asJson(results: Results): string {
  return JSON.stringify({ ...results, budgets: budgets(results) }, null, 2);
}

export function asText(results: Results): string {
  const { machine, latency, platforms, idle, throughput, memory, starts, request, dueRoutines } = results;
  return [
    `${machine.date} · ${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB, load ${machine.load} · node ${machine.node}, Codex ${machine.codex}, PostgreSQL ${machine.postgres}`,
    section("One message at a time (ms, p50 / p95)", [
      ["app-server", "turns", "→ turn/start", "→ first sign", "→ answer"],
      ...latency.flatMap((each) => [
        [each.codex, String(each.turns), pair(each.startMs), pair(each.signMs), pair(each.answerMs)],
        [`${each.codex}, new chat`, String(each.first.turns), ...firstOf(each)],
      ]),
    ]),
    platforms.length > 0 &&
      section("Platform by platform, in private chats (ms, p50 / p95; bot CPU a turn while twenty ask at once)", [
        ["platform", "app-server", "turns", "→ turn/start", "→ first sign", "→ answer", "bot CPU"],
        ...platforms.flatMap(platformRows),
      ]),
    idle.length > 0 &&
      section("At rest (MB)", [
        ["connected to", "RSS"],
        ...idle.map((each) => [each.platforms.join(", "), number(each.rssMb)]),
      ]),
    section("Everybody at once (Telegram's pace switched off in the adapter: it would allow 29 messages a second)", [
      [
        "app-server",
        "chats",
        "turns/s",
        "bare client",
        "ratio",
        "answer ms",
        "bot CPU",
        "PostgreSQL CPU",
        "Codex CPU",
        "loop p99",
      ],
      ...throughput.map(throughputRow),
    ]),
    memory &&
      section("Memory of the bot (MB)", [
        ["turns", "RSS", "heap"],
        ["0", number(memory.idleRssMb), ""],
        ...memory.after.map((each) => [String(each.turns), number(each.rssMb), number(each.heapMb)]),
      ]),
    starts &&
      section("Ready (ms)", [
        ["first start", "warm"],
        [number(starts.firstMs), number(starts.warmMs)],
      ]),
    request &&
      section("Model request for a short message (bytes)", [
        ["bare client", "through the bot", "ours", "tools", "developer text", "prompt"],
        [request.bareBytes, request.botBytes, ...oursIn(request)].map(String),
      ]),
    dueRoutines &&
      section("Routines that are due in the same second (ms after that, p50 / p95; CPU a run)", [
        ["app-server", "routines", "→ run row", "→ turn", "all posted", "bot CPU", "PostgreSQL CPU"],
        routinesRow(dueRoutines),
      ]),
    section("Budgets", [["", "limit", "measured", ""], ...budgets(results).map(budgetRow)]),
  ]
    .filter((each) => each !== undefined && each !== false)
    .join("\n\n");
}

function oursIn({ ours: { all, tools, developer, prompt } }: RequestSize): readonly number[] {
  return [all, tools, developer, prompt];
}

function firstOf({ first }: OneByOne): string[] {
  return [pair(first.startMs), pair(first.signMs), pair(first.answerMs)];
}

function platformRows(each: PlatformTurns): string[][] {
  const { platform, codex, turns, startMs, signMs, answerMs, botCpuMs } = each;
  const cpu = botCpuMs === undefined ? "–" : number(botCpuMs);
  return [
    [platform, codex, String(turns), pair(startMs), pair(signMs), pair(answerMs), cpu],
    [`${platform}, new chat`, codex, String(each.first.turns), ...firstOf(each), ""],
  ];
}

function throughputRow(each: Throughput): string[] {
  return [
    each.codex,
    String(each.chats),
    number(each.turnsPerSecond),
    number(each.bareTurnsPerSecond),
    number(each.ratio),
    pair(each.answerMs),
    number(each.botCpuMs),
    number(each.postgresCpuMs),
    number(each.codexCpuMs),
    number(each.loopDelayP99Ms),
  ];
}

function routinesRow({ codex, routines, lateMs, startMs, allDoneS, botCpuMs, postgresCpuMs }: DueRoutines): string[] {
  const postgres = postgresCpuMs === undefined ? "–" : number(postgresCpuMs);
  return [codex, String(routines), pair(lateMs), pair(startMs), `${number(allDoneS)} s`, number(botCpuMs), postgres];
}

function budgetRow({ name, limit, measured, met }: ReturnType<typeof budgets>[number]): string[] {
  if (measured === undefined) return [name, limit, "–", "not measured"];
  return [name, limit, number(measured), met ? "met" : "MISSED"];
}

function section(title: string, rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function pair({ p50, p95 }: Spread): string {
  return `${number(p50)} / ${number(p95)}`;
}

function number(value: number): string {
  if (Number.isNaN(value)) return "–";
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
