import type { issueTokens } from "../attention/index.ts";
import type { Outbox } from "../outbox/index.ts";
import { newId } from "../shared/index.ts";
import type { Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import { positionOf } from "./lanes.store.ts";
import * as store from "./queue-post.store.ts";
import type { QueuePosition } from "./types.ts";

interface QueuePostDeps {
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly issueTokens: typeof issueTokens;
}

/** Posts a delivery's place in line, once; nothing when it left the line meanwhile. */
export async function showQueuePost(deps: QueuePostDeps, unit: Unit, deliveryId: string): Promise<void> {
  const notice = await queuedNotice(unit, deliveryId);
  if (notice === undefined || (await store.lockQueuePost(unit.db, deliveryId)) !== undefined) return;
  const { postIds } = await deps.outbox.enqueue(unit, {
    ...envelope(deliveryId, notice),
    op: "post",
    post: { ...(await shown(deps, unit, deliveryId, notice)), replyTo: notice.replyTo ?? undefined },
    speaker: notice.speaker,
    dedupKey: `queue:${deliveryId}`,
  });
  const postId = postIds[0];
  if (postId !== undefined) await store.setQueuePost(unit.db, deliveryId, postId);
}

/** Says anew what a delivery waits for: in the post that said it before, where there is one. */
export async function tellAnew(deps: QueuePostDeps, unit: Unit, deliveryId: string): Promise<void> {
  const postId = await store.lockQueuePost(unit.db, deliveryId);
  if (postId === undefined) return showQueuePost(deps, unit, deliveryId);
  const notice = await queuedNotice(unit, deliveryId);
  if (notice === undefined) return;
  await deps.outbox.enqueue(unit, {
    ...envelope(deliveryId, notice),
    op: "edit",
    target: { postId },
    post: await shown(deps, unit, deliveryId, notice),
    dedupKey: `queue:${deliveryId}:anew:${newId()}`,
  });
}

type QueuedNotice = store.QueueNotice & { readonly position: QueuePosition };

/** Undefined when it left the line. */
async function queuedNotice({ db }: Unit, deliveryId: string): Promise<QueuedNotice | undefined> {
  const position = await positionOf(db, deliveryId);
  const notice = await store.queueNotice(db, deliveryId);
  return notice && position?.status === "queued" ? { ...notice, position } : undefined;
}

function envelope(deliveryId: string, { to, conversationId }: store.QueueNotice) {
  // Not the conversation's own lane: an answer must not wait for this, nor this for an answer.
  return { to, purpose: "notice", lane: lane(deliveryId), conversationId } as const;
}

async function shown(deps: QueuePostDeps, unit: Unit, deliveryId: string, notice: QueuedNotice) {
  const words = wordsFor(notice.locale).mailbox;
  const tokens = await deps.issueTokens(unit, {
    choices: [{ key: "cancel", action: "cancel_queued", payload: { deliveryId } }],
    personId: notice.requesterPersonId ?? undefined,
    minRole: "manager",
  });
  return {
    text: sentence(words, notice.position, notice.speaker.name),
    buttons: [[{ label: words.cancel, token: tokens.cancel }]],
    notify: false,
  };
}

/** Takes it away: a post that was not sent yet is never shown. */
export async function removeQueuePost(
  outbox: Pick<Outbox, "enqueue">,
  unit: Unit,
  deliveryId: string,
  postId: string,
): Promise<void> {
  const notice = await store.queueNotice(unit.db, deliveryId);
  if (notice === undefined) return;
  await outbox.enqueue(unit, {
    ...envelope(deliveryId, notice),
    op: "remove",
    target: { postId },
    dedupKey: `queue:${deliveryId}:gone:${postId}`,
  });
}

function lane(deliveryId: string): string {
  return `queue:${deliveryId}`;
}

type MailboxWords = ReturnType<typeof wordsFor>["mailbox"];

function sentence(words: MailboxWords, position: QueuePosition, name: string): string {
  if (!position.working && position.laneHold === "usage-limit") return words.usageLimit(name);
  if (position.laneHold === "hidden") return words.away(name);
  if (position.ahead > 0) return words.inLine(position.ahead, name, position.workingFor);
  return position.holdReason === "task-limit" ? words.taskLimit(name) : words.serverBusy(name);
}
