import { sql } from "kysely";
import type { Db } from "../storage/index.ts";

export interface RoutineHome {
  readonly conversationId: string;
  readonly resetAt: Date | null;
  /** Copies of the routine's own reports there, which its lane has as well. */
  readonly reports: readonly string[];
}

/** The conversation that people have with the teammate where a routine was made; undefined where there was none yet. */
export async function homeOf(db: Db, laneId: string): Promise<RoutineHome | undefined> {
  const { rows } = await sql<RoutineHome>`
    select home.id as "conversationId", home.reset_at as "resetAt",
      array(select r.message_id from routine_reports r join routine_runs rr on rr.id = r.routine_run_id
        where rr.routine_id = lane.routine_id and r.message_id is not null order by rr.created_at desc limit 100) as reports
    from conversations lane join conversations home on home.place_id = lane.place_id and home.thread = lane.thread
      and home.teammate_id = lane.teammate_id and home.routine_id is null
    where lane.id = ${laneId}`.execute(db);
  return rows[0];
}
