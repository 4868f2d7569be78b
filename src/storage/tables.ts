import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { BigIdentity, Json, JsonOrNull, Nullable, Timestamp } from "./columns.ts";
import type {
  AccountsTable,
  DeletedMessagesTable,
  InstructionChangesTable,
  McpChangesTable,
  McpServersTable,
  MemoriesTable,
  MemoryPendingTable,
  ModelsTable,
  SignInsTable,
  SkillsTable,
  SkillTeammatesTable,
  TeammateDraftsTable,
  WebFormsTable,
} from "./tables-mind.ts";
import type {
  CalendarFeedsTable,
  RoutineDestinationsTable,
  RoutineDigestsTable,
  RoutineDraftsTable,
  RoutineReportsTable,
  RoutineRunsTable,
  RoutinesTable,
  WebhookReceiptsTable,
  WebhooksTable,
} from "./tables-routines.ts";

/** The database as Kysely sees it. A jsonb column is `unknown` when read: the room that owns it parses it with zod. */
export interface Database {
  connections: ConnectionsTable;
  connection_values: { connection_id: string; key: string; value: string };
  people: PeopleTable;
  identities: IdentitiesTable;
  claim_codes: ClaimCodesTable;
  places: PlacesTable;
  teammates: TeammatesTable;
  approval_rules: ApprovalRulesTable;
  conversations: ConversationsTable;
  codex_threads: CodexThreadsTable;
  inbound_events: InboundEventsTable;
  messages: MessagesTable;
  attachments: AttachmentsTable;
  runs: RunsTable;
  deliveries: DeliveriesTable;
  run_events: RunEventsTable;
  usage_ledger: UsageLedgerTable;
  posts: PostsTable;
  live_views: LiveViewsTable;
  attention: AttentionTable;
  action_tokens: ActionTokensTable;
  leases: LeasesTable;
  audit_log: AuditLogTable;
  seen_messages: SeenMessagesTable;
  muted_threads: { place_id: string; thread: string; muted_by: Nullable<string>; muted_at: Timestamp };
  reply_forms: ReplyFormsTable;
  teammate_greetings: { teammate_id: string; person_id: string; created_at: Timestamp };
  teammate_drafts: TeammateDraftsTable;
  instruction_changes: InstructionChangesTable;
  memories: MemoriesTable;
  memory_pending: MemoryPendingTable;
  skills: SkillsTable;
  skill_teammates: SkillTeammatesTable;
  mcp_changes: McpChangesTable;
  mcp_servers: McpServersTable;
  accounts: AccountsTable;
  models: ModelsTable;
  sign_ins: SignInsTable;
  web_forms: WebFormsTable;
  deleted_messages: DeletedMessagesTable;
  routines: RoutinesTable;
  routine_destinations: RoutineDestinationsTable;
  routine_drafts: RoutineDraftsTable;
  routine_runs: RoutineRunsTable;
  routine_reports: RoutineReportsTable;
  routine_digests: RoutineDigestsTable;
  webhooks: WebhooksTable;
  webhook_receipts: WebhookReceiptsTable;
  calendar_feeds: CalendarFeedsTable;
}

export type Role = "owner" | "admin" | "manager" | "member" | "guest";
export type PlaceAccess = "closed" | "owner" | "members" | "everyone";
export type DeliveryStatus = "queued" | "starting" | "running" | "completed" | "failed" | "interrupted" | "cancelled";
export type RunStatus = "starting" | "running" | "waiting" | "reconciling" | "completed" | "failed" | "interrupted";
export type PostPurpose = "answer" | "card" | "notice" | "file" | "reaction" | "status";
export type PostOp = "post" | "edit" | "remove" | "react" | "upload" | "open_thread";
export type PostStatus = "pending" | "sending" | "sent" | "failed" | "uncertain" | "superseded";
export type AttentionKind = "approval" | "permission" | "question" | "elicitation";
export type AttentionStatus = "open" | "approved" | "denied" | "answered" | "skipped" | "expired" | "cancelled";

interface ConnectionsTable {
  id: string;
  platform: string;
  bot_id: string;
  name: string;
  link: Nullable<string>;
  /** The handle of the teammate whose own bot this is. */
  teammate_handle: Nullable<string>;
  state: Generated<string>;
  state_detail: Nullable<string>;
  state_at: Timestamp;
  created_at: Timestamp;
}

interface PeopleTable {
  id: string;
  display_name: string;
  role: Role;
  locale: Nullable<string>;
  timezone: Nullable<string>;
  created_at: Timestamp;
  disabled_at: Nullable<Date>;
}

interface IdentitiesTable {
  id: string;
  connection_id: string;
  platform_user_id: string;
  /** Null while nobody vouched for this account: a stranger. */
  person_id: Nullable<string>;
  display_name: string;
  is_bot: Generated<boolean>;
  dm_channel: Nullable<string>;
  stranger_told_at: Nullable<Date>;
  created_at: Timestamp;
}

interface ClaimCodesTable {
  code_hash: string;
  purpose: "owner" | "invite" | "link";
  role: Role;
  created_by: Nullable<string>;
  expires_at: Nullable<Date>;
  used_by: Nullable<string>;
  used_at: Nullable<Date>;
  created_at: Timestamp;
}

interface PlacesTable {
  id: string;
  connection_id: string;
  channel: string;
  kind: "dm" | "group" | "channel" | "forum";
  title: Nullable<string>;
  access: PlaceAccess;
  lead_teammate_id: Nullable<string>;
  asked_access_at: Nullable<Date>;
  archived_at: Nullable<Date>;
  created_at: Timestamp;
}

interface TeammatesTable {
  id: string;
  handle: string;
  name: string;
  title: string;
  job: string;
  instructions: Generated<string>;
  /** What its file last held by our knowledge; null where nobody looked yet. */
  instructions_written: Nullable<string>;
  autonomy: "ask_all" | "ask_consequential" | "autonomous";
  access: "workspace" | "full";
  busy_mode: "queue" | "steer";
  task_limit: Generated<number>;
  model: Nullable<string>;
  effort: Nullable<string>;
  picture: Nullable<string>;
  notifications: Generated<boolean>;
  /** Grows when something remembered is corrected or deleted: threads that knew it are not gone on with. */
  memory_generation: Generated<number>;
  /** Grows when everything is forgotten: what a running turn wanted to remember is dropped. */
  memory_epoch: Generated<number>;
  /** When the generation grew last. */
  memory_changed_at: Nullable<Date>;
  /** When an old memory file was read in, which happens once. */
  memory_imported_at: Nullable<Date>;
  backup_models: Generated<unknown>;
  /** The model it left, why, and until when. */
  model_left: JsonOrNull;
  created_by: Nullable<string>;
  created_by_teammate: Nullable<string>;
  creation_key: Nullable<string>;
  /** What it offers to somebody who meets it; null where nobody chose that. */
  first_tasks: JsonOrNull;
  created_at: Timestamp;
  hidden_at: Nullable<Date>;
}

interface ApprovalRulesTable {
  id: string;
  teammate_id: string;
  /** The rule in words, as shown by /rules. */
  text: string;
  pattern: Json;
  created_by: Nullable<string>;
  created_at: Timestamp;
  revoked_by: Nullable<string>;
  revoked_at: Nullable<Date>;
}

interface ConversationsTable {
  id: string;
  place_id: string;
  teammate_id: string;
  /** `main` and `channel` are a place's own lane; a `task` is a thread in it; both that and a `routine` count to the teammate's task limit. */
  kind: "main" | "channel" | "task" | "routine";
  /** Set for the lane of a routine, which nobody speaks in. */
  routine_id: Nullable<string>;
  /** The platform's thread id, or "" outside threads. */
  thread: Generated<string>;
  reset_at: Nullable<Date>;
  created_at: Timestamp;
}

interface CodexThreadsTable {
  id: string;
  conversation_id: string;
  codex_thread_id: string;
  tools_fingerprint: string;
  instructions_hash: string;
  provider: string;
  memory_generation: Generated<number>;
  mcp_fingerprint: Generated<string>;
  forked_from: Nullable<string>;
  /** `provisional` until its first turn completed: until then a missing thread is simply started again. */
  status: "provisional" | "active" | "retired";
  pending_handoff: Nullable<string>;
  created_at: Timestamp;
  retired_at: Nullable<Date>;
}

interface InboundEventsTable {
  connection_id: string;
  key: string;
  kind: string;
  outcome: "delivered" | "handled" | "merged" | "dropped";
  /** Why it was dropped, as a code that /why can put into words. */
  reason: Nullable<string>;
  place_id: Nullable<string>;
  identity_id: Nullable<string>;
  message_id: Nullable<string>;
  received_at: Timestamp;
}

interface MessagesTable {
  id: string;
  seq: BigIdentity;
  /** Null for what was merely seen in a place. */
  conversation_id: Nullable<string>;
  place_id: Nullable<string>;
  thread: Generated<string>;
  author: "person" | "teammate" | "system";
  person_id: Nullable<string>;
  author_name: string;
  teammate_id: Nullable<string>;
  text: string;
  platform_message_id: Nullable<string>;
  quote: JsonOrNull;
  forwarded_from: Nullable<string>;
  collect_key: Nullable<string>;
  collect_until: Nullable<Date>;
  sent_at: Date;
  edited_at: Nullable<Date>;
  deleted_at: Nullable<Date>;
  created_at: Timestamp;
}

interface AttachmentsTable {
  id: string;
  message_id: string;
  position: number;
  name: string;
  mime: Nullable<string>;
  size: Nullable<string | number>;
  kind: "photo" | "document" | "voice" | "audio" | "video";
  platform_file_id: string;
  platform_message_id: Nullable<string>;
  state: Generated<"pending" | "stored" | "skipped">;
  path: Nullable<string>;
  /** Why it was skipped, as a sentence for the person and the prompt. */
  problem: Nullable<string>;
}

interface RunsTable {
  id: string;
  teammate_id: string;
  conversation_id: string;
  requester_person_id: Nullable<string>;
  trigger: string;
  status: RunStatus;
  waiting_on: Nullable<AttentionKind>;
  computer: string;
  codex_thread_id: Nullable<string>;
  codex_turn_id: Nullable<string>;
  model: Nullable<string>;
  effort: Nullable<string>;
  auth_mode: Nullable<string>;
  tokens: JsonOrNull;
  reply: Nullable<string>;
  error_code: Nullable<string>;
  error: Nullable<string>;
  stop_requested_by: Nullable<string>;
  stop_requested_at: Nullable<Date>;
  last_event_at: Nullable<Date>;
  created_at: Timestamp;
  started_at: Nullable<Date>;
  completed_at: Nullable<Date>;
}

interface DeliveriesTable {
  id: string;
  queue_order: BigIdentity;
  message_id: string;
  teammate_id: string;
  conversation_id: string;
  requester_person_id: Nullable<string>;
  trigger: string;
  status: DeliveryStatus;
  hold_reason: Nullable<string>;
  /** Not claimed before: a message that is still being collected. */
  ready_at: Timestamp;
  run_id: Nullable<string>;
  joined: Nullable<"start" | "steer">;
  retry_of: Nullable<string>;
  /** The post that shows its place in line. */
  queue_post_id: Nullable<string>;
  error_code: Nullable<string>;
  idempotency_key: string;
  created_at: Timestamp;
  ended_at: Nullable<Date>;
}

interface RunEventsTable {
  id: BigIdentity;
  run_id: string;
  seq: number;
  kind: string;
  item_id: Nullable<string>;
  payload: Json;
  emitted_at: Date;
  created_at: Timestamp;
}

interface UsageLedgerTable {
  id: string;
  run_id: Nullable<string>;
  teammate_id: Nullable<string>;
  person_id: Nullable<string>;
  auth_mode: string;
  origin: Generated<string>;
  model: Nullable<string>;
  input_tokens: ColumnType<string, number, number>;
  cached_input_tokens: ColumnType<string, number, number>;
  output_tokens: ColumnType<string, number, number>;
  reasoning_tokens: ColumnType<string, number, number>;
  created_at: Timestamp;
}

interface PostsTable {
  id: string;
  seq: BigIdentity;
  connection_id: string;
  channel: string;
  thread: Nullable<string>;
  place_kind: "dm" | "group" | "channel" | "forum";
  conversation_id: Nullable<string>;
  run_id: Nullable<string>;
  attention_id: Nullable<string>;
  /** Posts of one lane go out strictly one after another. */
  lane: string;
  purpose: PostPurpose;
  op: PostOp;
  body: Json;
  /** The post that an edit or a removal is about; its platform id is read when this one is sent. */
  target_post_id: Nullable<string>;
  /** The platform's message that this is about, where it is not one of our posts. */
  target_message_id: Nullable<string>;
  /** The post that makes the thread it goes into. */
  thread_post_id: Nullable<string>;
  /** Sent only if that post was: the removal of a live view waits for the answer. */
  requires_post_id: Nullable<string>;
  platform_message_id: Nullable<string>;
  status: Generated<PostStatus>;
  attempts: Generated<number>;
  next_at: Timestamp;
  dedup_key: string;
  /** True once a send of it may have gone through without a receipt. */
  maybe_repeat: Generated<boolean>;
  error: Nullable<string>;
  created_at: Timestamp;
  sent_at: Nullable<Date>;
}

interface LiveViewsTable {
  run_id: string;
  connection_id: string;
  channel: string;
  thread: Nullable<string>;
  draft_id: GeneratedAlways<number>;
  platform_message_id: Nullable<string>;
  closed_at: Nullable<Date>;
  created_at: Timestamp;
}

interface AttentionTable {
  id: string;
  kind: AttentionKind;
  teammate_id: string;
  run_id: Nullable<string>;
  conversation_id: string;
  requester_person_id: Nullable<string>;
  /** Codex's own id of the request; unique only together with the connection's epoch. */
  codex_request_id: Nullable<string>;
  connection_epoch: Nullable<string>;
  call_id: Nullable<string>;
  method: string;
  details: Json;
  risk: Generated<"normal" | "high">;
  status: Generated<AttentionStatus>;
  /** True once nobody in a running turn waits for it any more: a decision then starts a new run. */
  late: Generated<boolean>;
  wait_until: Nullable<Date>;
  remind_at: Nullable<Date>;
  expires_at: Date;
  decided_by: Nullable<string>;
  decision: JsonOrNull;
  /** To the questions it asks, so far. */
  answers: Generated<unknown>;
  /** Answers that nobody may read, until they are taken. */
  sealed: Nullable<Buffer>;
  /** When the decision reached the turn, or became a delivery. */
  settled_at: Nullable<Date>;
  created_at: Timestamp;
  decided_at: Nullable<Date>;
}

interface ActionTokensTable {
  token_hash: string;
  /** Using one token of a group uses up all of them. */
  group_id: string;
  action: string;
  payload: Json;
  attention_id: Nullable<string>;
  run_id: Nullable<string>;
  /** Only this person may use it. */
  person_id: Nullable<string>;
  min_role: Nullable<Role>;
  expires_at: Nullable<Date>;
  used_at: Nullable<Date>;
  used_by: Nullable<string>;
  created_at: Timestamp;
}

interface LeasesTable {
  key: string;
  holder: string;
  epoch: Generated<string>;
  expires_at: Date;
}

interface AuditLogTable {
  id: string;
  person_id: Nullable<string>;
  teammate_id: Nullable<string>;
  action: string;
  target: Nullable<string>;
  data: Generated<unknown>;
  created_at: Timestamp;
}

interface SeenMessagesTable {
  place_id: string;
  platform_message_id: string;
  thread: Generated<string>;
  author_name: string;
  text: string;
  sent_at: Date;
}

interface ReplyFormsTable {
  post_id: string;
  person_id: string;
  payload: Json;
  expires_at: Date;
  used_at: Nullable<Date>;
}
