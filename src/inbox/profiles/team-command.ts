import { allows } from "../../people/index.ts";
import type { Command } from "../command.ts";
import { dropped, handled } from "../outcome.ts";
import { byPerson, say } from "../scene.ts";
import { showDraft } from "./draft-card.ts";
import { teamPost } from "./team-post.ts";

/** Who works here and what they are doing; with a sentence after it, somebody new. */
export const teamCommand: Command<"team"> = {
  name: "team",
  who: "anyone",
  async run(scene) {
    const { deps, unit, event, words } = scene;
    const sentence = event.argument.trim();
    if (sentence !== "") {
      const isManager = byPerson(scene) && allows(scene.person.role, "manager");
      if (isManager) await showDraft(scene, sentence);
      else await say(scene, words.teammates.needsManager);
      return isManager ? handled : dropped("not_allowed");
    }
    await deps.teammates.ensureDefault(unit);
    const { text, buttons } = await teamPost(scene);
    await say(scene, text, { buttons });
    return handled;
  },
};
