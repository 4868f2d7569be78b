import { setTimeout as sleep } from "node:timers/promises";
import { query } from "./database.ts";
import { type Spread, spread } from "./spread.ts";
import { askAll } from "./throughput.ts";
import { type Bench, type Codex, startWorld, type World } from "./world.ts";

/** Routines that are all due in the same minute. */
export interface DueRoutines {
  readonly codex: Codex["kind"];
  readonly routines: number;
  /** From the due time until the run is written down, in milliseconds. */
  readonly lateMs: Spread;
  /** From the due time until its turn begins: a teammate works on so many at a time, so most of them wait. */
  readonly startMs: Spread;
  /** From the due time until the last report was posted, in seconds. */
  readonly allDoneS: number;
  /** CPU a run, of the bot's process and of all of PostgreSQL. */
  readonly botCpuMs: number;
  readonly postgresCpuMs: number | undefined;
}

/** A crowd of two hundred has twenty teammates, each of which may have 64 routines. */
const people = 200;
const leadMs = 5_000;
const minuteMs = 60_000;
const patienceMs = 300_000;
const lookMs = 250;

/** How late a thousand runs begin that are due at once, and what they cost. Not on the full hour, where they are spread on purpose. */
export async function measureRoutines(bench: Bench, codex: Codex): Promise<DueRoutines> {
  const routines = bench.quick ? 200 : 1_000;
  await using world = await startWorld(bench, { endpoint: codex.endpoints.direct, people, unpaced: true });
  // Everybody has said something: only then does the platform know their chat.
  await askAll(world, 1, Number.POSITIVE_INFINITY);
  const due = nextMinute(Date.now() + leadMs);
  await hire(world, routines, due);
  const before = { bot: (await world.meters()).cpuMs, postgres: bench.cluster.cpuMs() };
  await untilDone(world, routines);
  const after = { bot: (await world.meters()).cpuMs, postgres: bench.cluster.cpuMs() };
  const rows = await query(world.databaseUrl, timesOfRuns);
  const of = (column: string) => rows.map((row) => Number(row[column]));
  return {
    codex: codex.kind,
    routines,
    lateMs: spread(of("late")),
    startMs: spread(of("started")),
    allDoneS: Math.max(...of("posted")) / 1_000,
    botCpuMs: (after.bot - before.bot) / routines,
    postgresCpuMs:
      before.postgres === undefined || after.postgres === undefined
        ? undefined
        : (after.postgres - before.postgres) / routines,
  };
}

/** The first full minute from then on that is no full hour. */
function nextMinute(from: number): Date {
  const minute = new Date(Math.ceil(from / minuteMs) * minuteMs);
  return minute.getUTCMinutes() === 0 ? new Date(minute.getTime() + minuteMs) : minute;
}

/** Routines as people would have made them, the same number for each teammate, in the private chats of those who ask it. */
async function hire(world: World, routines: number, due: Date): Promise<void> {
  const schedule = { kind: "daily", at: due.toISOString().slice(11, 16) };
  await query(
    world.databaseUrl,
    `with homes as (
        select p.id as place_id, p.lead_teammate_id as teammate_id, i.person_id, row_number() over (order by p.id) - 1 as nth
        from places p join identities i on i.dm_channel = p.channel and i.person_id is not null
        where p.lead_teammate_id is not null),
      made as (
        insert into routines (id, teammate_id, kind, name, instruction, trigger, timezone, place_id, missed_policy, limit_policy,
          next_due_at, created_by)
        select gen_random_uuid(), h.teammate_id, 'routine', 'Tide ' || n, 'Is the tide in?', $2::jsonb, 'UTC', h.place_id,
          'run_once', 'wait', $3, h.person_id
        from generate_series(0, $1::int - 1) n join homes h on h.nth = n % ${people}
        returning id, place_id, teammate_id)
      insert into conversations (id, place_id, teammate_id, kind, thread, routine_id)
      select gen_random_uuid(), place_id, teammate_id, 'routine', '', id from made`,
    [routines, JSON.stringify({ kind: "schedule", schedule }), due],
  );
}

async function untilDone(world: World, routines: number): Promise<void> {
  const until = performance.now() + 2 * minuteMs + patienceMs;
  while (performance.now() < until) {
    const [row] = await query(
      world.databaseUrl,
      `select count(*)::int as count from routine_reports r join posts p on p.id = r.post_id where p.status = 'sent'`,
    );
    if (Number(row?.count) >= routines) return;
    await sleep(lookMs);
  }
  throw new Error(`not all routines were done within ${patienceMs / 1_000} s`);
}

const timesOfRuns = `
  select extract(epoch from rr.created_at - rr.scheduled_for) * 1000 as late,
    extract(epoch from r.started_at - rr.scheduled_for) * 1000 as started,
    extract(epoch from p.sent_at - rr.scheduled_for) * 1000 as posted
  from routine_runs rr join deliveries d on d.id = rr.delivery_id join runs r on r.id = d.run_id
    join routine_reports rp on rp.routine_run_id = rr.id join posts p on p.id = rp.post_id`;
