import { z } from "zod";
import type { Persona } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { newId } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import type { Actor } from "./authority.ts";
import { newcomer, type Profile, type ProfileProblem } from "./profile.ts";
import { copyTeammate, createTeammate, hideTeammate, showTeammate, updateTeammate } from "./save.ts";
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
  /** False where its answers come without a sound; failures, and what needs somebody, still notify. */
  readonly notifications: boolean;
}

/** One of everybody, there or away. */
export interface Member extends Teammate {
  /** Keeps everything and takes no new work. */
  readonly hidden: boolean;
}

export interface Teammates {
  /** The teammate of a fresh install; made once, however many processes ask. */
  ensureDefault(unit: Unit): Promise<Teammate>;
  get(db: Db, id: string): Promise<Teammate | undefined>;
  /** By handle or name, in any case. */
  byHandle(db: Db, handle: string): Promise<Teammate | undefined>;
  /** Those that are not hidden, oldest first. */
  list(db: Db): Promise<Teammate[]>;
  /** Hidden ones, too. */
  everyone(db: Db): Promise<Member[]>;
  /**
   * Somebody new joins. Managers and above; nothing is written unless all of it is well. The same key again gives what was saved
   * with it.
   */
  create(unit: Unit, by: Actor, profile: NewProfile, creation?: Creation): Promise<Saved>;
  /** Somebody new with all settings of another; memory and conversations stay with that one. */
  copy(unit: Unit, by: Person, id: string, copy: { readonly name: string; readonly key?: string }): Promise<Saved>;
  /** Changes a profile, all of it or nothing. Managers and above; to widen what a teammate may do, owner and admins. */
  update(unit: Unit, by: Actor, id: string, change: Partial<Profile>): Promise<Saved>;
  /** Owner and admins. What waits for it has to be told: `mailbox.pause` and `mailbox.resume`. */
  hide(unit: Unit, by: Person, id: string): Promise<Saved>;
  show(unit: Unit, by: Person, id: string): Promise<Saved>;
  /** Three things to try first, as far as somebody chose them. */
  firstTasks(db: Db, id: string): Promise<readonly string[] | null>;
  /** True the first time a person meets a teammate that somebody made; whom the house began with, people know from the start. */
  meet(unit: Unit, id: string, person: Pick<Person, "id">): Promise<boolean>;
}

/** What is kept of a creation besides the profile. */
export interface Creation {
  /** A creation that is repeated after a lost answer carries the same. */
  readonly key?: string | undefined;
  readonly firstTasks?: readonly string[] | undefined;
}

export type NewProfile = Pick<Profile, "name" | "title" | "job"> & Partial<Profile>;

export type Saved =
  | { readonly kind: "saved"; readonly teammate: Teammate }
  | { readonly kind: "refused"; readonly problem: ProfileProblem };

const tasksSchema = z.array(z.string().min(1)).min(1);

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

/** What people type after `/ask`: the name where that is one word. */
export function askName({ name, handle }: Pick<Teammate, "name" | "handle">): string {
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? name : handle;
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
    everyone: store.everyone,
    create: (unit, by, profile, creation = {}) => createTeammate(unit, by, profile, creation),
    copy: copyTeammate,
    update: updateTeammate,
    hide: hideTeammate,
    show: showTeammate,
    firstTasks: async (db, id) => tasksSchema.safeParse(await store.firstTasks(db, id)).data ?? null,
    meet: (unit, id, person) => store.meet(unit.db, id, person.id),
  };
}
