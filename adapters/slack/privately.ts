import type { KnownBlock } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import { createRecent, delivered, failed, type Receipt } from "../../src/chat/index.ts";
import { describe, toFailure } from "./errors.ts";
import { responseUrlMs, responseUrlUses } from "./limits.ts";
import type { Rendered } from "./message.ts";
import type { Origin } from "./origin.ts";
import { clipped, escapeText } from "./render.ts";

export interface PrivatelyDeps {
  readonly client: WebClient;
  readonly redact: (text: string) => string;
  readonly warn: (message: string, detail: string) => void;
  readonly now: () => number;
  readonly requestMs: number;
}

const remembered = 500;
const answerLimit = 3_000;

type Answer = { readonly text?: string; readonly blocks?: readonly KnownBlock[] } & Readonly<Record<string, unknown>>;

/** What one person alone sees: by the address that came with what they did, or as an ephemeral message. */
export function createPrivately({ client, redact, warn, now, requestMs }: PrivatelyDeps) {
  const uses = createRecent<number>(remembered);
  /** Private messages whose buttons were pressed: only the address of such a press can change them. */
  const known = createRecent<Origin>(remembered);
  const conversations = createRecent<string>(remembered);

  const respond = async (origin: Origin, answer: Answer): Promise<Receipt> => {
    const { url, at } = origin;
    const used = url === undefined ? 0 : (uses.get(url) ?? 0);
    if (url === undefined || now() - at > responseUrlMs || used >= responseUrlUses) {
      return failed("gone", "The time to answer this in private is over.");
    }
    uses.set(url, used + 1);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json; charset=utf-8" },
        body: JSON.stringify(answer),
        signal: AbortSignal.timeout(requestMs),
      });
      const text = await response.text();
      if (response.ok && (text === "ok" || text === "" || text.startsWith('{"ok":true'))) {
        return delivered(`response:${origin.at}`);
      }
      if (response.status === 429) return failed("rate_limited", "status 429", 1000);
      if (response.status >= 500) return { outcome: "unknown", detail: `status ${response.status}` };
      return failed(response.status === 404 ? "gone" : "rejected", redact(text.slice(0, 200)));
    } catch (error) {
      return toFailure(error, redact);
    }
  };

  const directMessage = async (userId: string): Promise<string | undefined> => {
    const opened = conversations.get(userId);
    if (opened !== undefined) return opened;
    const channel = await client.conversations
      .open({ users: userId })
      .then(({ channel: found }) => found?.id)
      .catch(() => undefined);
    if (channel !== undefined) conversations.set(userId, channel);
    return channel;
  };

  /** In the thread it belongs to, if any. */
  const ephemeral = (
    { channel, thread, user }: Pick<Origin, "channel" | "thread" | "user">,
    message: Rendered,
    as: object,
  ) =>
    client.chat
      .postEphemeral({
        channel,
        user,
        text: message.text,
        blocks: message.blocks,
        ...(thread === undefined ? {} : { thread_ts: thread }),
        ...as,
      })
      .then(
        ({ message_ts: ts }) => delivered(ts ?? ""),
        (error: unknown) => toFailure(error, redact),
      );

  return {
    respond,
    directMessage,

    /** A new private message; never shown to anybody else. Falls back to the person's direct message. */
    post: async (origin: Origin, message: Rendered, as: object): Promise<Receipt> => {
      const shown = await ephemeral(origin, message, as);
      if (!cannotBeThere(shown)) return shown;
      const responded = await respond(
        origin,
        inThread(origin, { ...message, response_type: "ephemeral", replace_original: false }),
      );
      if (responded.outcome !== "failed") return responded;
      const channel = await directMessage(origin.user);
      if (channel === undefined) return shown;
      return client.chat.postMessage({ channel, text: message.text, blocks: message.blocks, ...as }).then(
        // It lives in another conversation than the one it was meant for.
        ({ ts }) => delivered(`${channel}:${ts ?? ""}`),
        (error: unknown) => toFailure(error, redact),
      );
    },

    /** A sentence to the one who did something, by whatever way is open. */
    tell: async (origin: Origin, text: string): Promise<void> => {
      const words = escapeText(clipped(text, answerLimit));
      const answer = { text: words, response_type: "ephemeral", replace_original: false };
      const responded = await respond(origin, inThread(origin, answer));
      if (responded.outcome !== "failed") return;
      const shown = await ephemeral(origin, { text: words, blocks: [] }, {});
      if (shown.outcome !== "failed") return;
      const channel = await directMessage(origin.user);
      if (channel === undefined) return warn("an answer reached nobody", shown.error.detail);
      await client.chat
        .postMessage({ channel, text: words })
        .catch((error: unknown) => warn("an answer reached nobody", redact(describe(error))));
    },

    learn: (origin: Origin): void => {
      if (origin.privateMessage !== undefined) known.set(origin.privateMessage, origin);
    },
    /** The press by which a private message can be changed. */
    pressOn: (messageId: string): Origin | undefined => known.get(messageId),
  };
}

export type Privately = ReturnType<typeof createPrivately>;

/** The person or we are not where it should be shown, so that another way may do. */
function cannotBeThere(receipt: Receipt): boolean {
  return receipt.outcome === "failed" && (receipt.error.kind === "gone" || receipt.error.kind === "refused");
}

function inThread({ thread }: Origin, answer: Answer): Answer {
  return thread === undefined ? answer : { ...answer, thread_ts: thread };
}
