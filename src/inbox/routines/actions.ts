import { z } from "zod";
import type { ButtonEvent } from "../../chat/index.ts";
import { mayChangeRoutine, type Routine, type RoutineSaved } from "../../routines/index.ts";
import { type Action, type Card, type FormAction, type Pressed, redraw } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { beginForm } from "./begin.ts";
import { calendarActions } from "./calendar.ts";
import { draftActions } from "./draft-actions.ts";
import { draftEdit } from "./draft-forms.ts";
import { editCard } from "./draft-of.ts";
import { refusalText } from "./draft-problems.ts";
import { listCard } from "./list-card.ts";
import { logCard } from "./log-card.ts";
import { goneCard, sureCard } from "./made-card.ts";
import { maySee } from "./rights.ts";
import { routineCard } from "./routine-card.ts";
import { isUnderWay } from "./run-words.ts";
import { webhookActions } from "./webhook.ts";
import { sendWhole } from "./whole-text.ts";

type Pressing = PersonScene<ButtonEvent>;

const routineAbout = z.object({ routineId: z.uuid() });
const listAbout = z.object({ page: z.int().min(0).default(0) });
const againAbout = routineAbout.extend({ said: z.string().optional() });

/** Something done with a routine that its presser may see; rights are looked at now, not when the card was drawn. */
function onRoutine(
  needs: "see" | "change",
  act: (scene: Pressing, routine: Routine, card: Card) => Promise<Pressed>,
): Action {
  return async (scene, payload, card) => {
    const { unit, deps, person, words } = scene;
    const { problems } = words.routines;
    const routine = await deps.routines.get(unit.db, routineAbout.parse(payload).routineId);
    if (!routine || !maySee(scene, routine)) {
      await redraw(scene, card, await goneCard(scene, problems.gone));
      return { outcome: dropped("invalid"), answer: problems.gone };
    }
    if (needs === "see" || mayChangeRoutine(person, routine)) return act(scene, routine, card);
    await redraw(scene, card, await routineCard(scene, routine));
    return { outcome: dropped("refused"), answer: problems.not_allowed };
  };
}

async function shown(scene: Pressing, card: Card, routineId: string, answer?: string): Promise<Pressed> {
  const routine = await scene.deps.routines.get(scene.unit.db, routineId);
  if (routine) await redraw(scene, card, await routineCard(scene, routine));
  return { outcome: handled, answer };
}

const start = (how: "manual" | "test") =>
  onRoutine("change", async (scene, routine, card) => {
    const answer = await startRun(scene, routine, how);
    return { ...(await shown(scene, card, routine.id, answer.answer)), outcome: answer.outcome };
  });

async function startRun(scene: Pressing, { id }: Routine, how: "manual" | "test"): Promise<Pressed> {
  const { unit, deps, person, event, words } = scene;
  const { done } = words.routines;
  const started = await deps.routines.runNow(unit, person, id, how, `press:${scene.connectionId}:${event.key}`);
  switch (started.kind) {
    case "queued":
      return { outcome: handled, answer: how === "test" ? done.testing : done.started };
    case "running":
      return { outcome: handled, answer: done.running, stays: true };
    case "refused":
      return { outcome: dropped("invalid"), answer: await refusalText(unit.db, started.problem, words) };
  }
}

/** Pauses it or lets it go on; where the card was one person's alone, the others hear of it. */
const setActive = (does: "pause" | "resume") =>
  onRoutine("change", async (scene, routine, card) => {
    const { unit, deps, person, words } = scene;
    const { done, told } = words.routines;
    const saved = await deps.routines[does](unit, person, routine.id);
    if (saved.kind === "refused") return refused(scene, card, routine, saved);
    const [answer, text] = does === "pause" ? [done.paused, told.paused] : [done.resumed, told.resumed];
    if (card.onlyFor) await tell(scene, text(plain(person.displayName), plain(routine.name)));
    return shown(scene, card, routine.id, answer);
  });

async function refused(
  scene: Pressing,
  card: Card,
  routine: Routine,
  { problem }: Extract<RoutineSaved, { kind: "refused" }>,
): Promise<Pressed> {
  const answer = await refusalText(scene.unit.db, problem, scene.words);
  return { ...(await shown(scene, card, routine.id, answer)), outcome: dropped("invalid") };
}

async function tell(scene: PersonScene, text: string): Promise<void> {
  await say(scene, text, { toAll: true, part: "told" });
}

/** What its buttons do, by the action of their tokens. */
export const routinesActions: Readonly<Record<string, Action>> = {
  ...draftActions,
  ...webhookActions,
  ...calendarActions,

  async routine_list(scene, payload, card) {
    await redraw(scene, card, await listCard(scene, listAbout.parse(payload).page));
    return { outcome: handled };
  },

  routine_show: onRoutine("see", (scene, { id }, card) => shown(scene, card, id)),
  routine_start: start("manual"),
  routine_test: start("test"),
  routine_pause: setActive("pause"),
  routine_resume: setActive("resume"),

  routine_log: onRoutine("see", async (scene, routine, card) => {
    await redraw(scene, card, await logCard(scene, routine));
    return { outcome: handled };
  }),

  routine_whole: onRoutine("change", async (scene, routine, card) => {
    await sendWhole(scene, routine.name, routine.instruction);
    return shown(scene, card, routine.id);
  }),

  routine_edit: onRoutine("change", async (scene, routine, card) => {
    await redraw(scene, card, await editCard(scene, routine));
    return { outcome: handled };
  }),

  routine_stop: onRoutine("change", async (scene, routine, card) => {
    const { unit, deps, person, words } = scene;
    const [last] = await deps.routines.runs(unit.db, routine.id, 1);
    const runId = isUnderWay(last) ? last.runId : null;
    const result = runId === null ? "not_running" : await deps.runs.stopRun(unit, runId, person);
    const answer = result === "not_running" ? words.inbox.notRunning : words.routines.done.stopping;
    if (result === "refused") return { outcome: dropped("refused"), answer: words.inbox.notYoursToStop };
    return shown(scene, card, routine.id, answer);
  }),

  routine_delete_ask: onRoutine("change", async (scene, routine, card) => {
    await redraw(scene, card, await sureCard(scene, routine));
    return { outcome: handled };
  }),

  routine_delete: onRoutine("change", async (scene, routine, card) => {
    const { unit, deps, person, words } = scene;
    const { done, told } = words.routines;
    const saved = await deps.routines.remove(unit, person, routine.id);
    if (saved.kind === "refused") return refused(scene, card, routine, saved);
    const name = plain(routine.name);
    await redraw(scene, card, await goneCard(scene, done.deleted(name)));
    if (card.onlyFor) await tell(scene, told.deleted(plain(person.displayName), name));
    return { outcome: handled };
  }),

  /** "Run again" on a notice that a run failed: the notice stays as it is said there, without its button. */
  async routine_run(scene, payload, card) {
    const { unit, deps, person, words } = scene;
    const { routineId, said } = againAbout.parse(payload);
    const routine = await deps.routines.get(unit.db, routineId);
    if (!routine) return { outcome: dropped("invalid"), answer: words.routines.problems.gone };
    if (!mayChangeRoutine(person, routine))
      return { outcome: dropped("refused"), answer: words.routines.problems.not_allowed };
    const pressed = await startRun(scene, routine, "manual");
    if (said !== undefined) await redraw(scene, card, { text: said });
    return pressed;
  },
};

/** The buttons that ask for something written. */
export const routinesForms: Readonly<Record<string, FormAction>> = {
  routine_begin: beginForm,
  routine_draft_edit: draftEdit,
};
