import { z } from "zod";
import { issueTokens } from "../attention/index.ts";
import type { Button } from "../chat/index.ts";
import { type Action, redraw } from "./action.ts";
import { takeWish, wishOf } from "./messages.ts";
import { dropped, handled } from "./outcome.ts";
import { checkInDraft, mayCheckIn } from "./routines/index.ts";
import { type PersonScene, plain, type Scene, say } from "./scene.ts";

const hows = ["claimed", "joined"] as const;
type How = (typeof hows)[number];
/** `left` and `checkIn`: what the greeting still offers once this one was tried; older greetings do not say. */
const taskSchema = z.object({
  text: z.string().min(1),
  how: z.enum(hows).optional(),
  left: z.array(z.string()).default([]),
  checkIn: z.boolean().default(false),
});
const checkInSchema = z.object({ how: z.enum(hows), left: z.array(z.string()) });

interface Offer {
  readonly tasks: readonly string[];
  /** Whether a check-in is offered. */
  readonly checkIn: boolean;
}

/** The first words to somebody whose code was right, with three things to try and a check-in that is off until they want it. */
export async function greetNewcomer(scene: PersonScene, how: How): Promise<void> {
  const offer = { tasks: scene.words.people.firstTasks, checkIn: mayCheckIn(scene) };
  const { text, buttons } = await greeting(scene, how, offer);
  await say(scene, text, { buttons, notify: true, toAll: true });
}

async function greeting(
  scene: PersonScene,
  how: How,
  { tasks, checkIn }: Offer,
): Promise<{ readonly text: string; readonly buttons: readonly (readonly Button[])[] }> {
  const { unit, deps, person, words } = scene;
  const teammate = await deps.teammates.ensureDefault(unit);
  // A group of its own for each: trying one does not use up the others.
  const offered = async (label: string, action: string, payload: object): Promise<Button[]> => {
    const { it } = await issueTokens(unit, { choices: [{ key: "it", action, payload }], personId: person.id });
    return [{ label, token: it }];
  };
  const buttons = [];
  for (const text of tasks) {
    const left = tasks.filter((each) => each !== text);
    buttons.push(await offered(text, "first_task", { text, how, left, checkIn }));
  }
  if (checkIn) buttons.push(await offered(words.routineTalk.checkIn.offer, "first_check_in", { how, left: tasks }));
  return { text: words.people[how](plain(person.displayName), plain(teammate.name)), buttons };
}

/** As if the person had written it. The greeting then offers the others. */
export const tryTask: Action = async (scene, payload, card) => {
  const { text, how, left, checkIn } = taskSchema.parse(payload);
  const outcome = await takeWish(scene, wishOf(text, scene.deps.clock.now()));
  if (how !== undefined) await redraw(scene, card, await greeting(scene, how, { tasks: left, checkIn }));
  return { outcome };
};

/** Shows the check-in as it would be, to be made or dropped. The greeting does not offer it again. */
export const offerCheckIn: Action = async (scene, payload, card) => {
  const { how, left } = checkInSchema.parse(payload);
  await redraw(scene, card, await greeting(scene, how, { tasks: left, checkIn: false }));
  if (!mayCheckIn(scene)) return { outcome: dropped("refused"), answer: scene.words.routines.membersOnly };
  const teammate = await scene.deps.teammates.ensureDefault(scene.unit);
  const { text, ...draft } = await checkInDraft(scene, teammate);
  await say(scene, text, { ...draft, purpose: "card", part: "check-in" });
  return { outcome: handled };
};

/** To somebody who may ask here. */
export async function greetKnown(scene: Scene): Promise<void> {
  const { unit, deps, identity, words } = scene;
  const teammate = await deps.teammates.ensureDefault(unit);
  await say(scene, words.people.hello(plain(identity.displayName), plain(teammate.name)));
}
