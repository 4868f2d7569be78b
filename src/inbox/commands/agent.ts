import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { profileCard } from "../profile-card.ts";
import { plain, say } from "../scene.ts";

/** One colleague's profile; `/agent` alone is enough where there is only one. */
export const agentCommand: Command<"agent"> = {
  name: "agent",
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
      const isUnknown = name !== "";
      await say(
        scene,
        isUnknown ? words.commands.noSuchTeammate(plain(name.slice(0, 32)), names) : words.teammates.whichOne(names),
      );
      return handled;
    }
    const card = await profileCard(scene, teammate);
    await say(scene, card.text, { ...card, purpose: "card" });
    return handled;
  },
};
