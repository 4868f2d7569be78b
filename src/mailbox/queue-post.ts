import type { issueTokens } from "../attention/index.ts";
import type { Outbox } from "../outbox/index.ts";
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
  const position = await positionOf(unit.db, deliveryId);
  const notice = await store.queueNotice(unit.db, deliveryId);
  if (position === undefined || position.status !== "queued" || notice === undefined) return;
  if (await store.hasQueuePost(unit.db, deliveryId)) return;
  const words = wordsFor(notice.locale).mailbox;
  const tokens = await deps.issueTokens(unit, {
    choices: [{ key: "cancel", action: "cancel_queued", payload: { deliveryId } }],
    personId: notice.requesterPersonId ?? undefined,
    minRole: "manager",
  });
  const { postIds } = await deps.outbox.enqueue(unit, {
    op: "post",
    post: {
      text: sentence(words, position, notice.speaker.name),
      buttons: [[{ label: words.cancel, token: tokens.cancel }]],
      replyTo: notice.replyTo ?? undefined,
      notify: false,
    },
    to: notice.to,
    purpose: "notice",
    speaker: notice.speaker,
    // Not the conversation's own lane: an answer must not wait for this, nor this for an answer.
    lane: lane(deliveryId),
    dedupKey: `queue:${deliveryId}`,
    conversationId: notice.conversationId,
  });
  const postId = postIds[0];
  if (postId !== undefined) await store.setQueuePost(unit.db, deliveryId, postId);
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
    op: "remove",
    target: { postId },
    to: notice.to,
    purpose: "notice",
    lane: lane(deliveryId),
    dedupKey: `queue:${deliveryId}:gone:${postId}`,
    conversationId: notice.conversationId,
  });
}

function lane(deliveryId: string): string {
  return `queue:${deliveryId}`;
}

type MailboxWords = ReturnType<typeof wordsFor>["mailbox"];

function sentence(words: MailboxWords, position: QueuePosition, name: string): string {
  if (!position.working && position.laneHold === "usage-limit") return words.usageLimit(name);
  if (position.ahead > 0) return words.inLine(position.ahead, name, position.workingFor);
  return position.holdReason === "task-limit" ? words.taskLimit(name) : words.serverBusy(name);
}
