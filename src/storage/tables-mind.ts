import type { Generated, GeneratedAlways } from "kysely";
import type { Json, JsonOrNull, Nullable, Timestamp } from "./columns.ts";

export interface InstructionChangesTable {
  id: string;
  teammate_id: string;
  run_id: Nullable<string>;
  before: string;
  after: string;
  created_at: Timestamp;
  undone_by: Nullable<string>;
  undone_at: Nullable<Date>;
}

export interface TeammateDraftsTable {
  id: string;
  /** What somebody said of the colleague they want. */
  sentence: string;
  draft: Json;
  /** Where its card is. */
  card: Json;
  /** False once somebody touched it, or it was improved. */
  open: Generated<boolean>;
  created_at: Timestamp;
}

export interface MemoriesTable {
  id: string;
  teammate_id: string;
  /** Of one place, of one person, or (neither) of everywhere. */
  place_id: Nullable<string>;
  person_id: Nullable<string>;
  text: string;
  pinned: Generated<boolean>;
  origin: "manual" | "turn" | "import";
  source_run_id: Nullable<string>;
  revision: Generated<number>;
  words: GeneratedAlways<unknown>;
  created_by: Nullable<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What a turn wants to remember or forget: it counts when the turn completes. */
export interface MemoryPendingTable {
  id: string;
  run_id: string;
  call_id: string;
  teammate_id: string;
  op: "remember" | "forget";
  memory_id: Nullable<string>;
  expected_revision: Nullable<number>;
  text: Nullable<string>;
  pinned: Nullable<boolean>;
  place_id: Nullable<string>;
  person_id: Nullable<string>;
  epoch: number;
  created_at: Timestamp;
}

export interface SkillsTable {
  id: string;
  name: string;
  description: string;
  /** Below SHIPMATE_HOME/skills. */
  folder: string;
  content_hash: string;
  origin: "upload" | "path" | "teammate";
  installed_by: Nullable<string>;
  /** Where a teammate installed it for itself. */
  installed_by_teammate: Nullable<string>;
  created_at: Timestamp;
  removed_at: Nullable<Date>;
}

export interface SkillTeammatesTable {
  skill_id: string;
  teammate_id: string;
  enabled_at: Timestamp;
}

export interface McpServersTable {
  id: string;
  name: string;
  /** Null: every teammate's. */
  teammate_id: Nullable<string>;
  config: Json;
  /** Sealed. */
  secrets: Nullable<Buffer>;
  enabled: Generated<boolean>;
  state: Generated<"unknown" | "ready" | "needs_secret" | "needs_sign_in" | "failed">;
  failure: JsonOrNull;
  /** Their names. */
  tools: Generated<unknown>;
  state_at: Timestamp;
  revision: Generated<number>;
  created_by: Nullable<string>;
  created_at: Timestamp;
  removed_at: Nullable<Date>;
}

/** What is to become of a server: it waits here for its test, which is made where Codex is. */
export interface McpChangesTable {
  id: string;
  kind: "add" | "change" | "remove" | "key" | "test" | "sign_in" | "signed_in";
  server_id: Nullable<string>;
  base_revision: Nullable<number>;
  proposal: JsonOrNull;
  /** Sealed; gone when it is done. */
  secrets: Nullable<Buffer>;
  person_id: Nullable<string>;
  teammate_id: Nullable<string>;
  /** The card to answer on. */
  told: JsonOrNull;
  /** Proposed: a teammate asked for it, and nobody has decided. */
  status: "proposed" | "waiting" | "done";
  outcome: JsonOrNull;
  tries: Generated<number>;
  tried_at: Nullable<Date>;
  /** Of the tool call that asks for it. */
  call_key: Nullable<string>;
  /** The same for calls that ask for the same. */
  request_hash: Nullable<string>;
  attention_id: Nullable<string>;
  created_at: Timestamp;
  ended_at: Nullable<Date>;
}

export interface AccountsTable {
  kind: "plan" | "api_key";
  label: Nullable<string>;
  /** Sealed. */
  secret: Nullable<Buffer>;
  state: "ready" | "signed_out" | "limited" | "invalid";
  state_detail: Nullable<string>;
  /** Where a key comes from; null for a plan, and where there is none. */
  source: Nullable<"environment" | "form" | "endpoint">;
  preferred: Generated<boolean>;
  state_at: Timestamp;
  limit_resets_at: Nullable<Date>;
  /** While it is used up, the other one pays. */
  covered: Generated<boolean>;
  rate_limits: JsonOrNull;
}

/** Signing Codex in or out, which the worker does for whoever asked in a chat. */
export interface SignInsTable {
  id: string;
  task: "in" | "out";
  status: "asked" | "waiting" | "done" | "failed" | "cancelled";
  person_id: string;
  /** Where it is shown. */
  card: Json;
  post_id: Nullable<string>;
  login_id: Nullable<string>;
  verification_url: Nullable<string>;
  user_code: Nullable<string>;
  detail: Nullable<string>;
  created_at: Timestamp;
  ended_at: Nullable<Date>;
}

export interface ModelsTable {
  id: string;
  position: number;
  name: string;
  description: Generated<string>;
  efforts: Generated<unknown>;
  default_effort: Nullable<string>;
  is_default: Generated<boolean>;
  seen_at: Timestamp;
}

export interface WebFormsTable {
  token_hash: string;
  purpose: string;
  payload: Json;
  person_id: string;
  expires_at: Date;
  used_at: Nullable<Date>;
  created_at: Timestamp;
}

export interface DeletedMessagesTable {
  place_id: string;
  platform_message_id: string;
  deleted_at: Timestamp;
}
