import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";

export const inboxCommand: Command<"inbox"> = {
  name: "inbox",
  who: "person",
  async run(scene) {
    // In a shared place everybody reads along: what was asked elsewhere is not for them.
    const only = scene.place.kind === "dm" ? undefined : scene.place.id;
    await say(scene, (await waitingLines(scene, only)).join("\n"));
    return handled;
  },
};

/** What waits for a person, in one place or everywhere. */
export async function waitingLines(scene: PersonScene, placeId: string | undefined): Promise<string[]> {
  const { unit, deps, person } = scene;
  const words = scene.words.commands;
  const items = await deps.attention.listOpenFor(unit.db, person, placeId);
  if (items.length === 0) return [words.inboxEmpty];
  const now = deps.clock.now().getTime();
  const lines = items.map((item) =>
    words.inboxLine(item.teammateName, plain(item.summary), words.ago(now - item.createdAt.getTime()), item.link),
  );
  return [words.inboxTitle(items.length), "", ...lines];
}
