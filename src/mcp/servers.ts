import { type Clock, type Log, newId, type Seal } from "../shared/index.ts";
import { audit, type Db, type Queues, type Unit } from "../storage/index.ts";
import * as changes from "./changes.store.ts";
import { hasKey, keyNames, type McpSecrets } from "./config.ts";
import { type McpServer, mcpFailureSchema } from "./server.ts";
import * as store from "./servers.store.ts";
import { defaultFolder, type McpSetup, noSetup, setupOf } from "./setup.ts";
import { createVault } from "./vault.ts";

export interface McpDeps {
  /** SHIPMATE_HOME. */
  readonly home: string;
  readonly seal: Seal;
  readonly queues: Pick<Queues, "add">;
  readonly clock: Clock;
  readonly log: Log;
}

/** Who changes something: a person, or a teammate that a person asked to and another one let. */
export interface McpActor {
  readonly personId: string | null;
  readonly teammateId?: string | undefined;
}

export type McpRequest = Omit<changes.NewChange, "id" | "status" | "secrets" | "at" | "call"> & {
  readonly secrets?: McpSecrets | undefined;
};

/** What a teammate asks for, in one call of its tool; `requestHash` is the same where it asks for the same. */
export type McpWish = McpRequest & { readonly call: { readonly key: string; readonly requestHash: string } };

export interface McpProposed {
  readonly change: changes.ChangeRow;
  /** Another call has asked for it before, on a card that is there. */
  readonly isAgain: boolean;
}

/** The MCP servers, and what is asked to become of them. Who may ask (owner and admins) is for the caller to know. */
export interface McpServers {
  /** One query, and nothing else where there are none. */
  setupFor(db: Db, teammateId: string): Promise<McpSetup>;
  list(db: Db): Promise<McpServer[]>;
  get(db: Db, id: string): Promise<McpServer | undefined>;
  named(db: Db, name: string): Promise<McpServer | undefined>;
  /** What takes a test: it is carried out where Codex is, and told on the card of `told`. Gives the change's id. */
  request(unit: Unit, request: McpRequest): Promise<string>;
  /** A wish waits for a person. The same call again is the same wish; so is another call for the same, as long as that one is open. */
  propose(unit: Unit, wish: McpWish): Promise<McpProposed>;
  askedOn(db: Db, changeId: string, attentionId: string): Promise<void>;
  /** Somebody said yes: the wish is carried out as any request. */
  approve(unit: Unit, changeId: string): Promise<void>;
  /** Somebody said no, or nobody anything in time. */
  withdraw(db: Db, changeId: string): Promise<void>;
  /** What a tool call asked for before: a call comes again where its answer was lost. */
  askedBy(db: Db, callKey: string): Promise<changes.ChangeRow | undefined>;
  change(db: Db, id: string): Promise<changes.ChangeRow | undefined>;
  /** What a server waits for now. */
  waitingFor(db: Db, serverId: string): Promise<changes.ChangeRow | undefined>;
  setEnabled(unit: Unit, by: McpActor, id: string, enabled: boolean): Promise<void>;
  /** Null: for every teammate. */
  assign(unit: Unit, by: McpActor, id: string, teammateId: string | null): Promise<void>;
  remove(unit: Unit, by: McpActor, id: string): Promise<void>;
  /** Wakes what a lost wake-up or a dead process left waiting, and forgets what is long over. */
  sweep(db: Db): Promise<void>;
}

const overdueMs = 60_000;
const forgetMs = 7 * 24 * 60 * 60_000;

export function createMcpServers(deps: McpDeps): McpServers {
  const { home, queues, clock } = deps;
  const vault = createVault(deps);
  const wake = (changeId: string) => queues.add("mcp", { changeId }, { dedupe: changeId });
  const toServer = ({ secrets, failure, ...row }: store.ServerRow): McpServer => {
    const held = vault.open(secrets);
    const { config } = row;
    return {
      ...row,
      folder: config.transport === "stdio" ? (config.cwd ?? defaultFolder(home)) : null,
      failure: failure === null ? null : mcpFailureSchema.parse(failure),
      missing: keyNames(config).filter((key) => !hasKey(held, key)),
      holdsSecrets: secrets !== null,
    };
  };
  const ago = (ms: number) => new Date(clock.now().getTime() - ms);

  async function insert(unit: Unit, request: McpRequest, more: Pick<changes.NewChange, "status" | "call">) {
    const { secrets, ...rest } = request;
    const sealed = secrets === undefined ? undefined : (vault.close(secrets) ?? undefined);
    const id = newId();
    const isNew = await changes.insertChange(unit.db, { ...rest, ...more, id, secrets: sealed, at: clock.now() });
    return isNew ? id : null;
  }

  return {
    async setupFor(db, teammateId) {
      const rows = await store.usedBy(db, teammateId);
      if (rows.length === 0) return noSetup;
      const opened = rows.map((row) => ({ ...row, secrets: vault.open(row.secrets) }));
      return setupOf(opened, { home, environment: process.env });
    },
    list: async (db) => (await store.list(db)).map(toServer),
    async get(db, id) {
      const row = await store.get(db, id);
      return row && toServer(row);
    },
    async named(db, name) {
      const row = (await store.list(db)).find((each) => each.name === name);
      return row && toServer(row);
    },
    async request(unit, request) {
      const id = await insert(unit, request, { status: "waiting" });
      if (id === null) throw new Error("a request without a key is never there already");
      unit.afterCommit(() => wake(id));
      return id;
    },
    propose: async (unit, { call, ...request }) => {
      const own = await changes.getChange(unit.db, { callKey: call.key });
      if (own !== undefined) return { change: own, isAgain: false };
      const earlier = await changes.adoptProposed(unit.db, call);
      if (earlier !== undefined) return { change: earlier, isAgain: true };
      await insert(unit, request, { status: "proposed", call });
      const made = await changes.getChange(unit.db, { callKey: call.key });
      if (made === undefined) throw new Error("what a teammate asked for is not there");
      return { change: made, isAgain: false };
    },
    askedOn: changes.bindCard,
    async approve(unit, changeId) {
      if (await changes.approveChange(unit.db, changeId)) unit.afterCommit(() => wake(changeId));
    },
    async withdraw(db, changeId) {
      await changes.endChange(db, changeId, { kind: "denied" }, clock.now());
    },
    askedBy: (db, callKey) => changes.getChange(db, { callKey }),
    change: (db, id) => changes.getChange(db, { id }),
    waitingFor: changes.waitingFor,
    async setEnabled(unit, by, id, enabled) {
      if (await store.update(unit.db, id, { enabled }))
        await note(unit, by, enabled ? "mcp.enable" : "mcp.disable", id);
    },
    async assign(unit, by, id, teammateId) {
      if (await store.update(unit.db, id, { teammateId })) await note(unit, by, "mcp.assign", id, { teammateId });
    },
    async remove(unit, by, id) {
      if (await store.remove(unit.db, id, clock.now())) await note(unit, by, "mcp.remove", id);
    },
    async sweep(db) {
      for (const changeId of await changes.overdue(db, ago(overdueMs))) await wake(changeId);
      await changes.forgetChanges(db, ago(forgetMs));
    },
  };
}

export function note(unit: Unit, { personId, teammateId }: McpActor, action: string, target: string, data?: object) {
  const teammate = teammateId === undefined ? {} : { teammateId };
  return audit(unit.db, { personId, ...teammate, action, target, ...(data === undefined ? {} : { data }) });
}
