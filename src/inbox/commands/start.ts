import { looksLikeCode, tryCode } from "../codes.ts";
import type { Command } from "../command.ts";
import { greetKnown } from "../greeting.ts";
import { handled } from "../outcome.ts";
import { byPerson } from "../scene.ts";

/** `/start` from somebody we know, perhaps with a code of theirs; a stranger's never gets this far, the gate takes it. */
export const startCommand: Command<"start"> = {
  name: "start",
  who: "anyone",
  async run(scene) {
    const code = scene.event.argument.trim();
    // In a shared place others could read it.
    if (byPerson(scene) && scene.place.kind === "dm" && looksLikeCode(code)) return tryCode(scene, code);
    await greetKnown(scene);
    return handled;
  },
};
