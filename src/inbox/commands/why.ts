import type { Words } from "../../words/index.ts";
import type { Command } from "../command.ts";
import { type PastEvent, pastEvents } from "../inbox.store.ts";
import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";

const shown = 8;

/** What became of somebody's last messages, also of those that nobody answered. */
export const whyCommand: Command<"why"> = {
  name: "why",
  who: "anyone",
  async run(scene) {
    const { words, place } = scene;
    // In a shared place everybody reads along: where else somebody writes to us is not for them.
    const only = place.kind === "dm" ? undefined : place.id;
    const past = await pastEvents(scene.unit.db, {
      identityId: scene.identity.id,
      placeId: only,
      except: { connectionId: scene.connectionId, key: scene.event.key },
      limit: shown,
    });
    const now = scene.deps.clock.now();
    const lines = past.map((event) => toLine(event, now, words));
    const text = lines.length === 0 ? words.commands.whyNothing : [words.commands.whyTitle, "", ...lines].join("\n");
    await say(scene, text);
    return handled;
  },
};

function toLine(event: PastEvent, now: Date, words: Words): string {
  const { commands, places } = words;
  const what =
    event.outcome === "dropped" ? reasonInWords(event.reason, commands.reasons) : commands.outcomes[event.outcome];
  const ago = commands.ago(now.getTime() - event.receivedAt.getTime());
  return commands.whyLine(
    ago,
    commands.eventKinds[event.kind],
    event.placeTitle === null ? places.privateChat : plain(event.placeTitle),
    what,
  );
}

function reasonInWords(reason: string | null, reasons: Readonly<Record<string, string>>): string {
  return (reason !== null && reasons[reason]) || (reason ?? "");
}
