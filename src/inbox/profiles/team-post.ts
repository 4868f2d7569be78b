import { issueTokens } from "../../attention/index.ts";
import type { Button, Post } from "../../chat/index.ts";
import { allows } from "../../people/index.ts";
import { askName, type Member } from "../../teammates/index.ts";
import { byPerson, plain, type Scene } from "../scene.ts";
import { teamLines } from "./team-lines.ts";

/** More buttons would bury the list; the rest is had back by name. */
const mostButtons = 8;

/** Who works here and what they are doing; for managers also who is away, which admins can change. */
export async function teamPost(scene: Scene): Promise<Pick<Post, "text" | "buttons">> {
  const { deps, unit } = scene;
  const words = scene.words.teammates;
  const isManager = byPerson(scene) && allows(scene.person.role, "manager");
  const everyone = await deps.teammates.everyone(unit.db);
  const here = everyone.filter(({ hidden }) => !hidden);
  const away = isManager ? everyone.filter(({ hidden }) => hidden) : [];
  const lines = await teamLines(scene, here);
  if (away.length > 0) lines.push("", words.awayTitle, "", ...away.map(({ name }) => `- ${plain(name)}`));
  const [first] = here;
  if (first) lines.push("", words.howToAsk(plain(askName(first))));
  if (isManager) lines.push("", words.howToAdd);
  return { text: lines.join("\n"), buttons: await showButtons(scene, away) };
}

/** A group of its own for each: having one back leaves the others. */
async function showButtons(scene: Scene, away: readonly Member[]): Promise<Button[][]> {
  const { unit, person, words } = scene;
  if (person === null || !allows(person.role, "admin")) return [];
  const buttons: Button[][] = [];
  for (const { id: teammateId, name } of away.slice(0, mostButtons)) {
    const { show } = await issueTokens(unit, {
      choices: [{ key: "show", action: "team_show", payload: { teammateId } }],
      minRole: "admin",
    });
    buttons.push([{ label: words.teammates.showOne(name), token: show }]);
  }
  return buttons;
}
