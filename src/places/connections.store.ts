import type { AdapterState, ConnectionState } from "../chat/index.ts";
import { newId } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";

/** One bot identity on one platform, as its adapter reported it. */
export interface Connection {
  readonly id: string;
  readonly platform: string;
  readonly botId: string;
  readonly name: string;
  /** How a person reaches us there. */
  readonly link: string | null;
  readonly state: ConnectionState;
  /** A sentence for the owner that says what to do. */
  readonly stateDetail: string | null;
  readonly stateAt: Date;
}

export interface NewConnection {
  readonly platform: string;
  readonly botId: string;
  readonly name: string;
  readonly link?: string | undefined;
  /** The handle of the teammate whose own bot this is. */
  readonly teammateHandle?: string | undefined;
}

/** The connection of a bot, made or refreshed. The bot's id is the key: a new token of the same bot keeps everything. */
export async function ensureConnection(unit: Unit, connection: NewConnection): Promise<Connection> {
  const shown = {
    name: connection.name,
    link: connection.link ?? null,
    teammate_handle: connection.teammateHandle ?? null,
  };
  const { id } = await unit.db
    .insertInto("connections")
    .values({ id: newId(), platform: connection.platform, bot_id: connection.botId, ...shown })
    .onConflict((conflict) => conflict.columns(["platform", "bot_id"]).doUpdateSet(shown))
    .returning("id")
    .executeTakeFirstOrThrow();
  return connections(unit.db).where("id", "=", id).executeTakeFirstOrThrow();
}

export async function setConnectionState(
  db: Db,
  id: string,
  state: ConnectionState,
  detail?: string | undefined,
): Promise<void> {
  await db
    .updateTable("connections")
    .set({ state, state_detail: detail ?? null, state_at: new Date() })
    .where("id", "=", id)
    .execute();
}

export async function listConnections(db: Db): Promise<Connection[]> {
  return connections(db).orderBy("created_at").execute();
}

export async function getConnection(db: Db, id: string): Promise<Connection | undefined> {
  return connections(db).where("id", "=", id).executeTakeFirst();
}

function connections(db: Db) {
  return db
    .selectFrom("connections")
    .select(["id", "platform", "name", "link", "bot_id as botId"])
    .select((eb) => eb.ref("state").$castTo<ConnectionState>().as("state"))
    .select(["state_detail as stateDetail", "state_at as stateAt"]);
}

/** What an adapter keeps between starts, such as the last update it took. */
export function connectionState(db: Db, connectionId: string): AdapterState {
  return {
    async load(key) {
      const row = await db
        .selectFrom("connection_values")
        .select("value")
        .where("connection_id", "=", connectionId)
        .where("key", "=", key)
        .executeTakeFirst();
      return row?.value;
    },
    async save(key, value) {
      await db
        .insertInto("connection_values")
        .values({ connection_id: connectionId, key, value })
        .onConflict((conflict) => conflict.columns(["connection_id", "key"]).doUpdateSet({ value }))
        .execute();
    },
  };
}
