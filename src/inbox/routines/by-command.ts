import type { Routine } from "../../routines/index.ts";
import type { PersonCommandScene } from "../command.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import { refusalText } from "./draft-problems.ts";

/** What may be said before a name. */
export const verbs = ["run", "test", "pause", "resume", "delete", "log", "edit", "webhook"] as const;
export type Verb = (typeof verbs)[number];

/** `/routine run Open incidents`, for those who type, and for scripts. */
export async function changeByCommand(
  scene: PersonCommandScene,
  routine: Routine,
  verb: "run" | "test" | "pause" | "resume",
): Promise<Outcome> {
  const { words } = scene;
  const { done, told } = words.routines;
  if (verb === "run" || verb === "test") return startByCommand(scene, routine, verb);
  const saved = await scene.deps.routines[verb](scene.unit, scene.person, routine.id);
  if (saved.kind === "refused") {
    await say(scene, await refusalText(scene.unit.db, saved.problem, words));
    return dropped("invalid");
  }
  const text = verb === "pause" ? told.paused : told.resumed;
  const isAlone = scene.place.kind === "dm";
  const answer = verb === "pause" ? done.paused : done.resumed;
  await say(scene, isAlone ? answer : text(plain(scene.person.displayName), plain(routine.name)), { toAll: true });
  return handled;
}

async function startByCommand(scene: PersonCommandScene, { id }: Routine, verb: "run" | "test"): Promise<Outcome> {
  const { unit, deps, person, event, connectionId, words } = scene;
  const { done } = words.routines;
  const how = verb === "run" ? "manual" : "test";
  const started = await deps.routines.runNow(unit, person, id, how, `command:${connectionId}:${event.key}`);
  switch (started.kind) {
    case "queued":
      await say(scene, how === "test" ? done.testing : done.started);
      return handled;
    case "running":
      await say(scene, done.running);
      return handled;
    case "refused":
      await say(scene, await refusalText(unit.db, started.problem, words));
      return dropped("invalid");
  }
}
