import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import type { Command } from "./command.ts";

/** `/start` from somebody we know; a stranger's `/start CODE` never gets this far, the gate takes it. */
export const startCommand: Command<"start"> = {
  name: "start",
  who: "anyone",
  async run(scene) {
    const { unit, deps, identity, words } = scene;
    const teammate = await deps.teammates.ensureDefault(unit);
    await say(scene, words.people.hello(plain(identity.displayName), teammate.name));
    return handled;
  },
};
