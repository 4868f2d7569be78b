import { allows } from "../../people/index.ts";
import type { Member } from "../../teammates/index.ts";
import type { Command, PersonCommandScene } from "../command.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import { profileCard } from "./card.ts";
import { hideByCommand } from "./hide.ts";

/** One colleague's profile; `/agent` alone is enough where there is only one. `hide` and `show` before the name send away and have back. */
export const agentCommand: Command<"agent"> = {
  name: "agent",
  who: "person",
  async run(scene) {
    const { deps, unit, event } = scene;
    await deps.teammates.ensureDefault(unit);
    const everyone = await deps.teammates.everyone(unit.db);
    const name = event.argument.trim().replace(/[:,.]$/u, "");
    const named = find(everyone, name);
    const [, verb, whom = ""] = /^(hide|show)\s+(.+)$/isu.exec(name) ?? [];
    // Somebody may be called "Show Room".
    if (verb === undefined || named) return showProfile(scene, everyone, name, named);
    const meant = find(everyone, whom);
    return meant ? hideByCommand(scene, meant.id, verb.toLowerCase() === "hide") : askWhich(scene, everyone, whom);
  },
};

async function showProfile(
  scene: PersonCommandScene,
  everyone: readonly Member[],
  name: string,
  named: Member | undefined,
): Promise<Outcome> {
  const here = everyone.filter(({ hidden }) => !hidden);
  const teammate = named ?? (name === "" && here.length === 1 ? here[0] : undefined);
  if (!teammate) return askWhich(scene, everyone, name);
  if (teammate.hidden && !allows(scene.person.role, "manager")) {
    await say(scene, scene.words.teammates.away([plain(teammate.name)], undefined));
    return dropped("away");
  }
  const card = await profileCard(scene, teammate);
  await say(scene, card.text, { ...card, purpose: "card" });
  return handled;
}

async function askWhich(scene: PersonCommandScene, everyone: readonly Member[], name: string): Promise<Outcome> {
  const { words } = scene;
  const names = everyone.filter(({ hidden }) => !hidden).map((each) => plain(each.name));
  const isUnknown = name !== "";
  await say(
    scene,
    isUnknown ? words.commands.noSuchTeammate(plain(name.slice(0, 32)), names) : words.teammates.whichOne(names),
  );
  return handled;
}

/** By handle or name; those who are here first. */
function find(everyone: readonly Member[], typed: string): Member | undefined {
  const wanted = typed.replace(/^@/u, "").toLowerCase();
  const isIt = ({ name, handle }: Member) => handle === wanted || name.toLowerCase() === wanted;
  return everyone.find((each) => !each.hidden && isIt(each)) ?? everyone.find(isIt);
}
