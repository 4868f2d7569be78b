import { issueTokens } from "../attention/index.ts";
import { type PersonScene, plain, type Scene, say } from "./scene.ts";

/** The first words to somebody whose code was right, with three things to try. */
export async function greetNewcomer(scene: PersonScene, how: "claimed" | "joined"): Promise<void> {
  const { unit, deps, person, words } = scene;
  const teammate = await deps.teammates.ensureDefault(unit);
  const text = words.people[how](plain(person.displayName), plain(teammate.name));
  // A group of its own for each: trying one does not use up the others.
  const buttons = [];
  for (const task of words.people.firstTasks) {
    const { task: token } = await issueTokens(unit, {
      choices: [{ key: "task", action: "first_task", payload: { text: task } }],
      personId: person.id,
    });
    buttons.push([{ label: task, token }]);
  }
  await say(scene, text, { buttons, notify: true, toAll: true });
}

/** To somebody who may ask here. */
export async function greetKnown(scene: Scene): Promise<void> {
  const { unit, deps, identity, words } = scene;
  const teammate = await deps.teammates.ensureDefault(unit);
  await say(scene, words.people.hello(plain(identity.displayName), plain(teammate.name)));
}
