import { z } from "zod";
import { issueTokens } from "../attention/index.ts";
import type { Button } from "../chat/index.ts";
import { type Action, redraw } from "./action.ts";
import { takeWish, wishOf } from "./messages.ts";
import { type PersonScene, plain, type Scene, say } from "./scene.ts";

const hows = ["claimed", "joined"] as const;
type How = (typeof hows)[number];
/** `left`: what the greeting still offers once this one was tried; older greetings do not say. */
const taskSchema = z.object({
  text: z.string().min(1),
  how: z.enum(hows).optional(),
  left: z.array(z.string()).default([]),
});

/** The first words to somebody whose code was right, with three things to try. */
export async function greetNewcomer(scene: PersonScene, how: How): Promise<void> {
  const { text, buttons } = await greeting(scene, how, scene.words.people.firstTasks);
  await say(scene, text, { buttons, notify: true, toAll: true });
}

async function greeting(
  scene: PersonScene,
  how: How,
  tasks: readonly string[],
): Promise<{ readonly text: string; readonly buttons: readonly (readonly Button[])[] }> {
  const { unit, deps, person, words } = scene;
  const teammate = await deps.teammates.ensureDefault(unit);
  // A group of its own for each: trying one does not use up the others.
  const buttons = [];
  for (const task of tasks) {
    const left = tasks.filter((each) => each !== task);
    const { task: token } = await issueTokens(unit, {
      choices: [{ key: "task", action: "first_task", payload: { text: task, how, left } }],
      personId: person.id,
    });
    buttons.push([{ label: task, token }]);
  }
  return { text: words.people[how](plain(person.displayName), plain(teammate.name)), buttons };
}

/** As if the person had written it. The greeting then offers the others. */
export const tryTask: Action = async (scene, payload, card) => {
  const { text, how, left } = taskSchema.parse(payload);
  const outcome = await takeWish(scene, wishOf(text, scene.deps.clock.now()));
  if (how !== undefined) await redraw(scene, card, await greeting(scene, how, left));
  return { outcome };
};

/** To somebody who may ask here. */
export async function greetKnown(scene: Scene): Promise<void> {
  const { unit, deps, identity, words } = scene;
  const teammate = await deps.teammates.ensureDefault(unit);
  await say(scene, words.people.hello(plain(identity.displayName), plain(teammate.name)));
}
