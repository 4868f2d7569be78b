import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import type { Command } from "./command.ts";

export const inboxCommand: Command<"inbox"> = {
  name: "inbox",
  who: "person",
  async run(scene) {
    const words = scene.words.commands;
    const { place, unit, person } = scene;
    // In a shared place everybody reads along: what was asked elsewhere is not for them.
    const only = place.kind === "dm" ? undefined : place.id;
    const items = await scene.deps.attention.listOpenFor(unit.db, person, only);
    const now = scene.deps.clock.now().getTime();
    const lines = items.map((item) =>
      words.inboxLine(item.teammateName, plain(item.summary), words.ago(now - item.createdAt.getTime()), item.link),
    );
    await say(scene, items.length === 0 ? words.inboxEmpty : [words.inboxTitle(items.length), "", ...lines].join("\n"));
    return handled;
  },
};
