import { z } from "zod";
import type { PressResult } from "../attention/index.ts";
import type { ButtonEvent, MessageEvent } from "../chat/index.ts";
import type { Pressed } from "./action.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { byPerson, canBePrivate, type PersonScene, type Scene, say } from "./scene.ts";

/** A reply to a card that asks a question is the answer, where its author may give one; else it is a message like any other. */
export async function takeCardReply(scene: Scene, event: MessageEvent): Promise<Outcome | null> {
  if (!event.quote?.fromUs || event.forwardedFrom !== undefined || event.text.trim() === "") return null;
  if (!byPerson(scene)) return null;
  const { unit, deps, connectionId, person } = scene;
  const to = { connectionId, channel: event.place.channel, messageId: event.quote.messageId };
  const result = await deps.attention.reply(unit, to, person, event.text);
  return result === null ? null : outcomeOf(scene, result);
}

async function outcomeOf(scene: Scene, result: PressResult): Promise<Outcome> {
  // The card itself shows what was taken.
  if (result.kind === "done") return handled;
  await say(scene, result.text, { notify: true });
  return dropped(result.kind === "invalid" ? "invalid" : "refused");
}

const asked = z.object({ attentionId: z.uuid(), questionId: z.string() });

/** Gives the page for an answer that must not stand in a chat to the one who pressed, and to nobody else. */
export async function openSecretPage(scene: PersonScene<ButtonEvent>, payload: unknown): Promise<Pressed> {
  const { unit, deps, connectionId, person, event, words } = scene;
  const { attentionId, questionId } = asked.parse(payload);
  const privately = canBePrivate(scene);
  const dm = privately ? null : await deps.people.dmOf(unit.db, person.id, connectionId);
  if (!privately && dm === null) return { outcome: dropped("refused"), answer: words.questions.page.noChat };
  const page = await deps.attention.secretPage(unit, attentionId, questionId, person);
  if (page === null) return { outcome: handled, answer: words.approval.already.closed, stays: true };
  const text = page.opensAnywhere
    ? words.questions.page.here
    : `${words.questions.page.here}\n\n${words.questions.onlyOnMachine}`;
  const links = [{ label: words.questions.buttons.page, url: page.url }];
  if (dm === null) {
    await say(scene, text, { links, notify: true });
    return { outcome: handled };
  }
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: { text, links, notify: true },
    to: dm,
    purpose: "notice",
    lane: `page:${attentionId}:${dm.address.channel}`,
    dedupKey: `inbox:${connectionId}:${event.key}:page`,
  });
  return { outcome: handled, answer: words.questions.page.sent, stays: true };
}
