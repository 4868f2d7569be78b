import type { InboundPlace } from "../chat/index.ts";
import { audit, type Db, type PlaceAccess } from "../storage/index.ts";
import type { Place } from "./places.ts";

export async function find(db: Db, connectionId: string, channel: string): Promise<Place | undefined> {
  return places(db).where("connection_id", "=", connectionId).where("channel", "=", channel).executeTakeFirst();
}

export async function get(db: Db, id: string): Promise<Place | undefined> {
  return places(db).where("id", "=", id).executeTakeFirst();
}

function places(db: Db) {
  return db
    .selectFrom("places")
    .select(["id", "channel", "kind", "title", "access"])
    .select(["connection_id as connectionId", "lead_teammate_id as leadTeammateId"])
    .select(["asked_access_at as askedAccessAt", "archived_at as archivedAt"]);
}

interface SavedPlace {
  readonly id: string;
  readonly connectionId: string;
  readonly seen: InboundPlace;
}

export async function save(db: Db, { id, connectionId, seen }: SavedPlace): Promise<void> {
  const title = seen.title === undefined ? {} : { title: seen.title };
  await db
    .insertInto("places")
    .values({
      id,
      connection_id: connectionId,
      channel: seen.channel,
      kind: seen.kind,
      ...title,
      access: seen.kind === "dm" ? "members" : "closed",
    })
    .onConflict((conflict) =>
      conflict.columns(["connection_id", "channel"]).doUpdateSet({ ...title, archived_at: null }),
    )
    .execute();
}

export async function update(
  db: Db,
  id: string,
  change: { asked_access_at: Date } | { archived_at: Date },
): Promise<void> {
  await db.updateTable("places").set(change).where("id", "=", id).execute();
}

interface AccessChange {
  readonly placeId: string;
  readonly access: PlaceAccess;
  readonly by: string;
}

export async function setAccess(db: Db, { placeId, access, by }: AccessChange): Promise<void> {
  await db.updateTable("places").set({ access }).where("id", "=", placeId).execute();
  await audit(db, { personId: by, action: "place_access", target: placeId, data: { access } });
}

interface LeadChange {
  readonly placeId: string;
  readonly teammateId: string;
  readonly by: string;
}

export async function setLead(db: Db, { placeId, teammateId, by }: LeadChange): Promise<void> {
  await db.updateTable("places").set({ lead_teammate_id: teammateId }).where("id", "=", placeId).execute();
  await audit(db, { personId: by, teammateId, action: "place_lead", target: placeId });
}

/** Where something arrived under the new id before we were told, that place goes on with what was decided for the old one. */
export async function move(db: Db, id: string, channel: string): Promise<void> {
  const old = await get(db, id);
  if (!old || old.channel === channel) return;
  const taken = await find(db, old.connectionId, channel);
  if (taken) {
    await db
      .updateTable("places")
      .set({ access: old.access, lead_teammate_id: old.leadTeammateId })
      .where("id", "=", taken.id)
      .where("access", "=", "closed")
      .execute();
    await db.updateTable("memories").set({ place_id: taken.id }).where("place_id", "=", id).execute();
    await db.updateTable("memory_pending").set({ place_id: taken.id }).where("place_id", "=", id).execute();
    await db.updateTable("places").set({ archived_at: new Date() }).where("id", "=", id).execute();
    return;
  }
  await db.updateTable("places").set({ channel }).where("id", "=", id).execute();
}
