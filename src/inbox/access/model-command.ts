import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import { modelCard } from "./model-card.ts";

/** Which model answers for a colleague; `/model` alone is enough where there is only one. */
export const modelCommand: Command<"model"> = {
  name: "model",
  who: "person",
  async run(scene) {
    const { deps, unit, event, words } = scene;
    await deps.teammates.ensureDefault(unit);
    const teammates = await deps.teammates.list(unit.db);
    const name = event.argument.trim().replace(/^@|[:,.]$/gu, "");
    const only = name === "" && teammates.length === 1 ? teammates[0] : undefined;
    const teammate = only ?? (name === "" ? undefined : await deps.teammates.byHandle(unit.db, name));
    if (!teammate) {
      const names = teammates.map((each) => plain(each.name));
      const text =
        name === ""
          ? words.access.whichTeammate(names)
          : words.commands.noSuchTeammate(plain(name.slice(0, 32)), names);
      await say(scene, text);
      return handled;
    }
    const card = await modelCard(scene, teammate);
    await say(scene, card.text, { ...card, purpose: "card" });
    return handled;
  },
};
