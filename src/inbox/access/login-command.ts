import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { say } from "../scene.ts";
import { loginCard } from "./login-card.ts";

/** Who pays for the model. In a direct message only: what follows from it (a code, a page) is for one person, later too. */
export const loginCommand: Command<"login"> = {
  name: "login",
  who: "admin",
  privately: true,
  async run(scene) {
    if (scene.place.kind !== "dm") {
      await say(scene, scene.words.commands.inPrivate);
      return handled;
    }
    const card = await loginCard(scene);
    await say(scene, card.text, { ...card, purpose: "card" });
    return handled;
  },
};
