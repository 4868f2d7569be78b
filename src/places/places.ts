import type { InboundPlace, PlaceKind } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { type Clock, newId } from "../shared/index.ts";
import type { Db, PlaceAccess, Unit } from "../storage/index.ts";
import * as store from "./places.store.ts";

/** A chat, channel, group or forum on a connection. Its title is text from outside. */
export interface Place {
  readonly id: string;
  readonly connectionId: string;
  readonly channel: string;
  readonly kind: PlaceKind;
  readonly title: string | null;
  readonly access: PlaceAccess;
  readonly leadTeammateId: string | null;
  /** When it was last asked who may ask here. */
  readonly askedAccessAt: Date | null;
  readonly archivedAt: Date | null;
}

export interface Places {
  /** The place of an event, made or refreshed; a new group is closed. Something that happens in an archived place brings it back. */
  ensure(unit: Unit, connectionId: string, place: InboundPlace): Promise<Place>;
  get(db: Db, id: string): Promise<Place | undefined>;
  /** By the platform's id. */
  find(db: Db, connectionId: string, channel: string): Promise<Place | undefined>;
  /** Decides who may ask there, and writes down who decided it. */
  setAccess(unit: Unit, placeId: string, access: PlaceAccess, by: Person): Promise<void>;
  /** Decides who answers there when nobody is named, and writes down who decided it. */
  setLead(unit: Unit, placeId: string, teammateId: string, by: Person): Promise<void>;
  markAccessAsked(unit: Unit, placeId: string): Promise<void>;
  /** The platform gave the place another id (a Telegram group that became a supergroup). */
  move(unit: Unit, placeId: string, channel: string): Promise<void>;
  /** We were removed from it. */
  archive(unit: Unit, placeId: string): Promise<void>;
}

export function createPlaces({ clock }: { clock: Clock }): Places {
  return {
    ensure,
    get: store.get,
    find: store.find,
    setAccess: (unit, placeId, access, by) => store.setAccess(unit.db, { placeId, access, by: by.id }),
    setLead: (unit, placeId, teammateId, by) => store.setLead(unit.db, { placeId, teammateId, by: by.id }),
    markAccessAsked: (unit, placeId) => store.update(unit.db, placeId, { asked_access_at: clock.now() }),
    move: (unit, placeId, channel) => store.move(unit.db, placeId, channel),
    archive: (unit, placeId) => store.update(unit.db, placeId, { archived_at: clock.now() }),
  };
}

/** One look in the usual case; a write only for a place that is new, renamed or was archived. */
async function ensure(unit: Unit, connectionId: string, seen: InboundPlace): Promise<Place> {
  const known = await store.find(unit.db, connectionId, seen.channel);
  if (known && known.archivedAt === null && (seen.title === undefined || known.title === seen.title)) return known;
  await store.save(unit.db, { id: newId(), connectionId, seen });
  const saved = await store.find(unit.db, connectionId, seen.channel);
  if (!saved) throw new Error("a place vanished while it was being saved");
  return saved;
}
