import { type Kysely, sql } from "kysely";

/** What a teammate remembers, knows how to do and is connected to; who pays for its model; and questions with answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...teammates, ...memory, ...threads, ...knowledge, ...access, ...people]) {
    await sql.raw(statement).execute(db);
  }
}

const teammates = [
  `alter table teammates
    add column notifications boolean not null default true,
    add column memory_generation integer not null default 1,
    add column memory_epoch integer not null default 0,
    add column memory_changed_at timestamptz,
    add column memory_imported_at timestamptz,
    add column backup_models jsonb not null default '[]',
    add column model_left jsonb,
    add column created_by uuid references people,
    add column created_by_teammate uuid references teammates`,
  // A save that is repeated after a lost answer finds what it made.
  `alter table teammates add column creation_key text unique`,
  // What a teammate offers to somebody who meets it, and who has met it.
  `alter table teammates add column first_tasks jsonb`,
  `create table teammate_greetings (
    teammate_id uuid not null references teammates on delete cascade,
    person_id uuid not null references people on delete cascade,
    created_at timestamptz not null default now(),
    primary key (teammate_id, person_id))`,
  // A draft whose card may still be improved: until somebody touches it, or it is improved.
  `create table teammate_drafts (
    id uuid primary key,
    sentence text not null,
    draft jsonb not null,
    card jsonb not null,
    open boolean not null default true,
    created_at timestamptz not null default now())`,
  `create table instruction_changes (
    id uuid primary key,
    teammate_id uuid not null references teammates on delete cascade,
    run_id uuid references runs on delete set null,
    before text not null,
    after text not null,
    created_at timestamptz not null default now(),
    undone_by uuid references people,
    undone_at timestamptz)`,
  // What its file last held by our knowledge: whatever else stands there, the teammate wrote. Null: never looked at.
  `alter table teammates add column instructions_written text`,
  `create index instruction_changes_recent on instruction_changes (teammate_id, created_at desc)`,
];

const memory = [
  // Of one place, of one person, or (neither) of everywhere.
  `create table memories (
    id uuid primary key,
    teammate_id uuid not null references teammates on delete cascade,
    place_id uuid references places on delete cascade,
    person_id uuid references people on delete cascade,
    text text not null check (length(text) <= 500),
    pinned boolean not null default false,
    origin text not null check (origin in ('manual', 'turn', 'import')),
    source_run_id uuid references runs on delete set null,
    revision integer not null default 1,
    words tsvector generated always as (to_tsvector('simple', text)) stored,
    created_by uuid references people on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check (place_id is null or person_id is null))`,
  // A teammate has a few dozen at most: they are ranked without an index.
  `create index memories_of on memories (teammate_id)`,
  `create table memory_pending (
    id uuid primary key,
    run_id uuid not null references runs on delete cascade,
    call_id text not null,
    teammate_id uuid not null references teammates on delete cascade,
    op text not null check (op in ('remember', 'forget')),
    memory_id uuid,
    expected_revision integer,
    text text,
    pinned boolean,
    place_id uuid references places on delete cascade,
    person_id uuid references people on delete cascade,
    epoch integer not null,
    created_at timestamptz not null default now(),
    unique (run_id, call_id))`,
];

const threads = [
  `alter table codex_threads
    add column memory_generation integer not null default 1,
    add column mcp_fingerprint text not null default '',
    add column forked_from text`,
];

const knowledge = [
  `create table skills (
    id uuid primary key,
    name text not null,
    description text not null,
    folder text not null,
    content_hash text not null,
    origin text not null check (origin in ('upload', 'path', 'teammate')),
    installed_by uuid references people,
    installed_by_teammate uuid references teammates on delete set null,
    created_at timestamptz not null default now(),
    removed_at timestamptz)`,
  `create unique index skills_name on skills (name) where removed_at is null`,
  `create table skill_teammates (
    skill_id uuid not null references skills on delete cascade,
    teammate_id uuid not null references teammates on delete cascade,
    enabled_at timestamptz not null default now(),
    primary key (skill_id, teammate_id))`,
  // Secrets are sealed with a key of the data folder and never part of config.
  `create table mcp_servers (
    id uuid primary key,
    name text not null,
    teammate_id uuid references teammates on delete cascade,
    config jsonb not null,
    secrets bytea,
    enabled boolean not null default true,
    state text not null default 'unknown' check (state in ('unknown', 'ready', 'needs_secret', 'needs_sign_in', 'failed')),
    failure jsonb,
    tools jsonb not null default '[]',
    state_at timestamptz not null default now(),
    revision integer not null default 1,
    created_by uuid references people,
    created_at timestamptz not null default now(),
    removed_at timestamptz)`,
  `create unique index mcp_servers_name on mcp_servers (name) where removed_at is null`,
  // What is to become of a server: it waits here for its test, which is made where Codex is.
  `create table mcp_changes (
    id uuid primary key,
    kind text not null check (kind in ('add', 'change', 'remove', 'key', 'test', 'sign_in', 'signed_in')),
    server_id uuid references mcp_servers on delete cascade,
    base_revision integer,
    proposal jsonb,
    secrets bytea,
    person_id uuid references people on delete set null,
    teammate_id uuid references teammates on delete cascade,
    told jsonb,
    status text not null check (status in ('proposed', 'waiting', 'done')),
    outcome jsonb,
    tries integer not null default 0,
    tried_at timestamptz,
    call_key text unique,
    request_hash text,
    attention_id uuid,
    created_at timestamptz not null default now(),
    ended_at timestamptz)`,
  `create index mcp_changes_open on mcp_changes (created_at) where status <> 'done'`,
];

const access = [
  `create table accounts (
    kind text primary key check (kind in ('plan', 'api_key')),
    label text,
    secret bytea,
    state text not null check (state in ('ready', 'signed_out', 'limited', 'invalid')),
    state_detail text,
    -- where a key comes from
    source text check (source in ('environment', 'form', 'endpoint')),
    preferred boolean not null default false,
    state_at timestamptz not null default now(),
    limit_resets_at timestamptz,
    -- while it is used up, the other one pays
    covered boolean not null default false,
    rate_limits jsonb)`,
  // Signing Codex in or out, which the worker does for whoever asked in a chat. One at a time.
  `create table sign_ins (
    id uuid primary key,
    task text not null check (task in ('in', 'out')),
    status text not null check (status in ('asked', 'waiting', 'done', 'failed', 'cancelled')),
    person_id uuid not null references people on delete cascade,
    card jsonb not null,
    post_id uuid,
    login_id text,
    verification_url text,
    user_code text,
    detail text,
    created_at timestamptz not null default now(),
    ended_at timestamptz)`,
  `create unique index sign_ins_open on sign_ins ((true)) where status in ('asked', 'waiting')`,
  // What the computer's Codex offers, as it last said.
  `create table models (
    id text primary key,
    position integer not null,
    name text not null,
    description text not null default '',
    efforts jsonb not null default '[]',
    default_effort text,
    is_default boolean not null default false,
    seen_at timestamptz not null default now())`,
  `alter table usage_ledger add column origin text not null default 'user'`,
  `create index usage_ledger_recent on usage_ledger (created_at)`,
];

const people = [
  `alter table attention drop constraint attention_kind_check`,
  `alter table attention add constraint attention_kind_check
    check (kind in ('approval', 'permission', 'question', 'elicitation'))`,
  `alter table attention drop constraint attention_status_check`,
  `alter table attention add constraint attention_status_check
    check (status in ('open', 'approved', 'denied', 'answered', 'skipped', 'expired', 'cancelled'))`,
  // What was answered so far, and, until they are taken, sealed, those answers that nobody may read.
  `alter table attention add column answers jsonb not null default '{}', add column sealed bytea`,
  // A page that is opened and filled in once, for what must never stand in a chat.
  `create table web_forms (
    token_hash text primary key,
    purpose text not null,
    payload jsonb not null,
    person_id uuid not null references people on delete cascade,
    expires_at timestamptz not null,
    used_at timestamptz,
    created_at timestamptz not null default now())`,
  // What somebody deleted stays away, also where a platform tells it again.
  `create table deleted_messages (
    place_id uuid not null references places on delete cascade,
    platform_message_id text not null,
    deleted_at timestamptz not null default now(),
    primary key (place_id, platform_message_id))`,
];
