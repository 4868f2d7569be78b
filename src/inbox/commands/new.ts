import { issueTokens } from "../../attention/index.ts";
import { allows } from "../../people/index.ts";
import { resetConversation } from "../../places/index.ts";
import type { Command, PersonCommandScene } from "../command.ts";
import { handled } from "../outcome.ts";
import { say, threadOf } from "../scene.ts";
import { conversationHere } from "./commands.store.ts";

/** A fresh conversation; refused while a turn runs, since its answer would land in a conversation that forgot the question. */
export const newCommand: Command<"new"> = {
  name: "new",
  who: "person",
  async run(scene) {
    const { unit, place, event, person } = scene;
    const words = scene.words.commands;
    const here = await conversationHere(unit.db, place.id, threadOf(event));
    // Where each message begins a thread, or a command cannot say which one it means, there is nothing to begin afresh.
    if (event.wholePlace || (!here && place.kind === "channel")) {
      await say(scene, words.freshThreads);
      return handled;
    }
    if (!here) {
      const { name } = await scene.deps.teammates.ensureDefault(unit);
      await say(scene, words.fresh(name), { toAll: true });
      return handled;
    }
    if (here.runId !== null) {
      const mayStop = here.requesterPersonId === person.id || allows(person.role, "manager");
      const buttons = mayStop ? [[{ label: words.stopButton, token: await stopToken(scene, here.runId) }]] : undefined;
      await say(scene, words.busy(here.teammateName), { buttons, toAll: true });
      return handled;
    }
    await resetConversation(unit, here.id);
    await say(scene, words.fresh(here.teammateName), { toAll: true });
    return handled;
  },
};

async function stopToken({ unit, person }: PersonCommandScene, runId: string): Promise<string> {
  const tokens = await issueTokens(unit, {
    choices: [{ key: "stop", action: "stop", payload: { runId } }],
    runId,
    personId: person.id,
    minRole: "manager",
  });
  return tokens.stop;
}
