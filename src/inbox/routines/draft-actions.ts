import type { ButtonEvent } from "../../chat/index.ts";
import {
  changeDraft,
  closeDraft,
  holdDraft,
  isSamePlace,
  type KeptDraft,
  type NewRoutine,
  type Routine,
  type RoutineDestination,
  type RoutineSaved,
  routineLimits,
  triggerText,
  whereText,
} from "../../routines/index.ts";
import { type Action, type Card, type Pressed, redraw } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { whenOver } from "./draft-over.ts";
import { draftAbout, placeAbout, setAbout, viewAbout } from "./draft-payloads.ts";
import { refusalText } from "./draft-problems.ts";
import { draftView } from "./draft-view.ts";
import { hereOf } from "./here.ts";
import { madeCard } from "./made-card.ts";
import { routineCard } from "./routine-card.ts";
import { showSecret } from "./webhook.ts";
import { sendWhole } from "./whole-text.ts";

type Pressing = PersonScene<ButtonEvent>;

/** Does something with a draft that is still open; who comes too late is told so. */
async function withDraft(
  scene: Pressing,
  payload: unknown,
  card: Card,
  act: (kept: KeptDraft) => Promise<Pressed>,
): Promise<Pressed> {
  const kept = await holdDraft(scene.unit.db, draftAbout.parse(payload).draftId);
  return kept?.status === "open" ? act(kept) : whenOver(scene, card);
}

export const draftActions: Readonly<Record<string, Action>> = {
  routine_draft_view: (scene, payload, card) =>
    withDraft(scene, payload, card, async (kept) => {
      await redraw(scene, card, await draftView(scene, kept, viewAbout.parse(payload)));
      return { outcome: handled };
    }),

  routine_draft_set: (scene, payload, card) =>
    withDraft(scene, payload, card, async (kept) => {
      const {
        missed = kept.draft.missed,
        atLimit = kept.draft.atLimit,
        teammateId = kept.teammateId,
      } = setAbout.parse(payload);
      const changed = { ...kept, teammateId, draft: { ...kept.draft, missed, atLimit } };
      await changeDraft(scene.unit.db, kept.id, changed);
      await redraw(scene, card, await draftView(scene, changed, { view: "parts" }));
      return { outcome: handled };
    }),

  routine_draft_place: (scene, payload, card) =>
    withDraft(scene, payload, card, async (kept) => {
      const { page, ...change } = placeAbout.parse(payload);
      const destinations = withPlace(kept.draft.destinations, change);
      const isTooMany = destinations.length > routineLimits.destinations;
      const changed = isTooMany ? kept : { ...kept, draft: { ...kept.draft, destinations } };
      await changeDraft(scene.unit.db, kept.id, changed);
      await redraw(scene, card, await draftView(scene, changed, { view: "where", page }));
      const answer = scene.words.routines.problems.too_many_destinations(routineLimits.destinations);
      return isTooMany ? { outcome: dropped("invalid"), answer } : { outcome: handled };
    }),

  routine_draft_whole: (scene, payload, card) =>
    withDraft(scene, payload, card, async (kept) => {
      await sendWhole(scene, kept.draft.name, kept.draft.instruction);
      await redraw(scene, card, await draftView(scene, kept, { view: "parts" }));
      return { outcome: handled };
    }),

  routine_draft_cancel: (scene, payload, card) =>
    withDraft(scene, payload, card, async (kept) => {
      const { cancelled, unchanged } = scene.words.routines.draft;
      await closeDraft(scene.unit.db, kept.id, "cancelled");
      const routine =
        kept.routineId === null ? undefined : await scene.deps.routines.get(scene.unit.db, kept.routineId);
      await redraw(scene, card, routine ? await routineCard(scene, routine) : { text: cancelled });
      return { outcome: handled, answer: kept.routineId === null ? undefined : unchanged };
    }),

  routine_draft_save: (scene, payload, card) => withDraft(scene, payload, card, (kept) => saveDraft(scene, kept, card)),
};

function withPlace(
  chosen: readonly RoutineDestination[],
  { does, placeId, thread }: { readonly does: string; readonly placeId: string; readonly thread: string },
): RoutineDestination[] {
  const target = { placeId, thread };
  switch (does) {
    case "add":
      return [...chosen.filter((each) => !isSamePlace(each, target)), { ...target, ownThread: false }];
    case "remove":
      return chosen.filter((each) => !isSamePlace(each, target));
    default:
      return chosen.map((each) => (isSamePlace(each, target) ? { ...each, ownThread: does === "own_thread" } : each));
  }
}

/** Makes it real, or says why not and leaves the card open. */
async function saveDraft(scene: Pressing, kept: KeptDraft, card: Card): Promise<Pressed> {
  const { unit, words } = scene;
  const saved = await save(scene, kept);
  if (saved.kind === "refused") {
    const problem = await refusalText(unit.db, saved.problem, words);
    await redraw(scene, card, await draftView(scene, kept, { view: "draft", problem }));
    return { outcome: dropped("invalid"), answer: problem };
  }
  const { routine } = saved;
  await closeDraft(unit.db, kept.id, "done");
  await redraw(scene, card, await madeCard(scene, routine, kept.routineId === null ? "created" : "changed"));
  if (card.onlyFor) await tellAll(scene, routine, kept.routineId === null ? "created" : "changed");
  const wantsSecret = routine.trigger.kind === "webhook" && (kept.routineId === null || kept.draft.newSecret);
  return wantsSecret ? showSecret(scene, routine) : { outcome: handled, answer: words.routines.done.saved };
}

async function save(
  { unit, deps, person }: Pressing,
  { id, routineId, teammateId, draft }: KeptDraft,
): Promise<RoutineSaved> {
  const { home, newSecret: _, trigger, ...rest } = draft;
  if (trigger === null) return { kind: "refused", problem: { kind: "schedule", problem: { kind: "no_time" } } };
  const plan = { ...rest, trigger };
  if (routineId !== null) return deps.routines.update(unit, person, routineId, plan);
  const routine: NewRoutine = { ...plan, teammateId, home };
  return deps.routines.create(unit, person, routine, `draft:${id}`);
}

/** Where only one person saw the card, the others hear of it, too: it will speak here. */
async function tellAll(scene: Pressing, routine: Routine, became: "created" | "changed"): Promise<void> {
  const { unit, person, words } = scene;
  const where = await whereText(unit.db, routine, { here: hereOf(scene), all: false }, words);
  const when = triggerText(routine.trigger, routine.timezone, words);
  const text = words.routines.told[became](plain(person.displayName), plain(routine.name), where.join(", "), when);
  await say(scene, text, { toAll: true, part: "told" });
}
