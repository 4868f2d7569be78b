import type { Teammate } from "../../teammates/index.ts";
import type { Scene } from "../scene.ts";

/** Whom a command is about: who is named, else who answers here by default. */
export async function teammateFor({ deps, unit, place }: Scene, argument: string): Promise<Teammate | undefined> {
  await deps.teammates.ensureDefault(unit);
  const name = argument.trim().replace(/^@|[:,.]$/gu, "");
  if (name !== "") return deps.teammates.byHandle(unit.db, name);
  const teammates = await deps.teammates.list(unit.db);
  return teammates.find(({ id }) => id === place.leadTeammateId) ?? teammates[0];
}
