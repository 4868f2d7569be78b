import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Person } from "../people/index.ts";
import { type Log, newId } from "../shared/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { type Bundle, contentHash } from "./bundle.ts";
import { filesOf, isFolder, writeFolder } from "./folder.ts";
import * as store from "./skills.store.ts";

export const mostSkills = 32;

/** Something a teammate knows how to do: a folder with a SKILL.md. */
export interface Skill {
  readonly id: string;
  /** What people type after "/": lower-case words joined by dashes. */
  readonly name: string;
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  /** Changes exactly when a file in it does. */
  readonly contentHash: string;
}

/** A skill with who brought it and who has it. */
export interface InstalledSkill extends Skill {
  readonly origin: "upload" | "path" | "teammate";
  /** The teammate that installed it for itself; null for a person's. */
  readonly teammateId: string | null;
  /** The ids of the teammates that have it, oldest first. */
  readonly teammates: readonly string[];
}

/** Who installs a skill: a person for whoever they choose, or a teammate for itself. */
export type Installer =
  | { readonly kind: "person"; readonly person: Person; readonly from: "upload" | "path" }
  | { readonly kind: "teammate"; readonly teammateId: string; readonly approvedBy: string | null };

export type Installed =
  | { readonly kind: "installed"; readonly skill: InstalledSkill; readonly replaced: boolean }
  /** A teammate does not replace what somebody else brought. */
  | { readonly kind: "name_taken" }
  | { readonly kind: "too_many" };

export type Removed = "removed" | "gone" | "not_yours";
export type Enabled = "enabled" | "too_many" | "gone";

export interface Skills {
  /** Those of one teammate, by name. */
  of(db: Db, teammateId: string): Promise<readonly Skill[]>;
  /** All there are, by name. */
  list(db: Db): Promise<readonly InstalledSkill[]>;
  byName(db: Db, name: string): Promise<InstalledSkill | undefined>;
  /** Puts a skill where every teammate could have it; one of the same name is replaced, and whoever had it has the new one. */
  install(unit: Unit, bundle: Bundle, by: Installer): Promise<Installed>;
  enable(unit: Unit, skillId: string, teammateId: string, by: Person | null): Promise<Enabled>;
  disable(unit: Unit, skillId: string, teammateId: string, by: Person | null): Promise<void>;
  /** Takes it from everybody. Its files go too, but for those that somebody changed since. A teammate removes what it installed, and nobody else has. */
  remove(unit: Unit, skillId: string, by: Person | { readonly teammateId: string }): Promise<Removed>;
}

export interface SkillsDeps {
  /** SHIPMATE_HOME. */
  readonly home: string;
  readonly log: Log;
}

export function createSkills({ home, log }: SkillsDeps): Skills {
  const root = join(home, "skills");
  const absolute = <Row extends store.SkillRow>(row: Row): Row => ({ ...row, folder: join(root, row.folder) });

  /** Files that nobody needs any more. A failure leaves them, and is only logged: nothing looks there. */
  async function clear({ name, folder, contentHash: known }: Skill): Promise<void> {
    try {
      const files = await filesOf(folder);
      if (typeof files === "string" || contentHash(files) !== known) {
        log.warn({ skill: name, folder }, "the files of a skill were changed since it was installed: they stay");
        return;
      }
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      log.warn({ err: error, skill: name, folder }, "the files of a skill could not be removed");
    }
  }

  async function find(db: Db, name: string): Promise<InstalledSkill | undefined> {
    const row = await store.byName(db, name);
    return row && absolute(row);
  }

  return {
    of: async (db, teammateId) => (await store.ofTeammate(db, teammateId)).map(absolute),
    list: async (db) => (await store.list(db)).map(absolute),
    byName: find,

    async install(unit, bundle, by) {
      const { name, description, files, contentHash: hash } = bundle;
      await store.lockName(unit.db, name);
      const before = await find(unit.db, name);
      const teammateId = by.kind === "teammate" ? by.teammateId : null;
      if (by.kind === "teammate" && before && !isOnlyOf(before, by.teammateId)) return { kind: "name_taken" };
      const isNew = teammateId !== null && !before?.teammates.includes(teammateId);
      if (isNew && (await store.countOf(unit.db, teammateId)) >= mostSkills) return { kind: "too_many" };
      // Each content has a folder of its own, used once: whoever reads one never sees half of another.
      const isSame = before?.contentHash === hash && (await isFolder(before.folder));
      const folder = isSame ? relative(root, before.folder) : join(name, `${hash.slice(0, 12)}-${newId().slice(-8)}`);
      if (!isSame) await writeFolder(join(root, folder), files);
      const origin: InstalledSkill["origin"] = by.kind === "person" ? by.from : "teammate";
      const row = { id: before?.id ?? newId(), name, description, folder, contentHash: hash, origin, teammateId };
      await store.save(unit.db, { ...row, installedBy: by.kind === "person" ? by.person.id : by.approvedBy });
      if (teammateId !== null) await store.enable(unit.db, row.id, teammateId);
      await trace(unit, "skill_installed", { ...row, by });
      if (before && !isSame) unit.afterCommit(() => void clear(before));
      const skill = await find(unit.db, name);
      if (!skill) throw new Error(`the skill ${name} was not stored`);
      return { kind: "installed", skill, replaced: before !== undefined };
    },

    async enable(unit, skillId, teammateId, by) {
      const skill = await store.lock(unit.db, skillId);
      if (!skill) return "gone";
      await store.lockTeammate(unit.db, teammateId);
      if ((await store.countOf(unit.db, teammateId, skillId)) >= mostSkills) return "too_many";
      await store.enable(unit.db, skillId, teammateId);
      await change(unit, "skill_enabled", skill.name, teammateId, by);
      return "enabled";
    },

    async disable(unit, skillId, teammateId, by) {
      const skill = await store.lock(unit.db, skillId);
      if (!skill) return;
      await store.disable(unit.db, skillId, teammateId);
      await change(unit, "skill_disabled", skill.name, teammateId, by);
    },

    async remove(unit, skillId, by) {
      const row = await store.lock(unit.db, skillId);
      const skill = row && (await find(unit.db, row.name));
      if (!skill) return "gone";
      if ("teammateId" in by && !isOnlyOf(skill, by.teammateId)) return "not_yours";
      await store.remove(unit.db, skillId);
      const person = "teammateId" in by ? null : by;
      const teammateId = "teammateId" in by ? by.teammateId : undefined;
      await change(unit, "skill_removed", skill.name, teammateId, person);
      unit.afterCommit(() => void clear(skill));
      return "removed";
    },
  };
}

/** What a teammate brought and nobody gave to anyone else is its own. */
function isOnlyOf(skill: InstalledSkill, teammateId: string): boolean {
  return skill.teammateId === teammateId && skill.teammates.every((each) => each === teammateId);
}

interface Traced {
  readonly id: string;
  readonly name: string;
  readonly contentHash: string;
  readonly by: Installer;
}

function trace({ db }: Unit, action: string, { id, name, contentHash: hash, by }: Traced): Promise<void> {
  const data = { name, hash };
  return by.kind === "person"
    ? audit(db, { personId: by.person.id, action, target: id, data })
    : audit(db, { personId: by.approvedBy, teammateId: by.teammateId, action, target: id, data });
}

function change(
  { db }: Unit,
  action: string,
  name: string,
  teammateId: string | undefined,
  by: Person | null,
): Promise<void> {
  const whose = teammateId === undefined ? {} : { teammateId };
  return audit(db, { personId: by?.id ?? null, action, target: name, data: { name }, ...whose });
}
