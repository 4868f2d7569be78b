import { isClipped, mayChangeRoutine, quoted, type Routine, triggerText, whereText } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { hereOf } from "./here.ts";
import { isUnderWay, runText, stateText } from "./run-words.ts";
import { buttonRows, type Key, type RoutinePost } from "./tokens.ts";

/** One routine: what it does, when, how it went last, and what can be done with it. */
export async function routineCard(scene: PersonScene, routine: Routine): Promise<RoutinePost> {
  const { unit, deps, person, words } = scene;
  const [last] = await deps.routines.runs(unit.db, routine.id, 1);
  const rows = mayChangeRoutine(person, routine)
    ? ownerRows(scene, routine, isUnderWay(last))
    : [[key(scene, routine, "log"), listKey(scene)]];
  const { facts, draft } = words.routines;
  const lines = [
    await headingOf(scene, routine),
    stateText(scene, routine),
    ...(last ? [facts.last(runText(scene, routine, last))] : []),
    ...(routine.trigger.kind === "schedule" ? [draft.ifMissed[routine.missed]] : []),
    ...(routine.atLimit === "skip" ? [draft.atLimit.skip] : []),
    ...(routine.kind === "check_in" ? [draft.checkIn] : []),
    facts.whose(plain(routine.teammateName), routine.author && plain(routine.author.name)),
  ];
  return {
    text: [lines.join("\n"), quoted(routine.instruction)].join("\n\n"),
    buttons: await buttonRows(scene, rows),
  };
}

/** Its name, where it reports and when. */
export async function headingOf(scene: PersonScene, routine: Routine): Promise<string> {
  const { unit, person, words } = scene;
  const looksFrom = { here: hereOf(scene), all: mayChangeRoutine(person, routine) };
  const where = await whereText(unit.db, routine, looksFrom, words);
  const when = triggerText(routine.trigger, routine.timezone, words);
  return words.routines.draft.heading(plain(routine.name), where.join(", "), when);
}

function ownerRows(scene: PersonScene, routine: Routine, isRunning: boolean): Key[][] {
  const { buttons } = scene.words.routines;
  const isOver = routine.stoppedBecause === "over";
  const whole: Key[] = isClipped(routine.instruction) ? [key(scene, routine, "whole")] : [];
  const secret: Key = { ...key(scene, routine, "secret"), action: "routine_webhook" };
  return [
    isRunning
      ? [{ ...key(scene, routine, "stop"), style: "danger" }]
      : [key(scene, routine, "runNow"), key(scene, routine, "test")],
    [
      ...(isOver ? [] : [key(scene, routine, routine.active ? "pause" : "resume")]),
      key(scene, routine, "edit"),
      key(scene, routine, "log"),
    ],
    [...whole, ...(routine.trigger.kind === "webhook" ? [secret] : []), key(scene, routine, "delete")],
    [{ ...listKey(scene), label: buttons.all }],
  ];
}

const actionOf = {
  runNow: "routine_start",
  test: "routine_test",
  stop: "routine_stop",
  pause: "routine_pause",
  resume: "routine_resume",
  edit: "routine_edit",
  log: "routine_log",
  whole: "routine_whole",
  delete: "routine_delete_ask",
  secret: "routine_webhook",
} as const;

export function key({ words }: PersonScene, { id }: Routine, what: keyof typeof actionOf): Key {
  return { label: words.routines.buttons[what], action: actionOf[what], payload: { routineId: id } };
}

export function listKey({ words }: PersonScene): Key {
  return { label: words.routines.buttons.all, action: "routine_list", payload: { page: 0 } };
}
