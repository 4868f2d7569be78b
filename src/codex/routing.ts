import { type Log, redact } from "../shared/index.ts";
import type { Attachment, ThreadHandler } from "./connection.ts";
import { AnsweredElsewhere } from "./errors.ts";
import { isRecord, threadIdOf } from "./frames.ts";
import type { Notification } from "./messages.ts";
import { decline, makeOpenRequests, unsupportedCode } from "./open-requests.ts";
import { notificationMethods, type ServerRequests, serverRequestMethods } from "./protocol/methods.ts";
import type { RequestId } from "./protocol/types.ts";

const failedCode = -32603;

/** Who gets what arrives: by thread id, and for what has none, the listeners of the connection. */
export interface Routing {
  attach(threadId: string, handler: ThreadHandler): Attachment;
  onNotification(listener: (notification: Notification) => void): () => void;
  notify(method: string, params: unknown, emittedAtMs: number | undefined): void;
  request(id: RequestId, method: string, params: unknown, epoch: string): void;
  disconnected(): void;
  reconnected(epoch: string): void;
  counts(): { openServerRequests: number; unknown: number; strays: number };
}

/** `reply` sends the answer to a server request on the current line. */
export function makeRouting(log: Log, reply: (message: Record<string, unknown>) => void): Routing {
  const handlers = new Map<string, ThreadHandler>();
  const listeners = new Set<(notification: Notification) => void>();
  // Sub-agents, which Codex's newer models start, have threads of their own that nobody attaches to.
  const parents = new Map<string, string>();
  let unknown = 0;
  let strays = 0;

  const ownerOf = (threadId: string | undefined): string | undefined => {
    let owner = threadId;
    while (owner !== undefined && !handlers.has(owner)) owner = parents.get(owner);
    return owner;
  };
  const open = makeOpenRequests(log, ownerOf, reply);

  const guarded = (what: string, run: () => void) => {
    try {
      run();
    } catch (error) {
      log.error({ err: error }, `${what} failed`);
    }
  };

  const deliver = (threadId: string, notification: Notification) => {
    const own = handlers.get(threadId);
    const owner = own ?? handlers.get(ownerOf(threadId) ?? "");
    guarded(`The handler of ${notification.method}`, () => {
      if (own === undefined) owner?.onSubagentNotification?.(notification);
      else own.onNotification(notification);
    });
  };

  /** What a notification says about families of threads, before anybody else sees it. */
  const learn = (threadId: string, { method, params }: Notification) => {
    if (method === "item/started" && params.item.type === "subAgentActivity") {
      parents.set(params.item.agentThreadId, threadId);
    }
    if (method === "thread/closed") parents.delete(threadId);
    if (method === "serverRequest/resolved") {
      const isMeant = (id: RequestId, thread: string | undefined) => thread === threadId && id === params.requestId;
      open.drop(
        ({ request, threadId: thread }) => isMeant(request.id, thread),
        new AnsweredElsewhere("Already answered."),
      );
    }
  };

  const notify: Routing["notify"] = (method, params, emittedAtMs) => {
    if (!isNotificationMethod(method) || !isRecord(params)) {
      unknown += 1;
      log.debug({ method: redact(method) }, "Codex sent a notification we do not know");
      return;
    }
    const notification = { method, params, emittedAtMs } as unknown as Notification;
    const threadId = threadIdOf(params);
    if (threadId === undefined) {
      for (const listener of [...listeners]) guarded(`A listener to ${method}`, () => listener(notification));
      return;
    }
    learn(threadId, notification);
    deliver(threadId, notification);
    if (notification.method !== "turn/completed") return;
    // Tool calls get no "resolved" when their turn is cut off; the end of the turn is all we learn.
    const { id } = notification.params.turn;
    open.drop(({ turnId }) => turnId === id, new Error("The turn is over."));
  };

  const request: Routing["request"] = (id, method, params, epoch) => {
    if (!isServerRequestMethod(method)) {
      unknown += 1;
      log.warn({ method: redact(method) }, "Codex asked something we do not know; refused");
      reply({ id, error: { code: unsupportedCode, message: "This client does not know that request." } });
      return;
    }
    const incoming = open.add({ id, method, params, epoch });
    const handler = handlers.get(incoming.ownerId ?? "");
    if (handler === undefined) {
      strays += 1;
      log.warn({ method, threadId: incoming.threadId }, "Codex asked for a thread nobody handles; declined");
      decline(incoming.request);
      return;
    }
    try {
      handler.onRequest(incoming.request);
    } catch (error) {
      log.error({ err: error, method }, "The handler of a request failed; refused");
      incoming.request.refuse("The request could not be handled.", failedCode);
    }
  };

  return {
    attach: (threadId, handler) => {
      if (handlers.has(threadId)) throw new Error(`Thread ${threadId} already has a handler.`);
      handlers.set(threadId, handler);
      const detach = () => {
        if (handlers.get(threadId) !== handler) return;
        handlers.delete(threadId);
        open.decline(({ ownerId }) => ownerId === threadId, "Nobody handles this thread any more.");
      };
      return { detach, [Symbol.dispose]: detach };
    },
    onNotification: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify,
    request,
    disconnected: () => {
      open.drop(() => true, new Error("The connection to Codex was lost."));
      for (const handler of [...handlers.values()]) guarded("A disconnect handler", () => handler.onDisconnect?.());
    },
    reconnected: (epoch) => {
      for (const handler of [...handlers.values()]) guarded("A reconnect handler", () => handler.onReconnect?.(epoch));
    },
    counts: () => ({ openServerRequests: open.count(), unknown, strays }),
  };
}

const knownNotifications: ReadonlySet<string> = new Set(notificationMethods);
const knownRequests: ReadonlySet<string> = new Set(serverRequestMethods);

function isNotificationMethod(method: string): method is Notification["method"] {
  return knownNotifications.has(method);
}

function isServerRequestMethod(method: string): method is keyof ServerRequests {
  return knownRequests.has(method);
}
