import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import { instructionsCard } from "./card.ts";
import { teammateFor } from "./teammate.ts";

/** What one colleague is told. Without a name: of whoever answers here. */
export const instructionsCommand: Command<"instructions"> = {
  name: "instructions",
  who: "person",
  async run(scene) {
    const { deps, unit, event, words } = scene;
    const teammate = await teammateFor(scene, event.argument);
    const teammates = await deps.teammates.list(unit.db);
    if (!teammate) {
      const names = teammates.map((each) => plain(each.name));
      await say(scene, words.commands.noSuchTeammate(plain(event.argument.trim().slice(0, 32)), names));
      return handled;
    }
    const card = await instructionsCard(scene, teammate);
    const others = teammates.filter(({ id }) => id !== teammate.id).map((each) => plain(each.name));
    const hint = event.argument.trim() === "" && others.length > 0 ? [words.instructions.others(others)] : [];
    await say(scene, [card.text, ...hint].join("\n\n"), { buttons: card.buttons, purpose: "card" });
    return handled;
  },
};
