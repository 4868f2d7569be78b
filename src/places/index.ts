/**
 * The places room: connections, the chats and channels on them, who may ask there, and the conversations inside.
 * A place starts closed; only an owner or admin opens it.
 */
export { mayAsk } from "./access.ts";
export {
  type Connection,
  connectionState,
  ensureConnection,
  getConnection,
  listConnections,
  setConnectionState,
} from "./connections.store.ts";
export { type Line, longestSaid, saidAround } from "./context.store.ts";
export {
  conversationKind,
  ensureConversation,
  resetConversation,
} from "./conversations.store.ts";
export { excerptOf, wordsIn } from "./excerpt.ts";
export { knownPlaces } from "./known.store.ts";
export { createPlaces, type Place, type Places } from "./places.ts";
export { type ReachablePlace, reachablePlaces } from "./reachable.store.ts";
export { momentOf } from "./since.ts";
export { findSaid, readSaid, type SaidLine } from "./transcript.store.ts";
