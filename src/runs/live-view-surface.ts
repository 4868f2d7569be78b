import { setTimeout as sleep } from "node:timers/promises";
import type { Adapter, Address, Post, Receipt, SendError } from "../chat/index.ts";
import type { PacedOutcome } from "./live-view-pacer.ts";

/** What a view shows at one moment, in the form its surface wants. */
export interface LiveViewContent {
  post(): Promise<Post>;
  draft(): string;
  status(): { readonly text: string; readonly topic: string };
  /** Lines for steps that finished since the last call. */
  newLines(): string;
}

/** The way a place shows progress. Never rejects. */
export interface Surface {
  show(content: LiveViewContent): Promise<PacedOutcome>;
  /** The message that is there now, if this surface made one. */
  messageId(): string | undefined;
  /** Takes away what is no message, once the view is over. */
  clear?(): Promise<void>;
}

const shown: PacedOutcome = { kind: "shown" };
const over: PacedOutcome = { kind: "over" };
const unavailableRetryMs = 3_000;
const rateLimitedRetryMs = 5_000;
const mostRejections = 3;
/** A line that says the same is not sent again before that, although its time has gone on. It expires where nobody renews it. */
const sameLineMs = 10_000;
/** The next run in the same thread may have a line of its own by then. */
const longestClearPauseMs = 10_000;
const mostClears = 3;

export interface MessageSurfaceDeps {
  readonly adapter: Adapter;
  readonly address: Address;
  /** At most 24 characters, the same for every try. */
  readonly key: string;
  /** Called before the first post, and whenever the message changes. */
  readonly opened: () => Promise<void>;
  readonly remember: (messageId: string | undefined) => Promise<void>;
  /** True once the view is over: what was not posted by then is not posted any more. */
  readonly isClosed: () => boolean;
}

/** One message that is edited. If it is gone it is posted anew, once: somebody who deletes it twice means it. */
export function messageSurface(deps: MessageSurfaceDeps): Surface {
  const { adapter, address, key, opened, remember, isClosed } = deps;
  let messageId: string | undefined;
  let generation = 0;
  let rejections = 0;
  let last: Post | undefined;

  const first = async (post: Post): Promise<PacedOutcome> => {
    await opened();
    if (isClosed()) return over;
    const receipt = await adapter.post(address, post, `${key}${generation}`);
    if (receipt.outcome === "delivered") {
      messageId = receipt.messageId;
      last = post;
      await remember(messageId);
      return shown;
    }
    // Lost response: it may be there. A second one could never be taken away again, unless the platform sorts it out.
    if (receipt.outcome === "unknown") return adapter.capabilities.idempotentPosts ? retry(unavailableRetryMs) : over;
    return retryOf(receipt.error) ?? over;
  };

  const again = async (post: Post, id: string): Promise<PacedOutcome> => {
    if (adapter.edit === undefined) return over;
    if (last !== undefined && sameContent(last, post)) return shown;
    const receipt = await adapter.edit(address, id, post);
    if (receipt.outcome !== "failed") {
      last = receipt.outcome === "delivered" ? post : undefined;
      rejections = 0;
      return shown;
    }
    if (receipt.error.kind === "gone") {
      messageId = undefined;
      await remember(undefined);
      return generation++ === 0 ? retry(0) : over;
    }
    const retried = retryOf(receipt.error);
    if (retried !== undefined) return retried;
    rejections += 1;
    return rejections < mostRejections ? shown : over;
  };

  return {
    async show(content) {
      const post = await content.post();
      return messageId === undefined ? await first(post) : await again(post, messageId);
    },
    messageId: () => messageId,
  };
}

/** A native draft; where the platform does not take it, the fallback shows the rest. */
export function draftSurface(draft: (text: () => string) => Promise<Receipt>, makeFallback: () => Surface): Surface {
  let fallback: Surface | undefined;
  return {
    async show(content) {
      if (fallback !== undefined) return await fallback.show(content);
      const receipt = await draft(() => content.draft());
      if (receipt.outcome !== "failed") return shown;
      const retried = retryOf(receipt.error);
      if (retried !== undefined) return retried;
      fallback = makeFallback();
      return await fallback.show(content);
    },
    messageId: () => fallback?.messageId(),
  };
}

export interface StatusSurfaceDeps {
  readonly status: (line: string | null) => Promise<Receipt>;
  /** Shows the rest where the platform does not take the line, after this many milliseconds. */
  readonly makeFallback: () => Surface;
  readonly fallbackAfterMs: number;
}

/** One line beside the conversation. Whatever we post there takes it away, so it is said again although nothing changed. */
export function statusSurface({ status, makeFallback, fallbackAfterMs }: StatusSurfaceDeps): Surface {
  let fallback: Surface | undefined;
  let last: { readonly topic: string; readonly at: number } | undefined;
  let mayBeThere = false;
  return {
    async show(content) {
      if (fallback !== undefined) return await fallback.show(content);
      const { text, topic } = content.status();
      if (last?.topic === topic && Date.now() - last.at < sameLineMs) return shown;
      const receipt = await status(text);
      if (receipt.outcome !== "failed") {
        last = { topic, at: Date.now() };
        mayBeThere = true;
        return shown;
      }
      const retried = retryOf(receipt.error);
      if (retried !== undefined) return retried;
      fallback = makeFallback();
      return retry(fallbackAfterMs);
    },
    messageId: () => fallback?.messageId(),
    async clear() {
      for (let tries = 0; mayBeThere && tries < mostClears; tries += 1) {
        const receipt = await status(null);
        const again = receipt.outcome === "failed" ? retryOf(receipt.error) : undefined;
        if (again?.kind !== "retry") return;
        await sleep(Math.min(again.afterMs, longestClearPauseMs), undefined, { ref: false });
      }
    },
  };
}

/** Finished steps simply appear, one line each; nothing is taken away later. */
export function printSurface(adapter: Adapter, address: Address, key: string): Surface {
  let count = 0;
  return {
    async show(content) {
      const text = content.newLines();
      if (text === "") return shown;
      const receipt = await adapter.post(address, { text, notify: false }, `${key}${count++}`);
      return receipt.outcome === "failed" && receipt.error.kind !== "rate_limited" ? over : shown;
    },
    messageId: () => undefined,
  };
}

function retry(afterMs: number): PacedOutcome {
  return { kind: "retry", afterMs };
}

function retryOf(error: SendError): PacedOutcome | undefined {
  if (error.kind === "rate_limited") return retry(error.retryAfterMs ?? rateLimitedRetryMs);
  if (error.kind === "unavailable") return retry(error.retryAfterMs ?? unavailableRetryMs);
  return undefined;
}

function sameContent(a: Post, b: Post): boolean {
  return a.text === b.text && a.buttons?.[0]?.[0]?.token === b.buttons?.[0]?.[0]?.token;
}
