import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { placeControls } from "../place-card.ts";
import { say } from "../scene.ts";

/** Who may ask here and who answers, for those who may change it. */
export const placeCommand: Command<"place"> = {
  name: "place",
  who: "manager",
  async run(scene) {
    const { place, words } = scene;
    if (place.kind === "dm") {
      await say(scene, words.places.inShared);
      return handled;
    }
    const card = await placeControls(scene, place);
    await say(scene, card.text, { ...card, purpose: "card" });
    return handled;
  },
};
