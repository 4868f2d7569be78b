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
  deleted_at: Nullable<Date>;
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
  state_detail: Nullable<string>;
  state_at: Timestamp;
  revision: Generated<number>;
  created_by: Nullable<string>;
  created_at: Timestamp;
  removed_at: Nullable<Date>;
}

export interface AccountsTable {
  kind: "plan" | "api_key";
  label: Nullable<string>;
  /** Sealed. */
  secret: Nullable<Buffer>;
  state: "ready" | "signed_out" | "limited" | "invalid";
  state_detail: Nullable<string>;
  preferred: Generated<boolean>;
  limit_resets_at: Nullable<Date>;
  rate_limits: JsonOrNull;
  updated_at: Timestamp;
}

export interface ModelsTable {
  id: string;
  position: number;
  name: string;
  description: Generated<string>;
  efforts: Generated<unknown>;
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
