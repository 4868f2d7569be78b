import { type Button, clip, type Select } from "../../chat/index.ts";
import { type ReachablePlace, reachablePlaces } from "../../places/index.ts";
import {
  destinationText,
  isSamePlace,
  type KeptDraft,
  namedPlaces,
  placeText,
  type RoutineDestination,
} from "../../routines/index.ts";
import { type PersonScene, plain } from "../scene.ts";
import { issue, type Key, type RoutinePost, toButton, whoMay } from "./tokens.ts";

/** A list holds 25 anywhere; on a phone without lists each is a button. */
const offeredAtOnce = 12;
/** With more than these there is a row for several. */
const rowsOfTheirOwn = 2;
const inARow = 3;
const longestLabel = 40;

interface Target {
  readonly placeId: string;
  readonly thread: string;
  readonly label: string;
  readonly canHaveThread: boolean;
}

/** Where reports go: what is chosen, with a way to take it out again, and what could be. */
export async function whereView(scene: PersonScene, kept: KeptDraft, page: number): Promise<RoutinePost> {
  const { words } = scene;
  const { places, buttons } = words.routines;
  const { draft } = kept;
  const about = { draftId: kept.id };
  const chosen = await chosenIn(scene, kept);
  const all = await offered(scene, kept);
  const pages = Math.max(1, Math.ceil(all.length / offeredAtOnce));
  const at = Math.min(page, pages - 1);
  const shown = all.slice(at * offeredAtOnce, (at + 1) * offeredAtOnce);
  const use = (does: string, { placeId, thread }: Target, label: string): Key => {
    return { label, action: "routine_draft_place", payload: { ...about, does, placeId, thread, page: at } };
  };
  const turn = (to: number, label: string): Key => {
    return { label, action: "routine_draft_view", payload: { ...about, view: "where", page: to } };
  };
  const rows = [
    ...rowsOfChosen(chosen, use, buttons),
    [
      ...(at > 0 ? [turn(at - 1, buttons.earlier)] : []),
      ...(at < pages - 1 ? [turn(at + 1, buttons.more)] : []),
      { label: buttons.done, action: "routine_draft_view", payload: { ...about, view: "parts" } },
    ],
  ];
  const options = shown.map((target) => use("add", target, target.label));
  const token = await issue(scene, [...rows.flat(), ...options], whoMay(kept));
  const select: Select = {
    label: words.routines.selects.where,
    options: options.map((key) => ({ label: key.label, token: token(key) })),
  };
  const lines = chosen.map(({ text }) => `- ${text}`);
  const name = draft.name === "" ? words.routines.draft.noName : plain(draft.name);
  return {
    text: [`**${name}**`, lines.length === 0 ? places.none : lines.join("\n"), places.choose].join("\n\n"),
    buttons: rows.map((row): Button[] => row.map((key) => toButton(key, token(key)))),
    ...(options.length === 0 ? {} : { selects: [select] }),
  };
}

interface Chosen extends Target {
  readonly ownThread: boolean;
  /** As Markdown; a label is plain. */
  readonly text: string;
}

type Use = (does: "remove" | "own_thread" | "no_thread", target: Target, label: string) => Key;

/** A platform has five rows at most: with many places only taking them out is offered. */
function rowsOfChosen(
  chosen: readonly Chosen[],
  use: Use,
  buttons: PersonScene["words"]["routines"]["buttons"],
): Key[][] {
  const remove = (each: Chosen) => use("remove", each, buttons.remove(each.label));
  if (chosen.length > rowsOfTheirOwn) {
    const rows: Key[][] = [];
    for (let from = 0; from < Math.min(chosen.length, 3 * inARow); from += inARow) {
      rows.push(chosen.slice(from, from + inARow).map(remove));
    }
    return rows;
  }
  return chosen.map((each) => {
    if (!each.canHaveThread) return [remove(each)];
    const thread = each.ownThread
      ? use("no_thread", each, buttons.noThread(each.label))
      : use("own_thread", each, buttons.ownThread(each.label));
    return [remove(each), thread];
  });
}

async function chosenIn(scene: PersonScene, { draft }: KeptDraft): Promise<Chosen[]> {
  const { unit, words } = scene;
  const named = await namedPlaces(
    unit.db,
    draft.destinations.map(({ placeId }) => placeId),
  );
  const chosen = [];
  for (const destination of draft.destinations) {
    const place = named.get(destination.placeId);
    const isHome = isSamePlace(destination, draft.home) && !destination.ownThread;
    const text = isHome ? words.routines.places.here : destinationText(destination, place, words);
    chosen.push({
      ...destination,
      text,
      label: isHome ? words.routines.places.here : labelOf(scene, place),
      canHaveThread: destination.thread === "" && (await canHaveThread(scene, destination)),
    });
  }
  return chosen;
}

/** As a button says it: without Markdown. */
function labelOf({ words }: PersonScene, place: Parameters<typeof placeText>[0]): string {
  return clip(placeText(place, words).replaceAll("\\", ""), longestLabel);
}

async function canHaveThread(
  { unit, deps }: PersonScene,
  { placeId }: Pick<RoutineDestination, "placeId">,
): Promise<boolean> {
  const place = await deps.places.get(unit.db, placeId);
  if (!place || place.kind === "dm" || place.kind === "group") return false;
  return deps.adapters.get(place.connectionId)?.openThread !== undefined;
}

/** Where this person may have it post and what is not chosen yet: here, their own chats, then by name. */
async function offered(scene: PersonScene, kept: KeptDraft): Promise<Target[]> {
  const { unit, deps, person, words } = scene;
  const { home, destinations } = kept.draft;
  const teammate = await deps.teammates.get(unit.db, kept.teammateId);
  const reachable = await reachablePlaces(unit.db, person, teammate?.handle ?? "");
  const here = { ...home, label: words.routines.places.here, canHaveThread: false };
  const others = reachable
    .filter(({ id }) => !isSamePlace({ placeId: id, thread: "" }, home))
    .toSorted((one, other) => Number(other.kind === "dm") - Number(one.kind === "dm"))
    .map((place) => ({ placeId: place.id, thread: "", label: titleOf(scene, place, reachable), canHaveThread: false }));
  const mayUseHome = reachable.some(({ id }) => id === home.placeId);
  return [...(mayUseHome ? [here] : []), ...others].filter(
    (target) => !destinations.some((each) => isSamePlace(each, target)),
  );
}

/** With its app where two are called the same. */
function titleOf(scene: PersonScene, place: ReachablePlace, all: readonly ReachablePlace[]): string {
  const person = place.kind === "dm" ? scene.person.displayName : null;
  const name = labelOf(scene, { ...place, person });
  const hasTwin = all.some(
    (other) => other.id !== place.id && other.kind === place.kind && other.title === place.title,
  );
  return hasTwin ? `${name} · ${place.platform}` : name;
}
