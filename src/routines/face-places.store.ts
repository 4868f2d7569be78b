import type { PlaceKind } from "../chat/index.ts";
import type { Db } from "../storage/index.ts";

/** A place as people call it. Title and name are text from outside. */
export interface NamedPlace {
  readonly id: string;
  readonly kind: PlaceKind;
  readonly title: string | null;
  /** Whose direct message it is. */
  readonly person: string | null;
}

export async function namedPlaces(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, NamedPlace>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("places as p")
    .leftJoin("identities as i", (join) =>
      join.onRef("i.connection_id", "=", "p.connection_id").onRef("i.dm_channel", "=", "p.channel"),
    )
    .leftJoin("people as whose", "whose.id", "i.person_id")
    .select(["p.id", "p.kind", "p.title", "whose.display_name as person"])
    .where("p.id", "in", [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
