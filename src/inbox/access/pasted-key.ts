import type { MessageEvent } from "../../chat/index.ts";
import { allows } from "../../people/index.ts";
import { type Scene, say } from "../scene.ts";

const key = /\bsk-[A-Za-z0-9_-]{16,}/gu;
const mask = "[secret]";

/**
 * The message without a model's key that somebody wrote into it, and the advice what to do instead. A key belongs on the
 * page that `/login` gives: in a message it would be kept, shown to the model, and stand in the chat.
 */
export async function keepKeyOut(scene: Scene<MessageEvent>): Promise<Scene<MessageEvent>> {
  const { event, person, words } = scene;
  const text = event.text.replace(key, mask);
  if (text === event.text) return scene;
  const mayLogIn = person !== null && allows(person.role, "admin");
  await say(scene, mayLogIn ? words.access.pastedKey : words.access.pastedKeyOfOther, {
    notify: true,
    part: "pasted-key",
  });
  return { ...scene, event: { ...event, text } };
}

/** Whether nothing was said but the key. */
export function isKeyAlone({ text, files }: MessageEvent): boolean {
  return text.trim() === mask && files.length === 0;
}
