import { looksLikeCode, tryCode } from "../codes.ts";
import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { say } from "../scene.ts";

/** A code by which the same person is known in another app; with a code, the other half of it. */
export const linkCommand: Command<"link"> = {
  name: "link",
  who: "person",
  privately: true,
  async run(scene) {
    const { unit, deps, event, person, words } = scene;
    const given = event.argument.trim();
    if (looksLikeCode(given)) return tryCode(scene, given);
    const { code, expiresAt } = await deps.people.issueLink(unit, person);
    const minutes = Math.round((expiresAt.getTime() - deps.clock.now().getTime()) / 60_000);
    await say(scene, words.people.link(code, minutes));
    return handled;
  },
};
