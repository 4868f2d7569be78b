import { allows } from "../../people/index.ts";
import type { Command, PersonCommandScene } from "../command.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { destination, plain, say } from "../scene.ts";
import type { Whereabouts } from "../seen.store.ts";
import { type AnswerPost, findAnswer, findMessage, teammatesOf } from "./erase.store.ts";
import { eraseAnswer, eraseMessage } from "./erase.ts";

/** Takes a message back, as a reply to it: for platforms that tell nobody when somebody deletes theirs. */
export const deleteCommand: Command<"delete"> = {
  name: "delete",
  who: "person",
  async run(scene) {
    const { event, connectionId, unit, words } = scene;
    const messageId = event.quote?.messageId;
    if (messageId === undefined) {
      await say(scene, words.deletion.how);
      return handled;
    }
    const where = { connectionId, channel: event.place.channel, messageId };
    const answer = await findAnswer(unit.db, where);
    return answer ? deleteAnswer(scene, where, answer) : deleteMessage(scene, where);
  },
};

async function deleteMessage(scene: PersonCommandScene, where: Whereabouts): Promise<Outcome> {
  const { unit, deps, person, identity, words } = scene;
  const known = await findMessage(unit.db, where);
  if (known === undefined) {
    await say(scene, scene.event.quote?.fromUs ? words.deletion.notThis : words.deletion.unknown);
    return dropped("unknown_message");
  }
  const isOwn = known.personId === null ? known.authorName === identity.displayName : known.personId === person.id;
  if (!isOwn && !allows(person.role, "admin")) return refuse(scene, words.deletion.notYours);
  if (known.inWorkBy !== null) return refuse(scene, words.deletion.inWork(plain(known.inWorkBy)));
  const erased = await eraseMessage({ unit, deps, where });
  await takeAway(scene, { messageId: where.messageId });
  const names = (await teammatesOf(unit.db, erased.freshIn)).map(plain);
  const cancelled = erased.copies > 0 && erased.cancelled === erased.copies && names.length === 0;
  await confirm(scene, cancelled ? words.deletion.beforeStart : words.deletion.done(names));
  return handled;
}

async function deleteAnswer(scene: PersonCommandScene, where: Whereabouts, answer: AnswerPost): Promise<Outcome> {
  const { unit, deps, person, words } = scene;
  const isOwn = answer.requesterPersonId === person.id;
  if (!isOwn && !allows(person.role, "manager")) return refuse(scene, words.deletion.notYourAnswer);
  const { posts, freshIn } = await eraseAnswer({ unit, deps, where }, answer);
  for (const { id } of posts) await takeAway(scene, { postId: id });
  const names = freshIn.length === 0 ? [] : [plain(answer.teammateName)];
  await confirm(scene, words.deletion.done(names));
  return handled;
}

async function refuse(scene: PersonCommandScene, text: string): Promise<Outcome> {
  await say(scene, text);
  return dropped("refused");
}

async function confirm(scene: PersonCommandScene, text: string): Promise<void> {
  const { messageId } = scene.event;
  if (messageId !== undefined) await takeAway(scene, { messageId });
  await say(scene, text);
}

/** Out of the chat too, where the platform lets us: in a lane of its own, so that nothing waits when it does not. */
async function takeAway(
  scene: PersonCommandScene,
  target: { readonly messageId: string } | { readonly postId: string },
): Promise<void> {
  const { unit, deps, connectionId } = scene;
  if (deps.adapters.get(connectionId)?.remove === undefined) return;
  const name = "postId" in target ? target.postId : `${scene.place.id}:${target.messageId}`;
  await deps.outbox.enqueue(unit, {
    op: "remove",
    target,
    to: destination(scene),
    purpose: "status",
    lane: `remove:${name}`,
    dedupKey: `deleted:${name}`,
  });
}
