import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

export interface SummedRow {
  /** What the row sums up over: everything, one teammate, one person, or one step of the time. */
  readonly over: "all" | "teammate" | "person" | "step";
  readonly payer: string;
  /** Of the teammate or person. */
  readonly id: string | null;
  readonly name: string | null;
  /** Counted from 1. */
  readonly step: number | null;
  readonly runs: number;
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

export interface Summing {
  readonly from: Date;
  readonly to: Date;
  readonly steps: readonly Date[];
  /** Whose runs alone count; null for everybody's. */
  readonly personId: string | null;
}

/** The ledger of a time, summed up in every way at once: it is read a single time. */
export async function sumUsage(db: Db, { from, to, steps, personId }: Summing): Promise<readonly SummedRow[]> {
  const { rows } = await sql<SummedRow>`
    with used as (
      select auth_mode, teammate_id, person_id, width_bucket(created_at, ${[...steps]}::timestamptz[]) as step,
        input_tokens, cached_input_tokens, output_tokens
      from usage_ledger
      where created_at >= ${from} and created_at <= ${to}
        and (${personId}::uuid is null or person_id = ${personId}::uuid)),
    summed as (
      select auth_mode, teammate_id, person_id, step, grouping(teammate_id, person_id, step) as missing,
        count(*)::int as runs, sum(input_tokens)::float8 as input,
        sum(cached_input_tokens)::float8 as cached_input, sum(output_tokens)::float8 as output
      from used
      group by grouping sets (
        (auth_mode), (auth_mode, teammate_id), (auth_mode, person_id), (auth_mode, step)))
    select case s.missing when 7 then 'all' when 3 then 'teammate' when 5 then 'person' else 'step' end as over,
      s.auth_mode as payer, coalesce(t.name, p.display_name) as name, s.step,
      s.runs, s.input, s.cached_input as "cachedInput", s.output,
      coalesce(s.teammate_id, s.person_id) as id
    from summed s left join teammates t on t.id = s.teammate_id left join people p on p.id = s.person_id`.execute(db);
  return rows;
}
