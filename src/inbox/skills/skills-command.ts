import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import { takeSkillFolder } from "./adding.ts";
import { listCard, skillCard } from "./card.ts";

/** `/skills`: what there is and who has it. `/skills NAME` is one skill or one colleague's; `/skills add /path` adds a folder. */
export const skillsCommand: Command<"skills"> = {
  name: "skills",
  who: "person",
  async run(scene) {
    const { deps, unit, event, words } = scene;
    const argument = event.argument.trim();
    const [, path] = /^add\s+(.+)$/isu.exec(argument) ?? [];
    if (path !== undefined) return takeSkillFolder(scene, path.trim());
    const name = argument.replace(/^[@/]|[:,.]$/gu, "");
    const skill = name === "" ? undefined : await deps.skills.byName(unit.db, name.toLowerCase());
    const teammate = name === "" || skill ? undefined : await deps.teammates.byHandle(unit.db, name);
    if (name !== "" && !skill && !teammate) {
      await say(scene, words.skills.noSuchSkill(plain(name.slice(0, 64))));
      return handled;
    }
    const card = skill ? await skillCard(scene, skill) : await listCard(scene, teammate);
    await say(scene, card.text, { ...card, purpose: "card" });
    return handled;
  },
};
