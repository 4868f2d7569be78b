import { isPeriod } from "../../usage/index.ts";
import type { Command } from "../command.ts";
import { dropped, handled } from "../outcome.ts";
import { say } from "../scene.ts";
import { usageCard } from "./card.ts";

/** What was used today, in a week or in a month: everything for admins, for others what they asked for. */
export const usageCommand: Command<"usage"> = {
  name: "usage",
  who: "person",
  privately: true,
  async run(scene) {
    const word = scene.event.argument.trim().toLowerCase();
    const period = word === "" ? "today" : word;
    if (!isPeriod(period)) {
      await say(scene, scene.words.usage.unknownPeriod);
      return dropped("invalid");
    }
    const { text, buttons } = await usageCard(scene, period);
    await say(scene, text, { buttons, purpose: "card" });
    return handled;
  },
};
