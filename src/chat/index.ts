/** What adapters and core share: the adapter contract, inbound events, posts, receipts, Markdown and its splitter. Knows no platform and no database. */
export {
  type Account,
  type Adapter,
  type AdapterDeps,
  type AdapterState,
  type Capabilities,
  type CommandField,
  type CommandSpec,
  type Completion,
  ConnectionError,
  type ConnectionState,
  DownloadError,
  type KnownPlace,
  type PastMessage,
} from "./adapter.ts";
export type { Adapters } from "./adapters.ts";
export type {
  Addressing,
  ButtonEvent,
  Collect,
  CommandEvent,
  DeletionEvent,
  EditEvent,
  FormEvent,
  HomeEvent,
  InboundEvent,
  InboundFile,
  Interaction,
  MembershipEvent,
  MessageEvent,
  Quote,
  Sink,
  StopEvent,
} from "./events.ts";
export type {
  Block,
  Document,
  Inline,
  List,
  Table,
} from "./markdown.document.ts";
export { isSafeUrl } from "./markdown.normalize.ts";
export { inlineText, listMarker, toMarkdown, toPlainText } from "./markdown.text.ts";
export { cleanText, closeOpenMarkdown, parseMarkdown, plainDocument } from "./markdown.ts";
export type { Address, Author, InboundPlace, PlaceKind } from "./place.ts";
export type {
  Button,
  Form,
  OnlyFor,
  OutboundFile,
  Persona,
  Post,
  Reaction,
  Select,
  SelectOption,
  Suggestion,
} from "./post.ts";
export type { Receipt, SendError, SendErrorKind } from "./receipt.ts";
export { splitMarkdown } from "./split.ts";
