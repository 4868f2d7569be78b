/**
 * Codex: the app-server process, the connection to it, and its threads and turns.
 * Everything the rest of the house knows about the protocol goes through here; `protocol/` is generated.
 * Order: createCodexServer → createConnection → createThreads; attach a handler before startTurn.
 */
export { type CodexBinary, findCodexBinary } from "./binary.ts";
export type {
  Attachment,
  CodexConnection,
  ConnectionCounts,
  ConnectionOptions,
  ConnectionState,
  RequestOptions,
  ServerInfo,
  ThreadHandler,
} from "./connection.ts";
export { CodexError, type CodexErrorKind, classifyTurnError, type TurnErrorKind } from "./errors.ts";
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
export type { CodexServer, CodexServerOptions, ConfigValue, ServerState } from "./server.ts";
export type {
  CodexThreads,
  FoundTurn,
  InterruptResult,
  LoadResult,
  NewThreadSettings,
  StartedTurn,
  SteerRequest,
  SteerResult,
  ThreadInfo,
  ThreadSettings,
  TurnInput,
  TurnRequest,
} from "./threads.ts";
export type { OpenTransport, Transport, TransportEvents } from "./transport.ts";
export { type Endpoint, webSocketTransport } from "./websocket.ts";
