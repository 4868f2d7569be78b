import { allows } from "../../people/index.ts";
import { readSentence } from "../../teammates/index.ts";
import type { Command } from "../command.ts";
import { askName, showDraft } from "../draft-card.ts";
import { dropped, handled } from "../outcome.ts";
import { byPerson, plain, say } from "../scene.ts";
import { teamLines } from "../team-lines.ts";

/** Who works here and what they are doing; with a sentence after it, somebody new. */
export const teamCommand: Command<"team"> = {
  name: "team",
  who: "anyone",
  async run(scene) {
    const { deps, unit, event } = scene;
    const words = scene.words.teammates;
    const isManager = byPerson(scene) && allows(scene.person.role, "manager");
    const sentence = event.argument.trim();
    if (sentence !== "") {
      if (isManager) await showDraft(scene, readSentence(sentence));
      else await say(scene, words.needsManager);
      return isManager ? handled : dropped("not_allowed");
    }
    await deps.teammates.ensureDefault(unit);
    const teammates = await deps.teammates.list(unit.db);
    const lines = await teamLines(scene, teammates);
    const [first] = teammates;
    if (first) lines.push("", words.howToAsk(plain(askName(first))));
    if (isManager) lines.push("", words.howToAdd);
    await say(scene, lines.join("\n"));
    return handled;
  },
};
