import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { plain, say, threadOf } from "../scene.ts";
import { noteTidying, talkHere } from "./threads.store.ts";

/** A conversation that became long is summarised, in a turn of its own; refused while something runs or waits there, which it would hold up. */
export const compactCommand: Command<"compact"> = {
  name: "compact",
  who: "person",
  async run(scene) {
    const { unit, deps, place, event, person } = scene;
    const words = scene.words.threads;
    const here = await talkHere(unit.db, place.id, threadOf(event));
    const refusal = () => {
      if (event.wholePlace || (!here && place.kind === "channel")) return words.tidyInside;
      if (here?.isBusy) return words.busy(plain(here.teammateName));
      return here?.isTold ? undefined : words.nothingToTidy;
    };
    const refused = refusal();
    if (refused !== undefined || here === undefined) {
      await say(scene, refused ?? words.nothingToTidy);
      return handled;
    }
    await deps.mailbox.deliver(unit, {
      messageId: await noteTidying(unit.db, here, deps.clock.now()),
      teammateId: here.teammateId,
      conversationId: here.conversationId,
      requesterPersonId: person.id,
      trigger: "compact",
      idempotencyKey: `compact:${scene.connectionId}:${event.key}`,
    });
    return handled;
  },
};
