import type { MessageEvent } from "../chat/index.ts";
import { handled, type Outcome } from "./outcome.ts";
import { type Scene, say, threadOf } from "./scene.ts";
import { isThreadOurs, mute, unmute } from "./threads.store.ts";

/** A message of only "mute" or "unmute": in a thread of ours a control word, anywhere else a message. */
export function isMuteWord({ text, files, forwardedFrom }: MessageEvent): boolean {
  return files.length === 0 && forwardedFrom === undefined && /^(?:un)?mute[.!]*$/iu.test(text.trim());
}

/** Listens in a thread of ours only when named, or to everything again; null where the word is none of ours. */
export async function takeMuteWord(scene: Scene<MessageEvent>): Promise<Outcome | null> {
  const { unit, connectionId, place, person, event, words } = scene;
  const thread = threadOf(event);
  if (place.kind === "dm") return null;
  const where = { connectionId, placeId: place.id, channel: place.channel, thread };
  if (!(await isThreadOurs(unit.db, where))) return null;
  if (/^un/iu.test(event.text.trim())) {
    await unmute(unit.db, where);
    await say(scene, words.inbox.unmuted);
  } else {
    await mute(unit.db, { ...where, by: person?.id ?? null });
    await say(scene, words.inbox.muted);
  }
  return handled;
}
