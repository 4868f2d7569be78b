import { cleanText } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { type ReachablePlace, reachablePlaces } from "../places/index.ts";
import type { Routine, RoutineDestination } from "../routines/index.ts";
import { redact } from "../shared/index.ts";
import type { Teammate } from "../teammates/index.ts";
import type { ToolRooms } from "./rooms.ts";
import type { ToolCaller } from "./tool.ts";

/** The places that somebody may name, as seen from where they speak. */
export interface NamedPlaces {
  /** Where each name leads, or a sentence that lists the names there are. */
  read(names: readonly string[], ownThread: boolean): PlacesRead;
  /** As a person would call it; undefined for a place they may not use. */
  nameOf(placeId: string): string | undefined;
}

export type PlacesRead =
  | { readonly kind: "places"; readonly destinations: readonly RoutineDestination[] }
  | { readonly kind: "problem"; readonly text: string };

const mostListed = 30;

export async function placesNamedBy(
  { db }: ToolRooms,
  { person, teammate, caller }: { person: Person; teammate: Teammate; caller: ToolCaller },
): Promise<NamedPlaces> {
  const all = await reachablePlaces(db, person, teammate.handle);
  const here = all.find(({ id }) => id === caller.placeId);
  // Beside the place they speak in first: the same bot, the same app.
  const near = all.toSorted((one, other) => Number(isBeside(other, here)) - Number(isBeside(one, here)));
  const find = (name: string) => findPlace(near, here, name);
  return {
    nameOf: (placeId) => {
      if (placeId === caller.placeId) return "here";
      const place = all.find(({ id }) => id === placeId);
      return place && shownName(place, all);
    },
    read(names, ownThread) {
      const destinations: RoutineDestination[] = [];
      for (const name of names) {
        const placeId = asHere(name) ? caller.placeId : find(name)?.id;
        if (placeId === undefined) return { kind: "problem", text: unknownPlace(name, all) };
        const thread = asHere(name) && !ownThread ? caller.thread : "";
        if (!destinations.some((each) => each.placeId === placeId && each.thread === thread))
          destinations.push({ placeId, thread, ownThread });
      }
      return { kind: "places", destinations };
    },
  };
}

function isBeside(place: ReachablePlace, here: ReachablePlace | undefined): boolean {
  return place.connectionId === here?.connectionId;
}

function asHere(name: string): boolean {
  return bare(name) === "here";
}

/** Undefined where there is none, or several that are equally near. */
function findPlace(near: readonly ReachablePlace[], here: ReachablePlace | undefined, name: string) {
  const wanted = bare(name);
  if (wanted === "me") return near.find(({ kind }) => kind === "dm");
  const named = near.filter((place) => bare(titleOf(place)) === wanted || bare(longName(place)) === wanted);
  const beside = named.filter((place) => isBeside(place, here));
  const [only, another] = beside.length > 0 ? beside : named;
  return another === undefined ? only : undefined;
}

function bare(name: string): string {
  return name.trim().replace(/^[#@]/u, "").toLowerCase();
}

/** Cleaned as everything that comes from outside, and short. */
function titleOf({ title }: ReachablePlace): string {
  return redact(cleanText(title ?? ""))
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, 100);
}

function longName(place: ReachablePlace): string {
  return `${titleOf(place)} (${place.platform})`;
}

/** With its app where two have the same title. */
function shownName(place: ReachablePlace, all: readonly ReachablePlace[]): string {
  if (place.kind === "dm") return "me";
  const title = titleOf(place);
  return all.some((other) => other.id !== place.id && titleOf(other) === title) ? longName(place) : title;
}

function unknownPlace(name: string, all: readonly ReachablePlace[]): string {
  const known = new Set(["here", ...all.map((place) => shownName(place, all)).filter((each) => each !== "")]);
  const listed = [...known].slice(0, mostListed).map((each) => JSON.stringify(each));
  const more = known.size > mostListed ? ` and ${known.size - mostListed} more` : "";
  return `There is no place ${JSON.stringify(name)} that the person who asked may use, or more than one. They may use ${listed.join(", ")}${more}.`;
}

/** Where its reports go, as the person would call it. */
export function whereOf({ destinations, home }: Routine, places: NamedPlaces): readonly string[] {
  const ids = destinations.length > 0 ? destinations.map(({ placeId }) => placeId) : [home.placeId];
  return [...new Set(ids.map((id) => places.nameOf(id) ?? "another place"))];
}
