import { type Kysely, sql } from "kysely";

/** Several platforms, several teammates in one place, and what was said around them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The teammate whose own bot a connection is, by handle: the teammate may be hired after its bot was connected.
  `alter table connections add column teammate_handle text`,
  // An https address of an image, or one emoji.
  `alter table teammates add column picture text`,
  // One message for several teammates is stored once for each of their conversations.
  `drop index messages_platform`,
  `create unique index messages_platform on messages (place_id, platform_message_id, conversation_id)
    where platform_message_id is not null`,
  `create index messages_place on messages (place_id, sent_at)`,
  `create index runs_conversation on runs (conversation_id, created_at)`,
  `alter table claim_codes drop constraint claim_codes_purpose_check`,
  `alter table claim_codes add constraint claim_codes_purpose_check check (purpose in ('owner', 'invite', 'link'))`,
  // What people say around us in a place that was opened: not every platform can tell it later.
  `create table seen_messages (
    place_id uuid not null references places on delete cascade,
    platform_message_id text not null,
    thread text not null default '',
    author_name text not null,
    text text not null,
    sent_at timestamptz not null,
    primary key (place_id, platform_message_id))`,
  `create index seen_messages_recent on seen_messages (place_id, thread, sent_at desc)`,
  `create index seen_messages_age on seen_messages (sent_at)`,
  // What was missed in a place begins with the last event from there.
  `create index inbound_events_place on inbound_events (place_id, received_at desc) where place_id is not null`,
  // Threads in which somebody asked us to listen only when named.
  `create table muted_threads (
    place_id uuid not null references places on delete cascade,
    thread text not null,
    muted_by uuid references people,
    muted_at timestamptz not null default now(),
    primary key (place_id, thread))`,
  // Where a form is a message to reply to: our post, and what a reply to it fills in.
  `create table reply_forms (
    post_id uuid primary key references posts on delete cascade,
    person_id uuid not null references people on delete cascade,
    payload jsonb not null,
    expires_at timestamptz not null,
    used_at timestamptz)`,
];
