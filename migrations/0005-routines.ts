import { type Kysely, sql } from "kysely";

/** Work that happens by itself: routines, their runs, where their reports go, what starts them from outside, and a calendar of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...routines, ...lanes, ...reports, ...outside]) await sql.raw(statement).execute(db);
}

const routines = [
  `create table routines (
    id uuid primary key,
    teammate_id uuid not null references teammates on delete cascade,
    kind text not null check (kind in ('routine', 'check_in')),
    name text not null,
    instruction text not null,
    -- a schedule, or a webhook with what it lets through
    trigger jsonb not null,
    -- grows with each change of the trigger or the zone
    trigger_revision integer not null default 1,
    -- IANA name
    timezone text not null,
    -- where it was made: its questions and failures go there
    place_id uuid not null references places on delete cascade,
    thread text not null default '',
    missed_policy text not null check (missed_policy in ('run_once', 'skip')),
    limit_policy text not null check (limit_policy in ('wait', 'skip')),
    active boolean not null default true,
    -- why it does not run, where nobody paused it
    stopped_because text check (stopped_because in ('author', 'place', 'over')),
    -- null where it is not due any more by itself
    next_due_at timestamptz,
    created_by uuid references people,
    created_by_teammate uuid references teammates,
    -- a creation that is repeated after a lost answer carries the same
    creation_key text unique,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz)`,
  `create unique index routines_name on routines (teammate_id, lower(name)) where deleted_at is null`,
  `create index routines_due on routines (next_due_at) where active and deleted_at is null`,
  // Where its reports go; none: to where it was made.
  `create table routine_destinations (
    id uuid primary key,
    routine_id uuid not null references routines on delete cascade,
    position integer not null,
    place_id uuid not null references places on delete cascade,
    -- the platform's thread id, or "" outside threads
    thread text not null default '',
    -- its reports have a thread of their own there, made with the first one
    own_thread boolean not null default false,
    own_thread_id text,
    -- the post that makes it, and the name it has from us
    own_thread_post_id uuid,
    own_thread_name text,
    unique (routine_id, place_id, thread))`,
  // What somebody is about to make or change: the card shows it, its buttons change it.
  `create table routine_drafts (
    id uuid primary key,
    teammate_id uuid not null references teammates on delete cascade,
    -- what it changes; null for a new one
    routine_id uuid references routines on delete cascade,
    person_id uuid references people on delete cascade,
    by_teammate boolean not null default false,
    draft jsonb not null,
    card jsonb,
    status text not null default 'open' check (status in ('open', 'done', 'cancelled')),
    -- of the tool call that proposes it
    call_key text unique,
    created_at timestamptz not null default now())`,
];

/** A routine's runs are a lane of their own: the chat does not wait for them, nor they for the chat. */
const lanes = [
  `alter table conversations add column routine_id uuid unique references routines on delete cascade`,
  `alter table conversations drop constraint conversations_kind_check`,
  `alter table conversations add constraint conversations_kind_check
    check (kind in ('main', 'channel', 'task', 'routine'))`,
  `alter table conversations drop constraint conversations_place_id_teammate_id_thread_key`,
  `create unique index conversations_spoken on conversations (place_id, teammate_id, thread) where routine_id is null`,
  // One due time, or one call from outside, is one row. Whether it ran, its delivery says; what was skipped has none.
  `create table routine_runs (
    id uuid primary key,
    routine_id uuid not null references routines on delete cascade,
    source text not null check (source in ('schedule', 'webhook', 'test', 'manual')),
    scheduled_for timestamptz not null,
    trigger_revision integer not null,
    -- it begins long after it was due
    late boolean not null default false,
    -- due times before this one that it stands for, and the first of them
    missed integer not null default 0,
    missed_since timestamptz,
    -- what came from outside: data
    payload text,
    -- who wanted it now
    person_id uuid references people,
    delivery_id uuid unique references deliveries on delete set null,
    skipped_because text check (skipped_because in ('missed', 'overlap', 'hidden', 'limit', 'author', 'place', 'paused')),
    -- nothing was new, so nothing was posted
    quiet boolean not null default false,
    -- what the teammate said went wrong
    failure text,
    created_at timestamptz not null default now(),
    unique (routine_id, source, scheduled_for))`,
  `create index routine_runs_latest on routine_runs (routine_id, created_at desc)`,
  `create index routine_runs_old on routine_runs (created_at)`,
];

const reports = [
  // Where a run's report went. Whether it arrived, its post says.
  `create table routine_reports (
    routine_run_id uuid not null references routine_runs on delete cascade,
    place_id uuid not null references places on delete cascade,
    thread text not null default '',
    post_id uuid not null,
    -- its copy in the history of that place
    message_id uuid references messages on delete set null,
    -- kept when the post is forgotten
    outcome text check (outcome in ('sent', 'failed')),
    primary key (routine_run_id, place_id, thread))`,
  // What the next turn of a conversation is told of reports that were posted there.
  `create table routine_digests (
    id uuid primary key,
    routine_run_id uuid not null references routine_runs on delete cascade,
    teammate_id uuid not null references teammates on delete cascade,
    place_id uuid not null references places on delete cascade,
    thread text not null default '',
    -- the report; told of is what arrived
    post_id uuid not null,
    -- for the threads that replies to it begin, instead of for the place itself
    for_replies boolean not null default false,
    text text not null,
    -- the run whose prompt holds it: gone when that run's turn was taken
    taken_by uuid references runs on delete set null,
    created_at timestamptz not null default now())`,
  `create index routine_digests_here on routine_digests (teammate_id, place_id)`,
  // Runs are forgotten, and then what points at them.
  `create index routine_digests_run on routine_digests (routine_run_id)`,
  `create index routine_digests_taken on routine_digests (taken_by) where taken_by is not null`,
  `create index routine_reports_place on routine_reports (place_id)`,
  `create index routine_reports_post on routine_reports (post_id)`,
  `create index routine_reports_message on routine_reports (message_id) where message_id is not null`,
  // A post that is sent into the thread which another post makes.
  `alter table posts add column thread_post_id uuid`,
  `create index posts_thread_post on posts (thread_post_id) where thread_post_id is not null`,
  `alter table posts drop constraint posts_op_check`,
  `alter table posts add constraint posts_op_check
    check (op in ('post', 'edit', 'remove', 'react', 'upload', 'open_thread'))`,
];

const outside = [
  `create table webhooks (
    -- stands in its address
    id text primary key,
    routine_id uuid not null unique references routines on delete cascade,
    -- sealed
    secret bytea not null,
    created_at timestamptz not null default now(),
    rotated_at timestamptz,
    called_at timestamptz)`,
  // A call that comes again is known by its id.
  `create table webhook_receipts (
    webhook_id text not null references webhooks on delete cascade,
    delivery_key text not null,
    routine_run_id uuid references routine_runs on delete set null,
    -- filtered out, when it led to no run
    outcome text not null check (outcome in ('run', 'filtered')),
    received_at timestamptz not null default now(),
    primary key (webhook_id, delivery_key))`,
  `create index webhook_receipts_old on webhook_receipts (received_at)`,
  `create index webhook_receipts_run on webhook_receipts (routine_run_id) where routine_run_id is not null`,
  // How often it was called lately.
  `create index webhook_receipts_lately on webhook_receipts (webhook_id, received_at desc)`,
  `create table calendar_feeds (
    person_id uuid primary key references people on delete cascade,
    token_hash text not null unique,
    created_at timestamptz not null default now())`,
];
