import type { Generated } from "kysely";
import type { Json, JsonOrNull, Nullable, Timestamp } from "./columns.ts";

export interface RoutinesTable {
  id: string;
  teammate_id: string;
  kind: "routine" | "check_in";
  name: string;
  instruction: string;
  trigger: Json;
  /** Grows with each change of the trigger or the zone. */
  trigger_revision: Generated<number>;
  /** IANA name. */
  timezone: string;
  /** Where it was made: its questions and failures go there. */
  place_id: string;
  thread: Generated<string>;
  missed_policy: "run_once" | "skip";
  limit_policy: "wait" | "skip";
  active: Generated<boolean>;
  /** Why it does not run, where nobody paused it. */
  stopped_because: Nullable<"author" | "place" | "over">;
  /** Null where it is not due any more by itself. */
  next_due_at: Nullable<Date>;
  created_by: Nullable<string>;
  created_by_teammate: Nullable<string>;
  creation_key: Nullable<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
  deleted_at: Nullable<Date>;
}

export interface RoutineDestinationsTable {
  id: string;
  routine_id: string;
  position: number;
  place_id: string;
  thread: Generated<string>;
  /** Its reports have a thread of their own there, made with the first one. */
  own_thread: Generated<boolean>;
  own_thread_id: Nullable<string>;
  /** The post that makes it, and the name it has from us. */
  own_thread_post_id: Nullable<string>;
  own_thread_name: Nullable<string>;
}

export interface RoutineDraftsTable {
  id: string;
  teammate_id: string;
  /** What it changes; null for a new one. */
  routine_id: Nullable<string>;
  person_id: Nullable<string>;
  by_teammate: Generated<boolean>;
  draft: Json;
  card: JsonOrNull;
  status: Generated<"open" | "done" | "cancelled">;
  /** Of the tool call that proposes it. */
  call_key: Nullable<string>;
  created_at: Timestamp;
}

export type RoutineSource = "schedule" | "webhook" | "test" | "manual";
export type RoutineSkip = "missed" | "overlap" | "hidden" | "limit" | "author" | "place" | "paused";

export interface RoutineRunsTable {
  id: string;
  routine_id: string;
  source: RoutineSource;
  scheduled_for: Date;
  trigger_revision: number;
  /** It begins long after it was due. */
  late: Generated<boolean>;
  /** Due times before this one that it stands for, and the first of them. */
  missed: Generated<number>;
  missed_since: Nullable<Date>;
  /** What came from outside: data. */
  payload: Nullable<string>;
  /** Who wanted it now. */
  person_id: Nullable<string>;
  delivery_id: Nullable<string>;
  skipped_because: Nullable<RoutineSkip>;
  /** Nothing was new, so nothing was posted. */
  quiet: Generated<boolean>;
  /** What the teammate said went wrong. */
  failure: Nullable<string>;
  created_at: Timestamp;
}

export interface RoutineReportsTable {
  routine_run_id: string;
  place_id: string;
  thread: Generated<string>;
  post_id: string;
  /** Its copy in the history of that place. */
  message_id: Nullable<string>;
  /** Kept when the post is forgotten. */
  outcome: Nullable<"sent" | "failed">;
}

export interface RoutineDigestsTable {
  id: string;
  routine_run_id: string;
  teammate_id: string;
  place_id: string;
  thread: Generated<string>;
  /** The report; told of is what arrived. */
  post_id: string;
  /** For the threads that replies to it begin, instead of for the place itself. */
  for_replies: Generated<boolean>;
  text: string;
  /** The run whose prompt holds it: gone when that run's turn was taken. */
  taken_by: Nullable<string>;
  created_at: Timestamp;
}

export interface WebhooksTable {
  /** Stands in its address. */
  id: string;
  routine_id: string;
  /** Sealed. */
  secret: Buffer;
  created_at: Timestamp;
  rotated_at: Nullable<Date>;
  called_at: Nullable<Date>;
}

export interface WebhookReceiptsTable {
  webhook_id: string;
  delivery_key: string;
  routine_run_id: Nullable<string>;
  /** Filtered, when it led to no run. */
  outcome: "run" | "filtered";
  received_at: Timestamp;
}

export interface CalendarFeedsTable {
  person_id: string;
  token_hash: string;
  created_at: Timestamp;
}
