import type { Person } from "../people/index.ts";
import { isAboutPlace, mayChangeRoutine, mayMakeRoutines, type Routine } from "../routines/index.ts";
import { type Acting, actingFor } from "./profile-words.ts";
import type { ToolRooms } from "./rooms.ts";
import { type NamedPlaces, placesNamedBy } from "./routine-places.ts";
import { said, type ToolContext, type ToolResult } from "./tool.ts";

/** A call about routines, for the person who asked for its run. */
export interface Asking {
  readonly rooms: ToolRooms;
  readonly context: ToolContext;
  readonly acting: Acting;
  readonly person: Person;
  readonly places: NamedPlaces;
}

/** Does something for whoever asked; where nobody did, nothing is done. */
export async function forPerson(
  rooms: ToolRooms,
  context: ToolContext,
  act: (asking: Asking) => Promise<ToolResult>,
): Promise<ToolResult> {
  const { caller } = context;
  const acting = await actingFor(rooms, context);
  const { requester: person, teammate } = acting;
  if (person === null)
    return said(
      "Nothing was done: nobody asked for this just now, and routines are only for people to ask for.",
      false,
    );
  if (!mayMakeRoutines(person))
    return said("Nothing was done: routines are for members of the team, and the person who asked is a guest.", false);
  const places = await placesNamedBy(rooms, { person, teammate, caller });
  return act({ rooms, context, acting, person, places });
}

/**
 * The routines of the teammate that may be spoken of: in a shared place those that have to do with it, in private the
 * person's own, and all of them to those who look after all.
 */
export async function knownRoutines({ rooms, context, person }: Asking): Promise<Routine[]> {
  const { teammateId, placeId, isPrivate } = context.caller;
  const all = await rooms.routines.list(rooms.db, { teammateId });
  return all.filter((routine) => isAboutPlace(routine, placeId) || (isPrivate && mayChangeRoutine(person, routine)));
}

/** The one of that name, or the answer that there is none. */
export async function withRoutine(
  asking: Asking,
  name: string,
  act: (routine: Routine) => Promise<ToolResult>,
): Promise<ToolResult> {
  const known = await knownRoutines(asking);
  const wanted = name.trim().toLowerCase();
  const routine = known.find((each) => each.name.toLowerCase() === wanted);
  if (routine) return act(routine);
  const names = known.map((each) => JSON.stringify(each.name)).join(", ");
  return said(
    `Nothing was done: no routine of yours here is called ${JSON.stringify(name)}. ${names === "" ? "There is none." : `There are ${names}.`}`,
    false,
  );
}
