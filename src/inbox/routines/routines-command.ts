import { mayMakeRoutines } from "../../routines/index.ts";
import type { Command } from "../command.ts";
import { dropped, handled } from "../outcome.ts";
import { say } from "../scene.ts";
import { listCard } from "./list-card.ts";

/** What happens by itself here, or for whoever asks. */
export const routinesCommand: Command<"routines"> = {
  name: "routines",
  who: "person",
  async run(scene) {
    if (!mayMakeRoutines(scene.person)) {
      await say(scene, scene.words.routines.membersOnly);
      return dropped("not_allowed");
    }
    const card = await listCard(scene, 0);
    await say(scene, card.text, { ...card, purpose: "card" });
    return handled;
  },
};
