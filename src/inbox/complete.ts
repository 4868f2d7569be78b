import type { Completion } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import type { InboxDeps } from "./deps.ts";
import { verbs } from "./routines/index.ts";

const mostValues = 25;

export interface Typing {
  readonly connectionId: string;
  readonly what: Completion;
  readonly typed: string;
  readonly userId: string;
}

/** Names that go on as somebody typed, those that begin so first. Nothing for strangers: they need not know who works here. */
export async function complete(
  deps: InboxDeps,
  { connectionId, what, typed, userId }: Typing,
): Promise<readonly string[]> {
  const identity = await deps.people.find(deps.db, connectionId, userId);
  if (!identity?.person) return [];
  const wanted = typed.trim().replace(/^[@/]/u, "").toLowerCase();
  const found = (await candidates(deps, identity.person, what))
    .map(({ name, handle }) => ({ name, rank: rankOf([name.toLowerCase(), handle], wanted) }))
    .filter(({ rank }) => rank < none);
  return found
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, mostValues)
    .map(({ name }) => name);
}

interface Candidate {
  readonly name: string;
  readonly handle: string;
}

async function candidates(
  { db, teammates, skills, routines }: InboxDeps,
  person: Person,
  what: Completion,
): Promise<readonly Candidate[]> {
  switch (what) {
    case "teammate":
      return teammates.list(db);
    case "skill": {
      const known = await skills.list(db);
      return known.filter((skill) => skill.teammates.length > 0).map(({ name }) => ({ name, handle: name }));
    }
    case "routine": {
      // Where somebody types is not known: their own are no secret anywhere.
      const all = await routines.list(db);
      const own = all.filter(({ author }) => author?.id === person.id);
      return [...own, ...["new", ...verbs].map((name) => ({ name }))].map(({ name }) => ({
        name,
        handle: name.toLowerCase(),
      }));
    }
    case "model":
      return [];
  }
}

const none = 3;

/** 0: a name begins so; 1: one of its words does; 2: it is somewhere inside. */
function rankOf(names: readonly string[], wanted: string): number {
  if (names.some((name) => name.startsWith(wanted))) return 0;
  if (names.some((name) => name.split(/[\s-]+/u).some((word) => word.startsWith(wanted)))) return 1;
  return names.some((name) => name.includes(wanted)) ? 2 : none;
}
