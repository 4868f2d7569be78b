import { type Kysely, sql } from "kysely";

/** What lets old rows go quickly: without these, each post that is deleted looks through all others for a reference. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of indexes) await sql.raw(statement).execute(db);
}

const indexes = [
  `create index posts_target on posts (target_post_id) where target_post_id is not null`,
  `create index posts_required on posts (requires_post_id) where requires_post_id is not null`,
  `create index posts_age on posts (created_at)`,
  `create index runs_age on runs (completed_at) where completed_at is not null`,
];
