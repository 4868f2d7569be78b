import type { RequestId } from "./protocol/types.ts";

export interface RpcError {
  code: number;
  message: string;
  data: unknown;
}

/** One message from app-server, as far as its envelope tells. */
export type Frame =
  | { kind: "reply"; id: RequestId; result: unknown }
  | { kind: "error"; id: RequestId; error: RpcError }
  | { kind: "request"; id: RequestId; method: string; params: unknown }
  | { kind: "notification"; method: string; params: unknown; emittedAtMs: number | undefined }
  | { kind: "malformed"; why: string };

/**
 * Sorts a message by its envelope. By hand and not with a schema, as every streamed word passes here; what is inside
 * `params` and `result` has the generated types, since app-server is our own pinned program.
 */
export function readFrame(text: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "malformed", why: "not JSON" };
  }
  if (!isRecord(value)) return { kind: "malformed", why: "not an object" };
  const { id, method, params } = value;
  if (typeof method === "string") {
    if (id === undefined)
      return { kind: "notification", method, params, emittedAtMs: numberOrUndefined(value.emittedAtMs) };
    return isRequestId(id) ? { kind: "request", id, method, params } : { kind: "malformed", why: "odd id" };
  }
  if (!isRequestId(id)) return { kind: "malformed", why: "neither method nor id" };
  if (!("error" in value)) return { kind: "reply", id, result: value.result };
  return { kind: "error", id, error: readError(value.error) };
}

function readError(error: unknown): RpcError {
  if (!isRecord(error)) return { code: 0, message: "Codex gave no reason.", data: undefined };
  return {
    code: numberOrUndefined(error.code) ?? 0,
    message: typeof error.message === "string" ? error.message : "Codex gave no reason.",
    data: error.data,
  };
}

/** The thread a message is about. `thread/started` names it inside the thread; the two legacy approvals call it conversation. */
export function threadIdOf(params: unknown): string | undefined {
  if (!isRecord(params)) return undefined;
  if (typeof params.threadId === "string") return params.threadId;
  if (typeof params.conversationId === "string") return params.conversationId;
  return isRecord(params.thread) && typeof params.thread.id === "string" ? params.thread.id : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
