import { createMcpServers, type McpNews, type McpServers, type McpWork, startMcpWork } from "../../src/mcp/index.ts";
import { newId, openSeal, silentLog, systemClock } from "../../src/shared/index.ts";
import { type Db, inTransaction, openStorage, type Unit } from "../../src/storage/index.ts";
import { createTeammates, type Teammate, type Teammates } from "../../src/teammates/index.ts";
import { openScene, type Scene } from "../codex/scene.ts";
import { createTestDatabase } from "../support/database.ts";

/** The MCP room at work: a real database, and a real Codex that tests the servers. */
export interface Bench extends AsyncDisposable {
  readonly db: Db;
  readonly mcp: McpServers;
  readonly scene: Scene;
  readonly teammates: Teammates;
  readonly milo: Teammate;
  readonly adaId: string;
  /** What was told, in order. */
  readonly news: readonly McpNews[];
  unit<T>(work: (unit: Unit) => Promise<T>): Promise<T>;
  /** Starts the work where Codex is; without it, what is asked for waits. */
  work(): Promise<McpWork>;
  /** The rows of a table as text, to look for what must not be in them. */
  everything(): Promise<string>;
}

export async function openBench(): Promise<Bench> {
  await using resources = new AsyncDisposableStack();
  const scene = resources.use(await openScene("ws"));
  const database = resources.use(await createTestDatabase());
  const storage = resources.use(await openStorage({ home: scene.home, databaseUrl: database.url }, silentLog));
  const { db, queues } = storage;
  const works = resources.use(new AsyncDisposableStack());
  const seal = await openSeal(scene.home);
  const deps = { home: scene.home, seal, queues, clock: systemClock, log: silentLog };
  const mcp = createMcpServers(deps);
  const news: McpNews[] = [];
  const unit = <T>(work: (unit: Unit) => Promise<T>) => inTransaction(db, silentLog, work);
  const teammates = createTeammates();
  const milo = await unit((each) => teammates.ensureDefault(each));
  const adaId = newId();
  await db.insertInto("people").values({ id: adaId, display_name: "Ada", role: "owner" }).execute();
  const kept = resources.move();
  return {
    db,
    mcp,
    scene,
    teammates,
    milo,
    adaId,
    news,
    unit,
    work: async () =>
      works.use(
        await startMcpWork({
          ...deps,
          db,
          mcp,
          connection: scene.connection,
          tell: async (_unit, told) => void news.push(told),
        }),
      ),
    everything: async () => {
      const servers = await db.selectFrom("mcp_servers").selectAll().execute();
      const changes = await db.selectFrom("mcp_changes").selectAll().execute();
      const audit = await db.selectFrom("audit_log").selectAll().execute();
      const asText = (value: unknown) => (Buffer.isBuffer(value) ? value.toString("latin1") : value);
      return JSON.stringify([servers, changes, audit].flat().map((row) => Object.values(row).map(asText)));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
