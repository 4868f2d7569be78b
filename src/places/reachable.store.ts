import type { PlaceKind } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import type { Db } from "../storage/index.ts";
import { mayAsk } from "./access.ts";

/** A place where somebody may have something posted. Its title is text from outside. */
export interface ReachablePlace {
  readonly id: string;
  readonly connectionId: string;
  readonly platform: string;
  readonly kind: PlaceKind;
  /** Null in their own private chats, and where the platform told none. */
  readonly title: string | null;
}

/**
 * Where a person may have a teammate post: what is open to them, and their own private chats; by title. Without the places of
 * a bot that is another teammate's own.
 */
export async function reachablePlaces(db: Db, person: Person, handle: string): Promise<ReachablePlace[]> {
  const rows = await db
    .selectFrom("places as p")
    .innerJoin("connections as k", "k.id", "p.connection_id")
    .where("p.archived_at", "is", null)
    .where((e) => e.or([e("k.teammate_handle", "is", null), e("k.teammate_handle", "=", handle)]))
    .where((e) =>
      e.or([
        e("p.kind", "!=", "dm"),
        e.exists(
          e
            .selectFrom("identities as i")
            .select("i.id")
            .where("i.person_id", "=", person.id)
            .whereRef("i.connection_id", "=", "p.connection_id")
            .whereRef("i.dm_channel", "=", "p.channel"),
        ),
      ]),
    )
    .select(["p.id", "p.connection_id as connectionId", "k.platform", "p.kind", "p.access"])
    .select((e) => e.case().when("p.kind", "=", "dm").then(null).else(e.ref("p.title")).end().as("title"))
    .orderBy("title")
    .orderBy("p.id")
    .execute();
  return rows.filter((place) => mayAsk(place, person)).map(({ access: _, ...place }) => place);
}
