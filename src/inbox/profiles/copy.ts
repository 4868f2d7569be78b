import { z } from "zod";
import { isTaken, problemIn } from "../../teammates/index.ts";
import type { FormAction } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import { say } from "../scene.ts";
import { welcomeHere } from "../welcome.ts";
import { drawProfile } from "./changes.ts";

const schema = z.object({ teammateId: z.uuid() });

/** Somebody new with the same profile, instructions and settings: only the name is asked for. */
export const copyForm: FormAction = {
  async form({ db, deps, words }, payload) {
    const teammate = await deps.teammates.get(db, schema.parse(payload).teammateId);
    return teammate && { ...words.teammates.forms.copy, long: false, required: true };
  },
  async problem({ db, deps, words }, _payload, value) {
    const taken = isTaken(value, await deps.teammates.everyone(db)) ? "name_taken" : null;
    const problem = problemIn({ name: value }) ?? taken;
    return problem && words.teammates.problems[problem];
  },
  async fill(scene, payload, value, card) {
    const { unit, deps, person, words, connectionId, event } = scene;
    const { teammateId } = schema.parse(payload);
    const key = `event:${connectionId}:${event.key}`;
    const saved = await deps.teammates.copy(unit, person, teammateId, { name: value, key });
    await drawProfile(scene, card, teammateId, "more");
    if (saved.kind === "refused") {
      return { outcome: dropped("invalid"), answer: words.teammates.problems[saved.problem] };
    }
    const { text, buttons } = await welcomeHere(scene, saved.teammate);
    await say(scene, text, { buttons, part: "welcome", toAll: true });
    return { outcome: handled };
  },
};
