import { z } from "zod";
import type { Saved } from "../../teammates/index.ts";
import { type Action, redraw } from "../action.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { drawProfile } from "./changes.ts";
import { teamPost } from "./team-post.ts";

const about = z.object({ teammateId: z.uuid() });

/** Sends a colleague away, or has one back, with everything that waits for it: in one transaction. */
async function setAway(scene: PersonScene, teammateId: string, away: boolean): Promise<Saved> {
  const { unit, deps, person } = scene;
  const { teammates, mailbox, routines } = deps;
  const wasAway = (await teammates.everyone(unit.db)).some(({ id, hidden }) => id === teammateId && hidden);
  const saved = await (away ? teammates.hide : teammates.show)(unit, person, teammateId);
  if (saved.kind === "refused") return saved;
  // What was due meanwhile is settled first: to whoever is there again it would be due.
  if (!away && wasAway) await routines.catchUp(unit, teammateId);
  await (away ? mailbox.pause : mailbox.resume)(unit, teammateId);
  return saved;
}

export const hideFromProfile: Action = (scene, payload, card) => change(scene, payload, card, true);
export const showFromProfile: Action = (scene, payload, card) => change(scene, payload, card, false);

async function change(
  scene: Parameters<Action>[0],
  payload: unknown,
  card: Parameters<Action>[2],
  away: boolean,
): ReturnType<Action> {
  const words = scene.words.teammates;
  const { teammateId } = about.parse(payload);
  const saved = await setAway(scene, teammateId, away);
  await drawProfile(scene, card, teammateId, "facts");
  if (saved.kind === "refused") return { outcome: dropped("invalid"), answer: words.problems[saved.problem] };
  return { outcome: handled, answer: away ? words.isAway(saved.teammate.name) : words.isBack(saved.teammate.name) };
}

/** Has a colleague back from the list of those who are away. */
export const showFromTeam: Action = async (scene, payload, card) => {
  const words = scene.words.teammates;
  const saved = await setAway(scene, about.parse(payload).teammateId, false);
  await redraw(scene, card, await teamPost(scene));
  if (saved.kind === "refused") return { outcome: dropped("invalid"), answer: words.problems[saved.problem] };
  return { outcome: handled, answer: words.isBack(saved.teammate.name) };
};

/** `/agent hide Penny` and `/agent show Penny`. */
export async function hideByCommand(scene: PersonScene, teammateId: string, away: boolean): Promise<Outcome> {
  const words = scene.words.teammates;
  const saved = await setAway(scene, teammateId, away);
  if (saved.kind === "refused") {
    await say(scene, words.problems[saved.problem]);
    return dropped(saved.problem === "not_allowed" ? "not_allowed" : "invalid");
  }
  const name = plain(saved.teammate.name);
  await say(scene, away ? `${words.isAway(name)} ${words.comesBack(name)}` : words.isBack(name), { toAll: true });
  return handled;
}
