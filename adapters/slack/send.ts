import type { WebClient } from "@slack/web-api";
import { type Address, delivered, type Persona, type Post, type Receipt } from "../../src/chat/index.ts";
import { errorCode, isNotAllowed, toFailure } from "./errors.ts";
import { findPost, hasButton, hasKey } from "./history.ts";
import { type Rendered, renderPlain, renderPost } from "./message.ts";
import { postEvent } from "./names.ts";
import { type Origin, originOf } from "./origin.ts";
import { authorship } from "./persona.ts";
import type { Privately } from "./privately.ts";

export interface SenderDeps {
  readonly client: WebClient;
  readonly privately: Privately;
  readonly redact: (text: string) => string;
  /** True where Slack shows the name of a teammate by itself (`chat:write.customize`). */
  readonly customizes: () => boolean;
  readonly now: () => number;
}

/** Posts, changes and removals. One attempt a call: repeating is the outbox's decision. */
export function createSender({ client, privately, redact, customizes, now }: SenderDeps) {
  const named = () => !customizes();
  const as = (persona: Persona | undefined) => (persona && customizes() ? authorship(persona) : {});

  return {
    post: async (address: Address, post: Post, key: string, again = false): Promise<Receipt> => {
      const { onlyFor } = post;
      if (onlyFor && !isDirect(address)) {
        const origin = { ...originFor(address, onlyFor, now()), user: onlyFor.userId };
        return formatted(post, named(), (message) => privately.post(origin, message, as(post.persona)));
      }
      if (again) {
        const earlier = await findPost(client, address, hasKey(key)).catch((error: unknown) =>
          // Where we may not read we cannot look: an answer that is there twice is better than none.
          isNotAllowed(errorCode(error)) ? undefined : toFailure(error, redact),
        );
        if (earlier !== undefined) return typeof earlier === "string" ? delivered(earlier) : earlier;
      }
      return formatted(post, named(), ({ text, blocks }) =>
        receipt(
          client.chat.postMessage({
            channel: address.channel,
            text,
            blocks,
            // With blocks it is read by nobody as mark-up; without them it is plain text.
            mrkdwn: false,
            ...as(post.persona),
            ...(address.thread === undefined ? {} : { thread_ts: address.thread }),
            unfurl_links: false,
            unfurl_media: false,
            metadata: { event_type: postEvent, event_payload: { key } },
          }),
        ),
      );
    },

    edit: async (address: Address, messageId: string, post: Post): Promise<Receipt> => {
      const press = pressBehind(messageId, post);
      if (press) {
        return formatted(post, named(), async (message) =>
          withId(messageId, await privately.respond(press, { ...message, replace_original: true })),
        );
      }
      const { channel, ts } = locate(address, messageId);
      return formatted(post, named(), ({ text, blocks }) =>
        receipt(client.chat.update({ channel, ts, text, blocks }), messageId),
      );
    },

    remove,

    removeByButton: async (address: Address, test: (token: string) => boolean): Promise<Receipt> => {
      try {
        const id = await findPost(client, address, hasButton(test));
        return id === undefined ? delivered("") : await remove(address, id);
      } catch (error) {
        return isNotAllowed(errorCode(error)) ? delivered("") : toFailure(error, redact);
      }
    },
  };

  async function remove(address: Address, messageId: string): Promise<Receipt> {
    const press = privately.pressOn(messageId);
    if (press) return withId(messageId, await privately.respond(press, { delete_original: true }));
    return receipt(client.chat.delete(locate(address, messageId)), messageId);
  }

  function receipt(sent: Promise<{ ts?: string | undefined }>, messageId?: string): Promise<Receipt> {
    return sent.then(
      ({ ts }) => delivered(messageId ?? ts ?? ""),
      (error: unknown) => toFailure(error, redact),
    );
  }

  /** The press that lets us change a private message: the one the post answers, or an earlier one we remember. */
  function pressBehind(messageId: string, { onlyFor }: Post): Origin | undefined {
    const origin = onlyFor?.interaction && originOf(onlyFor.interaction);
    return origin?.privateMessage === messageId ? origin : privately.pressOn(messageId);
  }
}

export type Sender = ReturnType<typeof createSender>;

/** Slack could not read our blocks, or finds them too long; the same words without mark-up are taken. */
const needsPlain = new Set([
  "invalid_blocks",
  "invalid_blocks_format",
  "msg_blocks_too_long",
  "msg_too_long",
  "markdown_text_conflict",
]);

/** Sends with mark-up; once more without it when Slack cannot read it, so that the words always arrive. */
async function formatted(post: Post, named: boolean, send: (message: Rendered) => Promise<Receipt>): Promise<Receipt> {
  const first = await send(renderPost(post, named));
  if (first.outcome !== "failed" || first.error.kind !== "rejected" || !needsPlain.has(first.error.detail))
    return first;
  return send(renderPlain(post, named));
}

function originFor(address: Address, { interaction, userId }: NonNullable<Post["onlyFor"]>, now: number): Origin {
  const origin = interaction && originOf(interaction);
  return { ...(origin ?? { user: userId, at: now }), ...address };
}

/** A private message that could only be sent as a direct one carries its conversation in its id. */
function locate({ channel }: Address, messageId: string): { channel: string; ts: string } {
  const [other, ts] = messageId.split(":");
  return other !== undefined && ts !== undefined && other.startsWith("D")
    ? { channel: other, ts }
    : { channel, ts: messageId };
}

function isDirect({ channel }: Address): boolean {
  return channel.startsWith("D");
}

function withId(messageId: string, receipt: Receipt): Receipt {
  return receipt.outcome === "delivered" ? delivered(messageId) : receipt;
}
