import type { Persona } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import { newcomer, type Profile, type ProfileProblem } from "./profile.ts";
import { createTeammate, updateTeammate } from "./save.ts";
import * as store from "./teammates.store.ts";

/** An AI colleague: one job, one workspace, and how far it may go alone. */
export interface Teammate {
  readonly id: string;
  /** Unique, lower case, what people type after `/ask`. */
  readonly handle: string;
  readonly name: string;
  readonly title: string;
  readonly job: string;
  readonly instructions: string;
  readonly autonomy: "ask_all" | "ask_consequential" | "autonomous";
  readonly access: "workspace" | "full";
  /** What a message of the requester does while a turn runs. */
  readonly busyMode: "queue" | "steer";
  /** How many of its threads may run at a time, besides each place's own conversation. */
  readonly taskLimit: number;
  readonly model: string | null;
  readonly effort: string | null;
  /** An https address of an image, or one emoji. */
  readonly picture: string | null;
}

export interface Teammates {
  /** The teammate of a fresh install; made once, however many processes ask. */
  ensureDefault(unit: Unit): Promise<Teammate>;
  get(db: Db, id: string): Promise<Teammate | undefined>;
  /** By handle or name, in any case. */
  byHandle(db: Db, handle: string): Promise<Teammate | undefined>;
  /** Those that are not hidden, oldest first. */
  list(db: Db): Promise<Teammate[]>;
  /** Somebody new joins. Managers and above; nothing is written unless all of it is well. */
  create(unit: Unit, by: Person, profile: NewProfile): Promise<Saved>;
  /** Changes a profile, all of it or nothing. Managers and above; to widen what a teammate may do, owner and admins. */
  update(unit: Unit, by: Person, id: string, change: Partial<Profile>): Promise<Saved>;
}

export type NewProfile = Pick<Profile, "name" | "title" | "job"> & Partial<Profile>;

export type Saved =
  | { readonly kind: "saved"; readonly teammate: Teammate }
  | { readonly kind: "refused"; readonly problem: ProfileProblem };

const milo: Omit<Teammate, "id"> = {
  ...newcomer,
  handle: "milo",
  name: "Milo",
  title: "General helper",
  job: "Helps with whatever comes up: looks things up, writes, edits files, runs programs, and says plainly what was done and what was not.",
};

/** How a teammate appears where the platform shows who speaks. */
export function personaOf({ name, picture }: Pick<Teammate, "name" | "picture">): Persona {
  return picture === null ? { name } : { name, picture };
}

export function createTeammates(): Teammates {
  return {
    async ensureDefault(unit) {
      const [first] = await store.list(unit.db);
      if (first) return first;
      await store.add(unit.db, { id: newId(), ...milo });
      const made = await store.byHandle(unit.db, milo.handle);
      if (!made) throw new Error("the default teammate is hidden, and there is no other");
      return made;
    },
    get: store.get,
    byHandle: store.byHandle,
    list: store.list,
    create: createTeammate,
    update: updateTeammate,
  };
}
