import { z } from "zod";
import type { MessageEvent } from "../chat/index.ts";
import { fillIn } from "./forms.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { closeReplyForm, findReplyForm, type ReplyForm } from "./reply-forms.store.ts";
import { byPerson, type PersonScene, plain, type Scene, say } from "./scene.ts";
import { isStopWord } from "./stop.ts";
import { takeUpload } from "./take-upload.ts";

const stored = z.object({ hash: z.string(), messageId: z.string().optional() });

/** A reply to a message of ours that asked for something written; null when it is none. Such a reply is never a task. */
export async function takeReplyForm(scene: Scene, event: MessageEvent): Promise<Outcome | null> {
  if (!event.quote?.fromUs) return null;
  const { unit, deps, connectionId, words } = scene;
  const message = { connectionId, channel: event.place.channel, messageId: event.quote.messageId };
  const form = await findReplyForm(unit.db, message);
  if (!form) return null;
  if (!byPerson(scene)) return dropped("stranger");
  if (scene.person.id !== form.personId) {
    await say(scene, words.approval.onlyThey(plain(form.personName)));
    return dropped("refused");
  }
  if (form.usedAt !== null || form.expiresAt <= deps.clock.now()) {
    await say(scene, words.inbox.formOver);
    return dropped("unknown_button");
  }
  return takeReply({ ...scene, event }, form);
}

async function takeReply(scene: PersonScene<MessageEvent>, form: ReplyForm): Promise<Outcome> {
  const { unit, deps, event, words } = scene;
  const close = () => closeReplyForm(unit.db, form.postId, deps.clock.now());
  if (isStopWord(event)) {
    await close();
    await say(scene, words.inbox.formLeft);
    return handled;
  }
  const uploaded = await takeUpload(scene);
  if (uploaded) {
    await close();
    return uploaded;
  }
  const { hash, messageId } = stored.parse(form.payload);
  const { outcome, answer } = await fillIn(scene, {
    hash,
    value: event.text,
    card: { messageId, onlyFor: undefined },
  });
  const canTryAgain = outcome.kind === "dropped" && outcome.reason === "invalid";
  if (!canTryAgain) await close();
  if (answer !== undefined) await say(scene, answer);
  return outcome;
}
