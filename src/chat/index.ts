/** What adapters and core share: the adapter contract, inbound events, posts and receipts. Knows no platform and no database. */
export {
  type Account,
  type Adapter,
  type AdapterDeps,
  type AdapterState,
  type Capabilities,
  type CommandSpec,
  ConnectionError,
  type ConnectionState,
  DownloadError,
  type StateListener,
} from "./adapter.ts";
export type {
  Addressing,
  ButtonEvent,
  Collect,
  CommandEvent,
  DeletionEvent,
  EditEvent,
  InboundEvent,
  InboundFile,
  Interaction,
  MembershipEvent,
  MessageEvent,
  Quote,
  Sink,
  StopEvent,
} from "./events.ts";
export type { Address, Author, InboundPlace, PlaceKind } from "./place.ts";
export type { Button, OutboundFile, Post, Reaction } from "./post.ts";
export type { Receipt, SendError, SendErrorKind } from "./receipt.ts";
