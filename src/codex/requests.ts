import { setTimeout as sleep } from "node:timers/promises";
import { CodexError } from "./errors.ts";
import type { RpcError } from "./frames.ts";
import type { RequestId } from "./protocol/types.ts";

export interface RequestSettings {
  timeoutMs: number;
  maxInFlight: number;
  overloadPauseMs: number;
  random: () => number;
}

export interface SendOptions {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Requests of one connection, matched to their replies by id. */
export interface Requests {
  send(method: string, params: unknown, options?: SendOptions): Promise<unknown>;
  onReply(id: RequestId, result: unknown): void;
  onError(id: RequestId, error: RpcError): void;
  /** Rejects everything that waits; later calls are rejected too. */
  end(error: CodexError): void;
  counts(): { inFlight: number; waiting: number };
}

interface Pending {
  method: string;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

const overloadedCode = -32001;
const overloadAttempts = 5;

/** `write` puts one message on the line; it throws when the message may not be sent. */
export function makeRequests(write: (message: string) => void, settings: RequestSettings): Requests {
  const pending = new Map<RequestId, Pending>();
  // app-server rejects requests when some hundreds wait (-32001), so we keep the queue on our side.
  const waiting: (() => void)[] = [];
  let nextId = 0;
  let ended: CodexError | undefined;

  const attempt = (method: string, params: unknown, options: SendOptions): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++nextId;
      const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
      const finish = () => {
        clearTimeout(timer);
        options.signal?.removeEventListener("abort", onAbort);
        if (pending.delete(id)) waiting.shift()?.();
      };
      const entry: Pending = {
        method,
        resolve: (result) => {
          finish();
          resolve(result);
        },
        reject: (error) => {
          finish();
          reject(error);
        },
      };
      const onAbort = () => entry.reject(options.signal?.reason);
      const timer = setTimeout(() => {
        entry.reject(new CodexError("timeout", `Codex did not answer ${method} within ${timeoutMs} ms.`, { method }));
      }, timeoutMs);
      options.signal?.addEventListener("abort", onAbort, { once: true });
      pending.set(id, entry);
      // Told to stop between waking up and now; the slot goes to the next one.
      if (options.signal?.aborted === true) return onAbort();
      try {
        write(JSON.stringify({ id, method, params }));
      } catch (error) {
        entry.reject(error);
      }
    });

  const freeSlot = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const wake = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        waiting.splice(waiting.indexOf(wake), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.push(wake);
    });

  const send = async (method: string, params: unknown, options: SendOptions = {}): Promise<unknown> => {
    for (let attempts = 1; ; attempts += 1) {
      options.signal?.throwIfAborted();
      // No await between the last look at the limit and the sending.
      while (pending.size >= settings.maxInFlight && ended === undefined) await freeSlot(options.signal);
      if (ended !== undefined) throw ended;
      try {
        return await attempt(method, params, options);
      } catch (error) {
        if (!(error instanceof CodexError && error.kind === "overloaded") || attempts > overloadAttempts) throw error;
        const pause = settings.overloadPauseMs * 2 ** (attempts - 1) * (0.5 + settings.random() / 2);
        await sleep(pause, undefined, { signal: options.signal });
      }
    }
  };

  return {
    send,
    onReply: (id, result) => pending.get(id)?.resolve(result),
    onError: (id, error) => {
      const entry = pending.get(id);
      entry?.reject(toCodexError(entry.method, error));
    },
    end: (error) => {
      ended = error;
      for (const { reject } of [...pending.values()]) reject(error);
      for (const resume of waiting.splice(0)) resume();
    },
    counts: () => ({ inFlight: pending.size, waiting: waiting.length }),
  };
}

/** Codex has few error codes; what matters is in the text (0.171.0). */
function toCodexError(method: string, { code, message, data }: RpcError): CodexError {
  const details = { method, code, data };
  // A refused method is answered with the names of all others, so long texts are cut.
  const text = `Codex refused ${method}: ${message.length > 500 ? `${message.slice(0, 500)}…` : message}`;
  if (code === overloadedCode) return new CodexError("overloaded", `Codex is overloaded (${method}).`, details);
  if (/^thread not (?:found|loaded)|^no rollout found/.test(message))
    return new CodexError("thread_missing", text, details);
  if (/already has an active writer|ActiveTurnNotSteerable/.test(message))
    return new CodexError("unavailable", text, details);
  return new CodexError("refused", text, details);
}
