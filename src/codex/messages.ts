import type { Methods, Notifications, ServerRequests } from "./protocol/methods.ts";
import type { RequestId } from "./protocol/types.ts";

export type Method = keyof Methods;
export type Params<M extends Method> = Methods[M]["params"];
export type Result<M extends Method> = Methods[M]["result"];

export type NotificationMethod = keyof Notifications;

/** What Codex tells without being asked; `emittedAtMs` is its own clock. */
export type Notification = {
  [M in NotificationMethod]: { method: M; params: Notifications[M]; emittedAtMs: number | undefined };
}[NotificationMethod];

export type ServerRequestMethod = keyof ServerRequests;

/**
 * Something Codex wants to have answered: an approval, a tool call, a question. It may stay open for hours and is then
 * answered with `answer` or `refuse`; both return false when nobody waits for it any more, which does no harm.
 *
 * `id` is a small number that starts again with every server process, so it identifies a request only together with
 * `epoch`. After a reconnect Codex sends an open request again, under the same id, once the thread is resumed: a new
 * `ServerRequest` with the new epoch. Recognise it by the item id in its parameters.
 *
 * `signal` aborts when the answer stopped mattering: answered elsewhere, turn over, connection lost, handler detached.
 */
export type ServerRequest = { [M in ServerRequestMethod]: ServerRequestOf<M> }[ServerRequestMethod];

export interface ServerRequestOf<M extends ServerRequestMethod> {
  readonly method: M;
  readonly id: RequestId;
  readonly epoch: string;
  readonly params: ServerRequests[M]["params"];
  readonly signal: AbortSignal;
  answer(result: ServerRequests[M]["result"]): boolean;
  refuse(message: string, code?: number): boolean;
}
