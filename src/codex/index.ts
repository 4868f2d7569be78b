/**
 * Codex: the app-server process, the connection to it, and its threads and turns.
 * Everything the rest of the house knows about the protocol goes through here; `protocol/` is generated.
 * Order: createCodexServer → createConnection → createThreads; attach a handler before startTurn.
 */
export { type CodexBinary, findCodexBinary } from "./binary.ts";
export {
  type Attachment,
  type CodexConnection,
  type ConnectionCounts,
  type ConnectionOptions,
  type ConnectionState,
  createConnection,
  type RequestOptions,
  type ServerInfo,
  type ThreadHandler,
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
  type InterruptResult,
  type LoadResult,
  type NewThreadSettings,
  type StartedTurn,
  type SteerRequest,
  type SteerResult,
  type ThreadInfo,
  type ThreadSettings,
  type TurnInput,
  type TurnRequest,
} from "./threads.ts";
export type { OpenTransport, Transport, TransportEvents } from "./transport.ts";
export { type Endpoint, webSocketTransport } from "./websocket.ts";
