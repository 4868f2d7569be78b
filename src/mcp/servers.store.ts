import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "../storage/index.ts";
import { type McpConfig, mcpConfigSchema } from "./config.ts";
import { type McpState, mcpFailureSchema, type Tested } from "./server.ts";

export interface ServerRow {
  readonly id: string;
  readonly name: string;
  readonly teammateId: string | null;
  readonly config: McpConfig;
  readonly secrets: Buffer | null;
  readonly enabled: boolean;
  readonly state: McpState;
  readonly failure: unknown;
  readonly tools: readonly string[];
  readonly revision: number;
}

const toolNames = z.array(z.string());

function servers(db: Db) {
  return db
    .selectFrom("mcp_servers")
    .select([
      "id",
      "name",
      "teammate_id as teammateId",
      "config",
      "secrets",
      "enabled",
      "state",
      "failure",
      "tools",
      "revision",
    ])
    .where("removed_at", "is", null)
    .orderBy("name");
}

type Selected = Awaited<ReturnType<ReturnType<typeof servers>["execute"]>>[number];

function toRow({ config, tools, ...row }: Selected): ServerRow {
  return { ...row, config: mcpConfigSchema.parse(config), tools: toolNames.parse(tools) };
}

export async function list(db: Db): Promise<ServerRow[]> {
  return (await servers(db).execute()).map(toRow);
}

/** Those that a teammate's threads get. */
export async function usedBy(db: Db, teammateId: string): Promise<ServerRow[]> {
  const rows = await servers(db)
    .where("enabled", "=", true)
    .where((where) => where.or([where("teammate_id", "is", null), where("teammate_id", "=", teammateId)]))
    .execute();
  return rows.map(toRow);
}

export async function get(db: Db, id: string, lock: "lock" | "read" = "read"): Promise<ServerRow | undefined> {
  const row = await servers(db)
    .where("id", "=", id)
    .$if(lock === "lock", (query) => query.forUpdate())
    .executeTakeFirst();
  return row && toRow(row);
}

/** Whoever adds one waits for who does so now: their number and their names stay as they must be. */
export async function lockList(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mcp_servers', 0))`.execute(db);
}

export interface NewServer {
  readonly id: string;
  readonly name: string;
  readonly teammateId: string | null;
  readonly config: McpConfig;
  readonly secrets: Buffer | null;
  readonly createdBy: string | null;
}

export async function insert(db: Db, { id, name, teammateId, config, secrets, createdBy }: NewServer): Promise<void> {
  await db
    .insertInto("mcp_servers")
    .values({
      id,
      name,
      teammate_id: teammateId,
      config: JSON.stringify(config),
      secrets,
      created_by: createdBy,
    })
    .execute();
}

export interface ServerChange {
  readonly teammateId?: string | null;
  readonly config?: McpConfig;
  readonly secrets?: Buffer | null;
  readonly enabled?: boolean;
}

/** Changes what reaches teammates: their threads follow the revision. */
export async function update(db: Db, id: string, change: ServerChange): Promise<boolean> {
  const { config, teammateId, ...rest } = change;
  const { numUpdatedRows } = await db
    .updateTable("mcp_servers")
    .set((set) => ({
      ...rest,
      ...(teammateId === undefined ? {} : { teammate_id: teammateId }),
      ...(config === undefined ? {} : { config: JSON.stringify(config) }),
      revision: set("revision", "+", 1),
    }))
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function setTested(db: Db, id: string, tested: Tested, at: Date): Promise<void> {
  await db
    .updateTable("mcp_servers")
    .set({
      state: tested.state,
      failure: tested.state === "failed" ? JSON.stringify(mcpFailureSchema.parse(tested.failure)) : null,
      ...(tested.state === "ready" ? { tools: JSON.stringify(tested.tools) } : {}),
      state_at: at,
    })
    .where("id", "=", id)
    .execute();
}

/** Its keys go at once. */
export async function remove(db: Db, id: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("mcp_servers")
    .set({ removed_at: at, secrets: null, enabled: false })
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
