import { mayMakeRoutines, type Routine, triggerText } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { routinesHere } from "./rights.ts";
import { runText, stateText } from "./run-words.ts";
import { buttonRows, type Key, type RoutinePost } from "./tokens.ts";

/** What a phone shows without much scrolling. */
const shownAtOnce = 8;
const buttonsInRow = 4;

/** A page of the routines that concern whoever looks, with a button for each. */
export async function listCard(scene: PersonScene, wanted: number): Promise<RoutinePost> {
  const { words } = scene;
  const { buttons, title, empty } = words.routines;
  const all = await routinesHere(scene);
  if (all.length === 0) return { text: empty(mayMakeRoutines(scene.person)) };
  const pages = Math.ceil(all.length / shownAtOnce);
  // The last page may have become empty meanwhile.
  const page = Math.min(wanted, pages - 1);
  const from = page * shownAtOnce;
  const shown = all.slice(from, from + shownAtOnce);
  const numbers = shown.map(({ id }, index): Key => {
    return { label: String(from + index + 1), action: "routine_show", payload: { routineId: id } };
  });
  const turn = (to: number, label: string): Key => ({ label, action: "routine_list", payload: { page: to } });
  const turning = [
    ...(page > 0 ? [turn(page - 1, buttons.earlier)] : []),
    ...(page < pages - 1 ? [turn(page + 1, buttons.more)] : []),
  ];
  const rows = [numbers.slice(0, buttonsInRow), numbers.slice(buttonsInRow), turning];
  return {
    text: [title, ...(await sections(scene, shown, from))].join("\n\n"),
    buttons: await buttonRows(scene, rows),
  };
}

/** Under the name of whoever does them, where that is not always the same. */
async function sections(scene: PersonScene, shown: readonly Routine[], from: number): Promise<string[]> {
  const { deps, unit } = scene;
  const away = (await deps.teammates.everyone(unit.db)).filter(({ hidden }) => hidden).map(({ id }) => id);
  const numbered = shown.map((routine, index) => ({ routine, nth: from + index + 1 }));
  const groups = [...Map.groupBy(numbered, ({ routine }) => routine.teammateId).entries()];
  const texts = [];
  for (const [teammateId, routines] of groups) {
    const lines = [];
    for (const { routine, nth } of routines) lines.push(await lineOf(scene, routine, nth));
    const name = plain(routines[0]?.routine.teammateName ?? "");
    const isAway = away.includes(teammateId);
    const heading = isAway ? `**${scene.words.routines.away(name)}**` : `**${name}**`;
    texts.push(groups.length > 1 || isAway ? `${heading}\n\n${lines.join("\n")}` : lines.join("\n"));
  }
  return texts;
}

async function lineOf(scene: PersonScene, routine: Routine, nth: number): Promise<string> {
  const { unit, deps, person, words } = scene;
  const [last] = await deps.routines.runs(unit.db, routine.id, 1);
  const whose = routine.author === null || routine.author.id === person.id ? [] : [plain(routine.author.name)];
  const when = triggerText(routine.trigger, routine.timezone, words, { readerZone: person.timezone });
  return words.routines.line(nth, plain(routine.name), when, [
    stateText(scene, routine),
    ...(last ? [runText(scene, routine, last)] : []),
    ...whose,
  ]);
}
