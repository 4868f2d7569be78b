import type { Post } from "../../chat/index.ts";
import { deliveriesOf, type ReportDelivery, type Routine, type RoutineRun } from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { mayChange } from "./rights.ts";
import { runText } from "./run-words.ts";
import { issue, type Key, toButton } from "./tokens.ts";

const shownRuns = 10;

/** How it went the last times, newest first. */
export async function logCard(scene: PersonScene, routine: Routine): Promise<Pick<Post, "text" | "buttons">> {
  const { unit, deps, words } = scene;
  const { log, buttons } = words.routines;
  const runs = await deps.routines.runs(unit.db, routine.id, shownRuns);
  const lines = [];
  for (const run of runs) lines.push(log.line(await partsOf(scene, routine, run)));
  const back: Key = { label: buttons.back, action: "routine_show", payload: { routineId: routine.id } };
  const token = await issue(scene, [back]);
  return {
    text: [log.title(plain(routine.name)), lines.length === 0 ? log.none : lines.join("\n")].join("\n\n"),
    buttons: [[toButton(back, token(back))]],
  };
}

async function partsOf(scene: PersonScene, routine: Routine, run: RoutineRun): Promise<string[]> {
  const { routines: words } = scene.words;
  return [
    runText(scene, routine, run),
    ...(run.source === "schedule" ? [] : [words.sources[run.source]]),
    ...(run.late ? [words.late] : []),
    ...(run.missed > 0 ? [words.missed(run.missed)] : []),
    ...deliveryTexts(scene, routine, await deliveriesOf(scene.unit.db, run.id)),
  ];
}

/** Where the report is: titles of other places only to whom it belongs. */
function deliveryTexts(scene: PersonScene, routine: Routine, deliveries: readonly ReportDelivery[]): string[] {
  const { routines: words } = scene.words;
  const sees = mayChange(scene.person, routine);
  const named = (status: ReportDelivery["status"]) =>
    deliveries
      .filter((each) => each.status === status)
      .map(({ placeId, placeTitle }) => {
        if (placeId === scene.place.id) return words.places.here;
        return sees && placeTitle !== null ? plain(placeTitle) : words.places.elsewhere;
      });
  const texts = { sent: words.delivered, waiting: words.onItsWay, failed: words.undelivered } as const;
  return (["sent", "waiting", "failed"] as const).flatMap((status) => {
    const places = [...new Set(named(status))];
    return places.length === 0 ? [] : [texts[status](places)];
  });
}
