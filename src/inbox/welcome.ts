import { type WelcomeKind, welcomePost } from "../runs/index.ts";
import type { Teammate } from "../teammates/index.ts";
import { byPerson, type PersonScene, type Scene, say } from "./scene.ts";

/** What is said of somebody who joined just now. Whoever made it has met it thereby. */
export async function welcomeHere(scene: PersonScene, teammate: Teammate) {
  await scene.deps.teammates.meet(scene.unit, teammate.id, scene.person);
  return welcomeOf(scene, teammate, "joined");
}

/** The greeting of a colleague to somebody who has never had to do with it; false where they have met. */
export async function welcomeInPassing(scene: Scene, teammateId: string): Promise<boolean> {
  const { deps, unit } = scene;
  if (!byPerson(scene) || !(await deps.teammates.meet(unit, teammateId, scene.person))) return false;
  const teammate = await deps.teammates.get(unit.db, teammateId);
  if (!teammate) return false;
  const { text, buttons } = await welcomeOf(scene, teammate, "met");
  await say(scene, text, { buttons, part: `welcome:${teammateId}` });
  return true;
}

/** The greeting as it stands; `left`: what it still offers. */
export function welcomeOf(
  { unit, deps, words, person }: PersonScene,
  teammate: Teammate,
  kind: WelcomeKind,
  left?: readonly string[],
) {
  return welcomePost(unit, deps.teammates, words, { kind, teammate, personId: person.id, command: "/ask", left });
}
