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
    add column backup_models jsonb not null default '[]',
    add column model_left jsonb,
    add column created_by uuid references people,
    add column created_by_teammate uuid references teammates`,
  // A save that is repeated after a lost answer finds what it made.
  `alter table teammates add column creation_key text unique`,
  `create table instruction_changes (
    id uuid primary key,
    teammate_id uuid not null references teammates on delete cascade,
    run_id uuid references runs on delete set null,
    before text not null,
    after text not null,
    created_at timestamptz not null default now(),
    undone_by uuid references people,
    undone_at timestamptz)`,
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
    created_by uuid references people,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    check (place_id is null or person_id is null))`,
  `create index memories_of on memories (teammate_id) where deleted_at is null`,
  `create index memories_words on memories using gin (words) where deleted_at is null`,
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
  `alter table runs add column memory_generation integer`,
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
    state_detail text,
    state_at timestamptz not null default now(),
    revision integer not null default 1,
    created_by uuid references people,
    created_at timestamptz not null default now(),
    removed_at timestamptz)`,
  `create unique index mcp_servers_name on mcp_servers (name) where removed_at is null`,
];

const access = [
  `create table accounts (
    kind text primary key check (kind in ('plan', 'api_key')),
    label text,
    secret bytea,
    state text not null check (state in ('ready', 'signed_out', 'limited', 'invalid')),
    state_detail text,
    preferred boolean not null default false,
    limit_resets_at timestamptz,
    rate_limits jsonb,
    updated_at timestamptz not null default now())`,
  // What the computer's Codex offers, as it last said.
  `create table models (
    id text primary key,
    position integer not null,
    name text not null,
    description text not null default '',
    efforts jsonb not null default '[]',
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
