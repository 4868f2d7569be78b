import type { Db } from "../../storage/index.ts";

export interface BusyTeammate {
  readonly teammateId: string;
  readonly placeId: string;
  readonly requesterName: string | null;
  readonly startedAt: Date;
  readonly waits: boolean;
}

/** What runs, by teammate, the longest first. */
export async function busyTeammates(db: Db): Promise<BusyTeammate[]> {
  return db
    .selectFrom("runs as r")
    .innerJoin("conversations as c", "c.id", "r.conversation_id")
    .leftJoin("people as by", "by.id", "r.requester_person_id")
    .select(["r.teammate_id as teammateId", "c.place_id as placeId", "by.display_name as requesterName"])
    .select((eb) => [
      eb.fn.coalesce("r.started_at", "r.created_at").as("startedAt"),
      eb("r.status", "=", "waiting").$castTo<boolean>().as("waits"),
    ])
    .where("r.status", "in", ["starting", "running", "waiting", "reconciling"])
    .orderBy("r.created_at")
    .limit(200)
    .execute();
}
