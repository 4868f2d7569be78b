import { mkdir } from "node:fs/promises";
import { type CodexConnection, CodexError } from "../codex/index.ts";
import { type Clock, type Log, redact, type Seal } from "../shared/index.ts";
import { type Db, inTransaction, type Queues, type Unit } from "../storage/index.ts";
import { apply, type Target, targetOf } from "./apply.ts";
import * as changes from "./changes.store.ts";
import { openProbe } from "./probe.ts";
import type { McpFailure, McpOutcome, Tested } from "./server.ts";
import * as store from "./servers.store.ts";
import type { McpServers } from "./servers.ts";
import { defaultFolder, missingVariable, toCodex } from "./setup.ts";
import { createSignIns } from "./sign-in.ts";
import { createVault } from "./vault.ts";

/** How something ended, for whoever asked. */
export interface McpNews {
  readonly change: changes.ChangeRow;
  readonly outcome: McpOutcome;
  /** Where the person signs in now, if that is what it waits for. */
  readonly signInUrl: string | null;
}

export interface McpWorkDeps {
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly seal: Seal;
  /** SHIPMATE_HOME. */
  readonly home: string;
  readonly connection: CodexConnection;
  readonly queues: Pick<Queues, "work">;
  readonly mcp: McpServers;
  /** Tells it, in the transaction in which it happened. */
  readonly tell: (unit: Unit, news: McpNews) => Promise<void>;
}

/** What has to be done where Codex is: servers are tested, and saved if they work. */
export interface McpWork extends AsyncDisposable {
  /** Takes a change up, once; a repeated wake-up does nothing. */
  take(changeId: string): Promise<void>;
}

const againMs = 60_000;
const mostTries = 3;
const readyMs = 20_000;
const atATime = 4;

export async function startMcpWork(deps: McpWorkDeps): Promise<McpWork> {
  const { db, log, clock, connection } = deps;
  const vault = createVault(deps);
  const signIns = createSignIns(connection, log);
  const folder = defaultFolder(deps.home);
  const surroundings = { home: deps.home, environment: process.env };
  const transaction = <T>(work: (unit: Unit) => Promise<T>) => inTransaction(db, log, work);
  await mkdir(folder, { recursive: true, mode: 0o700 });

  async function take(changeId: string): Promise<void> {
    const now = clock.now();
    const change = await changes.takeChange(db, changeId, now, new Date(now.getTime() - againMs));
    if (change === undefined) return;
    try {
      await connection.ready({ timeoutMs: readyMs });
      await carryOut(change);
    } catch (error) {
      if (error instanceof CodexError && change.tries >= mostTries) {
        return end(change, { kind: "unreachable", failure: { reason: "no_codex" } });
      }
      // The queue comes again with it, soon.
      await changes.releaseChange(db, change.id);
      throw error;
    }
  }

  async function carryOut(change: changes.ChangeRow): Promise<void> {
    switch (change.kind) {
      case "remove":
        return remove(change);
      case "signed_in":
        return returned(change);
      case "add":
      case "change":
      case "key":
      case "test":
      case "sign_in":
        return tryOut(change);
    }
  }

  async function tryOut(change: changes.ChangeRow): Promise<void> {
    const target = await targetOf(db, change, vault);
    if (target === null) return end(change, { kind: "gone" });
    const tested = await test(target);
    const saved = await transaction(async (unit) => {
      const outcome = await apply(unit, { change, target, tested, now: clock.now() }, vault);
      const wantsSignIn = outcome.kind === "done" && tested.state === "needs_sign_in" && change.told !== null;
      if (!wantsSignIn) await endIn(unit, change, outcome, null);
      return wantsSignIn ? outcome : null;
    });
    if (saved !== null) await askToSignIn(change, target, saved);
  }

  async function test({ name, config, secrets }: Target): Promise<Tested> {
    const missing = missingVariable(secrets, process.env);
    if (missing !== undefined) return failed({ reason: "no_variable", detail: missing });
    try {
      await using probe = await openProbe(connection, { name, config: toCodex(config, secrets, surroundings), folder });
      return await probe.test();
    } catch (error) {
      if (!(error instanceof CodexError) || (error.kind !== "refused" && error.kind !== "timeout")) throw error;
      if (error.kind === "timeout") return failed({ reason: "too_slow" });
      return failed({ reason: "other", detail: redact(error.message).slice(0, 300) });
    }
  }

  /** It is saved already: where this fails, the card is told without an address, and offers to begin again. */
  async function askToSignIn(change: changes.ChangeRow, target: Target, outcome: McpOutcome & { kind: "done" }) {
    const { serverId } = outcome;
    const { name, config, secrets } = target;
    const url = await signIns.begin({
      serverId,
      name,
      config: toCodex(config, secrets, surroundings),
      folder,
      onEnd: (success) => {
        signedIn(change, serverId, success).catch((error: unknown) =>
          log.error({ err: error }, "the end of a sign-in could not be stored"),
        );
      },
    });
    await end(change, url === null && change.kind === "sign_in" ? { kind: "sign_in_over" } : outcome, url);
  }

  /** Threads that were made without it have to be made anew, so this counts as a change. */
  async function signedIn(change: changes.ChangeRow, serverId: string, success: boolean): Promise<void> {
    const { told, personId } = change;
    if (!success)
      return transaction((unit) => deps.tell(unit, { change, outcome: { kind: "sign_in_over" }, signInUrl: null }));
    await transaction(async (unit) => {
      await store.update(unit.db, serverId, {});
      const onCard = typeof told === "object" && told !== null ? { told } : {};
      await deps.mcp.request(unit, { kind: "test", serverId, personId, ...onCard });
    });
  }

  async function returned(change: changes.ChangeRow): Promise<void> {
    const { callback } = vault.open(change.secrets).values;
    const taken =
      change.serverId !== null && callback !== undefined && (await signIns.returned(change.serverId, callback));
    if (!taken || change.serverId === null) return end(change, { kind: "sign_in_over" });
    // Codex says by itself how it ended, and that is told.
    await changes.endChange(db, change.id, { kind: "done", serverId: change.serverId, dropped: false }, clock.now());
  }

  async function remove(change: changes.ChangeRow): Promise<void> {
    const { serverId, personId, teammateId } = change;
    await transaction(async (unit) => {
      const known = serverId === null ? undefined : await store.get(unit.db, serverId, "lock");
      if (known === undefined) return endIn(unit, change, { kind: "gone" }, null);
      await deps.mcp.remove(unit, { personId, teammateId: teammateId ?? undefined }, known.id);
      await endIn(unit, change, { kind: "done", serverId: known.id, dropped: false }, null);
    });
  }

  const end = (change: changes.ChangeRow, outcome: McpOutcome, signInUrl: string | null = null) =>
    transaction((unit) => endIn(unit, change, outcome, signInUrl));

  async function endIn(unit: Unit, change: changes.ChangeRow, outcome: McpOutcome, signInUrl: string | null) {
    if (!(await changes.endChange(unit.db, change.id, outcome, clock.now()))) return;
    await deps.tell(unit, { change, outcome, signInUrl });
  }

  const worker = await deps.queues.work("mcp", ({ changeId }) => take(changeId), { concurrency: atATime });
  return {
    take,
    async [Symbol.asyncDispose]() {
      await worker.close();
      await signIns.close();
    },
  };
}

function failed(failure: McpFailure): Tested {
  return { state: "failed", failure };
}
