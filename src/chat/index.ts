/** What adapters and core share: the adapter contract, inbound events, posts, receipts, Markdown and its splitter. Knows no platform and no database. */
export {
  type Account,
  type Adapter,
  type AdapterDeps,
  type AdapterLog,
  type AdapterState,
  type Capabilities,
  type CommandField,
  type CommandSpec,
  type Completion,
  ConnectionError,
  type ConnectionState,
  DownloadError,
  type KnownPlace,
  onlyChanges,
  type PastMessage,
} from "./adapter.ts";
export type { Adapters } from "./adapters.ts";
export { clip, oneLine } from "./clip.ts";
export { createDownloads } from "./download.ts";
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
export { safeFileName } from "./file-name.ts";
export { isLocalAddress, linksAsTextLength, withLinksAsText } from "./links.ts";
export type {
  Block,
  Document,
  Inline,
  List,
  Table,
} from "./markdown.document.ts";
export { isSafeUrl } from "./markdown.normalize.ts";
export { columnsOf, phoneColumns, tableTexts, toGrid, toRecords } from "./markdown.table.ts";
export { inlineText, listMarker, toMarkdown, toPlainText } from "./markdown.text.ts";
export { cleanText, closeOpenMarkdown, parseMarkdown, plainDocument } from "./markdown.ts";
export { wasNeverSent } from "./network.ts";
export { toParts } from "./parts.ts";
export { backoff, persist, type RetryTiming, within } from "./patience.ts";
export { type Address, type Author, everywhere, type InboundPlace, type PlaceKind } from "./place.ts";
export { plain } from "./plain.ts";
export type {
  Button,
  Form,
  Link,
  OnlyFor,
  OutboundFile,
  Persona,
  Post,
  Reaction,
  Select,
  Suggestion,
} from "./post.ts";
export { delivered, failed, nothingSent, type Receipt, type SendError, type SendErrorKind } from "./receipt.ts";
export { createRecent, type Recent } from "./recent.ts";
export { splitMarkdown } from "./split.ts";
export { sizeToSend } from "./upload.ts";
