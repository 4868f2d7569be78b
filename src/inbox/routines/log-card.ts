import {
  deliveriesOf,
  mayChangeRoutine,
  namedPlaces,
  placeText,
  type ReportDelivery,
  type Routine,
  type RoutineRun,
} from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { runText } from "./run-words.ts";
import { buttonRows, type Key, type RoutinePost } from "./tokens.ts";

const shownRuns = 10;

/** How it went the last times, newest first. */
export async function logCard(scene: PersonScene, routine: Routine): Promise<RoutinePost> {
  const { unit, deps, words } = scene;
  const { log, buttons } = words.routines;
  const runs = await deps.routines.runs(unit.db, routine.id, shownRuns);
  const lines = [];
  for (const run of runs) lines.push(log.line(await partsOf(scene, routine, run)));
  const back: Key = { label: buttons.back, action: "routine_show", payload: { routineId: routine.id } };
  return {
    text: [log.title(plain(routine.name)), lines.length === 0 ? log.none : lines.join("\n")].join("\n\n"),
    buttons: await buttonRows(scene, [[back]]),
  };
}

async function partsOf(scene: PersonScene, routine: Routine, run: RoutineRun): Promise<string[]> {
  const { routines: words } = scene.words;
  return [
    runText(scene, routine, run),
    ...(run.source === "schedule" ? [] : [words.sources[run.source]]),
    ...(run.late ? [words.late] : []),
    ...(run.missed > 0 ? [words.missed(run.missed)] : []),
    ...(await deliveryTexts(scene, routine, await deliveriesOf(scene.unit.db, run.id))),
  ];
}

/** Where the report is: titles of other places only to whom it belongs. */
async function deliveryTexts(
  scene: PersonScene,
  routine: Routine,
  deliveries: readonly ReportDelivery[],
): Promise<string[]> {
  const { unit, person, place, words } = scene;
  const { routines } = words;
  const sees = mayChangeRoutine(person, routine);
  const named = await namedPlaces(
    unit.db,
    deliveries.map(({ placeId }) => placeId),
  );
  const nameOf = ({ placeId }: ReportDelivery) => {
    if (placeId === place.id) return routines.places.here;
    return sees ? placeText(named.get(placeId), words) : routines.places.elsewhere;
  };
  const texts = { sent: routines.delivered, waiting: routines.onItsWay, failed: routines.undelivered } as const;
  return (["sent", "waiting", "failed"] as const).flatMap((status) => {
    const places = new Set(deliveries.filter((each) => each.status === status).map(nameOf));
    return places.size === 0 ? [] : [texts[status]([...places])];
  });
}
