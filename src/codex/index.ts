/**
 * Codex: the app-server process, the connection to it, and its threads and turns.
 * Everything the rest of the house knows about the protocol goes through here; `protocol/` is generated.
 * Order: createCodexServer → createConnection → createThreads; attach a handler before startTurn.
 */
export { askModel } from "./ask.ts";
export { findCodexBinary } from "./binary.ts";
export {
  type Attachment,
  type CodexConnection,
  type ConnectionOptions,
  type ConnectionState,
  createConnection,
  type ThreadHandler,
} from "./connection.ts";
export { AnsweredElsewhere, CodexError, classifyTurnError, type TurnErrorKind } from "./errors.ts";
export type {
  Method,
  Notification,
  NotificationMethod,
  Params,
  Result,
  ServerRequest,
  ServerRequestMethod,
  ServerRequestOf,
} from "./messages.ts";
export type * from "./protocol/types.ts";
export { protocolVersion } from "./protocol/version.ts";
export {
  type CodexServer,
  type CodexServerOptions,
  type ConfigValue,
  createCodexServer,
  type ServerState,
} from "./server.ts";
export {
  type CodexThreads,
  createThreads,
  type FoundTurn,
  type LoadResult,
  type NewThreadSettings,
  type StartedTurn,
  type ThreadInfo,
  type ThreadSettings,
  type TurnInput,
} from "./threads.ts";
export type { OpenTransport } from "./transport.ts";
export { type Endpoint, webSocketTransport } from "./websocket.ts";
