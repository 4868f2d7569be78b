import { excerptOf, findSaid, type SaidLine, wordsIn } from "../../places/index.ts";
import type { Command, PersonCommandScene } from "../command.ts";
import { handled } from "../outcome.ts";
import { plain, say, threadOf } from "../scene.ts";
import { whenSaid } from "./when.ts";

const mostShown = 8;
/** One message to several teammates is stored for each of them. */
const mostFound = 40;
const excerptLength = 160;
const longestShown = 60;

/** What was said here with these words, then in the other threads of this place; the newest first. */
export const historyCommand: Command<"history"> = {
  name: "history",
  who: "person",
  async run(scene) {
    const { unit, event, place } = scene;
    const words = scene.words.history;
    const wanted = wordsIn(event.argument);
    if (wanted.length === 0) {
      await say(scene, words.how);
      return handled;
    }
    const lookout = { placeId: place.id, here: { thread: threadOf(event) } };
    const lines = await findSaid(unit.db, lookout, { words: wanted, since: null, limit: mostFound });
    const hits = onceEach(lines).flatMap((line) => hitOf(scene, line, wanted));
    const shown = hits.slice(0, mostShown);
    const more = hits.length > shown.length;
    const text =
      shown.length === 0
        ? words.nothing(plain(event.argument.trim().slice(0, longestShown)))
        : [words.found(shown.length, more), "", ...shown, ...(more ? ["", words.older] : [])].join("\n");
    await say(scene, text);
    return handled;
  },
};

function onceEach(lines: readonly SaidLine[]): readonly SaidLine[] {
  const seen = new Set<string>();
  return lines.filter(({ id, platformMessageId }) => {
    const key = platformMessageId ?? id;
    return !seen.has(key) && seen.add(key);
  });
}

function hitOf(scene: PersonCommandScene, line: SaidLine, wanted: readonly string[]): string[] {
  const { deps, connectionId, place, person, words } = scene;
  const text = excerptOf(line.text, wanted, excerptLength);
  if (text === undefined) return [];
  const address = { channel: place.channel, thread: line.thread === "" ? undefined : line.thread };
  const link =
    line.platformMessageId === null
      ? undefined
      : deps.adapters.get(connectionId)?.link?.(address, line.platformMessageId);
  const when = whenSaid(line.sentAt, deps.clock.now(), person);
  return [words.history.line(when, plain(line.name), plain(text), link)];
}
