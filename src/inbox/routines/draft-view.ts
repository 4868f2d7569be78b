import { clip, type Select } from "../../chat/index.ts";
import { isClipped, type KeptDraft } from "../../routines/index.ts";
import { routineDraftPost } from "../../runs/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import type { PersonScene } from "../scene.ts";
import type { DraftView, Part } from "./draft-payloads.ts";
import { hereOf } from "./here.ts";
import { issue, type Key, type RoutinePost, toButton, whoMay } from "./tokens.ts";
import { whereView } from "./where-view.ts";

interface Shown {
  readonly view: DraftView;
  readonly page?: number;
  /** What is wrong with it, in a sentence. */
  readonly problem?: string | undefined;
}

/** The card of a draft. */
export async function draftView(
  scene: PersonScene,
  kept: KeptDraft,
  { view, page = 0, problem }: Shown,
): Promise<RoutinePost> {
  if (view === "where") return whereView(scene, kept, page);
  const { unit, deps, person, words } = scene;
  const whole = await routineDraftPost(unit, deps, { kept, here: hereOf(scene), reader: person, words, problem });
  return view === "draft" ? whole : { text: whole.text, ...(await partsOf(scene, kept)) };
}

/** A button for each part of it. */
async function partsOf(scene: PersonScene, kept: KeptDraft): Promise<Omit<RoutinePost, "text">> {
  const { buttons, selects } = scene.words.routines;
  const { draft } = kept;
  const about = { draftId: kept.id };
  const isScheduled = draft.trigger?.kind !== "webhook";
  const edit = (part: Part): Key => {
    const payload = { ...about, part, view: "parts" };
    return { label: buttons[part], action: "routine_draft_edit", payload, opensForm: true };
  };
  const view = (label: string, to: DraftView): Key => {
    return { label, action: "routine_draft_view", payload: { ...about, view: to } };
  };
  const set = (label: string, change: object): Key => {
    return { label, action: "routine_draft_set", payload: { ...about, ...change } };
  };
  const missed = draft.missed === "skip" ? "run_once" : "skip";
  const atLimit = draft.atLimit === "skip" ? "wait" : "skip";
  const whole = { label: buttons.whole, action: "routine_draft_whole", payload: about };
  const rows: Key[][] = [
    [edit("name"), ...(isScheduled || kept.routineId === null ? [edit("when")] : []), edit("what")],
    [
      view(buttons.where, "where"),
      ...(isScheduled ? [edit("zone")] : []),
      ...(isClipped(draft.instruction) ? [whole] : []),
    ],
    [...(isScheduled ? [set(buttons.missed[missed], { missed })] : []), set(buttons.atLimit[atLimit], { atLimit })],
    [view(buttons.back, "draft")],
  ];
  const teammates = kept.routineId === null ? await scene.deps.teammates.list(scene.unit.db) : [];
  const others = teammates.length > 1 ? teammates.slice(0, 25) : [];
  const options = others.map((each) => ({ teammate: each, key: set(each.id, { teammateId: each.id }) }));
  const token = await issue(scene, [...rows.flat(), ...options.map(({ key }) => key)], whoMay(kept));
  return {
    buttons: rows.map((row) => row.map((key) => toButton(key, token(key)))),
    selects: teammateSelect(selects.teammate, options, token, kept.teammateId),
  };
}

/** Nothing to choose where there is only one. */
function teammateSelect(
  label: string,
  options: readonly { readonly teammate: Teammate; readonly key: Key }[],
  token: (key: Key) => string,
  current: string,
): Select[] | undefined {
  if (options.length === 0) return undefined;
  const shown = options.map(({ teammate: { id, name, title }, key }) => {
    return { label: name, description: clip(title, 80), token: token(key), current: id === current };
  });
  return [{ label, options: shown }];
}
