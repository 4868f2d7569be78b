import { Kysely, PostgresDialect } from "kysely";
import { Pool } from "pg";
import { newId } from "../../src/shared/index.ts";
import type { Database, Db } from "../../src/storage/index.ts";
import { createTestDatabase } from "../support/database.ts";

/** A database with one conversation in it, and one run there. */
export interface Seeded extends AsyncDisposable {
  readonly db: Db;
  readonly connectionId: string;
  readonly runId: string;
  readonly conversationId: string;
  /** Stores a message with files of these names; every file is still to be fetched. */
  addMessage(text: string, files: readonly SeedFile[]): Promise<string>;
}

export interface SeedFile {
  readonly name: string;
  readonly size?: number;
  readonly fileId?: string;
}

export async function seededDatabase(): Promise<Seeded> {
  const database = await createTestDatabase();
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: database.url, max: 4 }) }),
  });
  const [connectionId, placeId, teammateId, conversationId, runId] = [newId(), newId(), newId(), newId(), newId()];
  await db
    .insertInto("connections")
    .values({ id: connectionId, platform: "telegram", bot_id: "1", name: "Milo" })
    .execute();
  await db
    .insertInto("places")
    .values({ id: placeId, connection_id: connectionId, channel: "7", kind: "dm", access: "owner" })
    .execute();
  await db
    .insertInto("teammates")
    .values({
      id: teammateId,
      handle: "milo",
      name: "Milo",
      title: "general helper",
      job: "Help.",
      autonomy: "ask_consequential",
      access: "workspace",
      busy_mode: "steer",
    })
    .execute();
  await db
    .insertInto("conversations")
    .values({ id: conversationId, place_id: placeId, teammate_id: teammateId, kind: "main" })
    .execute();
  await db
    .insertInto("runs")
    .values({
      id: runId,
      teammate_id: teammateId,
      conversation_id: conversationId,
      trigger: "message",
      status: "running",
      computer: "c",
    })
    .execute();
  return {
    db,
    connectionId,
    runId,
    conversationId,
    async addMessage(text, files) {
      const id = newId();
      await db
        .insertInto("messages")
        .values({
          id,
          conversation_id: conversationId,
          place_id: placeId,
          author: "person",
          author_name: "Ada",
          text,
          sent_at: new Date(),
        })
        .execute();
      for (const [position, { name, size, fileId }] of files.entries()) {
        await db
          .insertInto("attachments")
          .values({
            id: newId(),
            message_id: id,
            position,
            name,
            kind: "document",
            size: size ?? null,
            platform_file_id: fileId ?? name,
          })
          .execute();
      }
      return id;
    },
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await database.drop();
    },
  };
}
