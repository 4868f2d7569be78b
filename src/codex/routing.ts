import { type Log, redact } from "../shared/index.ts";
import type { Attachment, ThreadHandler } from "./connection.ts";
import { isRecord, threadIdOf } from "./frames.ts";
import type { Notification, ServerRequest, ServerRequestMethod } from "./messages.ts";
import { notificationMethods, type ServerRequests, serverRequestMethods } from "./protocol/methods.ts";
import type { RequestId } from "./protocol/types.ts";

const unsupportedCode = -32601;

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

interface Open {
  threadId: string | undefined;
  turnId: string | undefined;
  id: RequestId;
  request: ServerRequest;
  abort: AbortController;
}

/** `reply` sends the answer to a server request on the current line. */
export function makeRouting(log: Log, reply: (message: Record<string, unknown>) => void): Routing {
  const handlers = new Map<string, ThreadHandler>();
  const listeners = new Set<(notification: Notification) => void>();
  const open = new Set<Open>();
  let unknown = 0;
  let strays = 0;

  const close = (entry: Open, reason: string) => {
    if (open.delete(entry)) entry.abort.abort(new Error(reason));
  };

  const closeWhere = (fits: (entry: Open) => boolean, reason: string) => {
    for (const entry of [...open]) if (fits(entry)) close(entry, reason);
  };

  const settle = (entry: Open, message: Record<string, unknown>): boolean => {
    if (!open.has(entry)) return false;
    open.delete(entry);
    try {
      reply({ id: entry.id, ...message });
      return true;
    } catch (error) {
      log.warn({ err: error, method: entry.request.method }, "An answer to Codex could not be sent");
      return false;
    }
  };

  const guarded = (what: string, run: () => void) => {
    try {
      run();
    } catch (error) {
      log.error({ err: error }, `${what} failed`);
    }
  };

  const openRequest = (id: RequestId, method: ServerRequestMethod, params: unknown, epoch: string): Open => {
    const abort = new AbortController();
    const turnId = isRecord(params) && typeof params.turnId === "string" ? params.turnId : undefined;
    // One object for ten methods: which parameters belong to which method is settled by the generated types.
    const request = {
      method,
      id,
      epoch,
      params,
      signal: abort.signal,
      answer: (result: unknown) => settle(entry, { result }),
      refuse: (message: string, code = unsupportedCode) => settle(entry, { error: { code, message } }),
    } as ServerRequest;
    const entry: Open = { threadId: threadIdOf(params), turnId, id, request, abort };
    open.add(entry);
    return entry;
  };

  return {
    attach: (threadId, handler) => {
      if (handlers.has(threadId)) throw new Error(`Thread ${threadId} already has a handler.`);
      handlers.set(threadId, handler);
      const detach = () => {
        if (handlers.get(threadId) !== handler) return;
        handlers.delete(threadId);
        for (const entry of [...open].filter((candidate) => candidate.threadId === threadId)) {
          decline(entry.request);
          entry.abort.abort(new Error("Nobody handles this thread any more."));
        }
      };
      return { detach, [Symbol.dispose]: detach };
    },
    onNotification: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notify: (method, params, emittedAtMs) => {
      if (!isNotificationMethod(method) || !isRecord(params)) {
        unknown += 1;
        log.debug({ method }, "Codex sent a notification we do not know");
        return;
      }
      const notification = { method, params, emittedAtMs } as unknown as Notification;
      const threadId = threadIdOf(params);
      if (threadId === undefined) {
        for (const listener of listeners) guarded(`A listener to ${method}`, () => listener(notification));
        return;
      }
      if (method === "serverRequest/resolved") {
        closeWhere((entry) => entry.threadId === threadId && entry.id === params.requestId, "Already answered.");
      }
      const handler = handlers.get(threadId);
      if (handler !== undefined) guarded(`The handler of ${method}`, () => handler.onNotification(notification));
      // Tool calls get no "resolved" when their turn is cut off; the end of the turn is all we learn.
      const turnId = notification.method === "turn/completed" ? notification.params.turn.id : undefined;
      if (turnId !== undefined) closeWhere((entry) => entry.turnId === turnId, "The turn is over.");
    },
    request: (id, method, params, epoch) => {
      if (!isServerRequestMethod(method)) {
        unknown += 1;
        log.warn({ method: redact(method) }, "Codex asked something we do not know; refused");
        reply({ id, error: { code: unsupportedCode, message: "This client does not know that request." } });
        return;
      }
      const entry = openRequest(id, method, params, epoch);
      const handler = entry.threadId === undefined ? undefined : handlers.get(entry.threadId);
      if (handler === undefined) {
        strays += 1;
        log.warn({ method, threadId: entry.threadId }, "Codex asked for a thread nobody handles; declined");
        decline(entry.request);
        return;
      }
      try {
        handler.onRequest(entry.request);
      } catch (error) {
        log.error({ err: error, method }, "The handler of a request failed; refused");
        entry.request.refuse("The request could not be handled.", -32603);
      }
    },
    disconnected: () => {
      closeWhere(() => true, "The connection to Codex was lost.");
      for (const handler of [...handlers.values()]) guarded("A disconnect handler", () => handler.onDisconnect?.());
    },
    reconnected: (epoch) => {
      for (const handler of [...handlers.values()]) guarded("A reconnect handler", () => handler.onReconnect?.(epoch));
    },
    counts: () => ({ openServerRequests: open.size, unknown, strays }),
  };
}

/** Says no in the words of each method, so that nothing hangs on a request nobody will answer. */
export function decline(request: ServerRequest): boolean {
  const why = "Nobody handles this conversation now.";
  switch (request.method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return request.answer({ decision: "decline" });
    case "item/tool/call":
      return request.answer({ contentItems: [{ type: "inputText", text: why }], success: false });
    case "mcpServer/elicitation/request":
      return request.answer({ action: "decline", content: null, _meta: null });
    case "applyPatchApproval":
    case "execCommandApproval":
      return request.answer({ decision: { denied: { rejection: why } } });
    case "item/permissions/requestApproval":
    case "item/tool/requestUserInput":
    case "account/chatgptAuthTokens/refresh":
    case "attestation/generate":
      return request.refuse(why);
  }
}

const knownNotifications: ReadonlySet<string> = new Set(notificationMethods);
const knownRequests: ReadonlySet<string> = new Set(serverRequestMethods);

function isNotificationMethod(method: string): method is Notification["method"] {
  return knownNotifications.has(method);
}

function isServerRequestMethod(method: string): method is keyof ServerRequests {
  return knownRequests.has(method);
}
