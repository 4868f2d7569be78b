import type { Db } from "../storage/index.ts";

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

export interface Skills {
  /** Those of one teammate, by name. */
  of(db: Db, teammateId: string): Promise<readonly Skill[]>;
}

export function createSkills(): Skills {
  return { of: async () => [] };
}
