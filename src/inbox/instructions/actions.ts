import { issueTokens } from "../../attention/index.ts";
import type { Button } from "../../chat/index.ts";
import {
  type InstructionChange,
  instructionChange,
  instructionsOf,
  longestInstructions,
  undoInstructions,
} from "../../teammates/index.ts";
import { type Action, type Card, type FormAction, redraw } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { longestForm, shownDifference } from "./card.ts";
import { differenceOf } from "./difference.ts";
import { changeSchema, editSchema, overwriteSchema } from "./payloads.ts";
import { save } from "./saving.ts";

/** What its buttons do, by the action of their tokens. */
export const instructionsActions: Readonly<Record<string, Action>> = {
  async instructions_view(scene, payload, card) {
    const words = scene.words.instructions;
    const change = await instructionChange(scene.unit.db, changeSchema.parse(payload).changeId);
    if (!change) return { outcome: dropped("unknown_button"), answer: words.undoProblems.gone };
    const shown = await shownDifference(scene, differenceOf(change.before, change.after));
    await say(scene, `${words.difference(plain(change.teammateName))}\n\n${shown}`, { part: "difference" });
    // Its token is used up: looking must not be.
    await drawNotice(scene, change, card);
    return { outcome: handled };
  },

  async instructions_undo(scene, payload, card) {
    const { unit, deps, person } = scene;
    const words = scene.words.instructions;
    const { changeId } = changeSchema.parse(payload);
    const done = await undoInstructions(unit, person, changeId, deps.clock.now());
    const change = await instructionChange(unit.db, changeId);
    if (change) await drawNotice(scene, change, card);
    if (done === "undone") return { outcome: handled, answer: words.isUndone };
    return { outcome: handled, answer: words.undoProblems[done], stays: true };
  },

  async instructions_overwrite(scene, payload, card) {
    const { teammateId, text } = overwriteSchema.parse(payload);
    const teammate = await scene.deps.teammates.get(scene.unit.db, teammateId);
    if (!teammate) return { outcome: dropped("invalid"), answer: scene.words.instructions.problems.gone };
    return save(scene, teammate, { text, expected: null }, card);
  },

  async instructions_keep(scene, _payload, card) {
    const words = scene.words.instructions;
    await redraw(scene, card, { text: words.kept });
    return { outcome: handled, answer: words.kept };
  },
};

/** The buttons that ask for something written. */
export const instructionsForms: Readonly<Record<string, FormAction>> = {
  instructions_edit: {
    async form({ db, deps, words }, payload) {
      const { teammateId } = editSchema.parse(payload);
      const teammate = await deps.teammates.get(db, teammateId);
      const { text } = await instructionsOf(db, teammateId);
      if (!teammate || text.length > longestForm) return undefined;
      return { ...words.instructions.form, value: text, long: true, required: false };
    },
    async problem({ words }, _payload, value) {
      return value.length > longestInstructions ? words.instructions.problems.too_long : null;
    },
    async fill(scene, payload, value, card) {
      const words = scene.words.instructions;
      const { teammateId, expected } = editSchema.parse(payload);
      const teammate = await scene.deps.teammates.get(scene.unit.db, teammateId);
      if (!teammate) return { outcome: dropped("invalid"), answer: words.problems.gone };
      const text = words.nothing.includes(value.toLowerCase()) ? "" : value;
      return save(scene, teammate, { text, expected }, card);
    },
  },
};

/** The notice of a change as things stand, with fresh buttons. */
async function drawNotice(scene: PersonScene, change: InstructionChange, card: Card): Promise<void> {
  const words = scene.words.instructions;
  const name = change.teammateName;
  const view = await issueTokens(scene.unit, {
    choices: [{ key: "token", action: "instructions_view", payload: { changeId: change.id } }],
  });
  const row: Button[] = [{ label: words.view, token: view.token }];
  if (change.undoneAt !== null) {
    const text = change.undoneBy === null ? words.overruled(name) : words.undone(name, change.undoneBy);
    await redraw(scene, card, { text, buttons: [row] });
    return;
  }
  const undo = await issueTokens(scene.unit, {
    choices: [{ key: "token", action: "instructions_undo", payload: { changeId: change.id } }],
    minRole: "manager",
  });
  await redraw(scene, card, {
    text: words.changed(name),
    buttons: [[...row, { label: words.undo, token: undo.token }]],
  });
}
