import { newId } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import type { ChangeRow } from "./changes.store.ts";
import {
  hasKey,
  keyNames,
  leadsElsewhere,
  type McpConfig,
  type McpSecrets,
  mergeSecrets,
  mostServers,
  noSecrets,
  sameName,
} from "./config.ts";
import type { McpOutcome, Tested } from "./server.ts";
import * as store from "./servers.store.ts";
import { type McpActor, note } from "./servers.ts";
import type { Vault } from "./vault.ts";

/** What a change would make of a server: this is tested, and saved if the test lets it. */
export interface Target {
  readonly name: string;
  readonly teammateId: string | null;
  readonly config: McpConfig;
  readonly secrets: McpSecrets;
  /** Keys were left out that would have gone to somebody else. */
  readonly dropped: boolean;
}

/** Null where what it was about is gone, or was changed since it was asked for. */
export async function targetOf(db: Db, change: ChangeRow, vault: Vault): Promise<Target | null> {
  const brought = vault.open(change.secrets);
  if (change.kind === "add") {
    return change.proposal && { ...change.proposal, secrets: brought, dropped: false };
  }
  const row = change.serverId === null ? undefined : await store.get(db, change.serverId);
  if (row === undefined || isStale(change, row)) return null;
  const { name, teammateId, config } = row;
  const held = vault.open(row.secrets);
  if (change.proposal === null) {
    return { name, teammateId, config, secrets: mergeSecrets(held, brought), dropped: false };
  }
  return { ...change.proposal, name, ...kept(config, change.proposal.config, held, brought) };
}

/** The keys a changed server still has. What hides in its address belongs to that one address. */
function kept(from: McpConfig, to: McpConfig, held: McpSecrets, brought: McpSecrets) {
  const elsewhere = leadsElsewhere(from, to);
  const { url, ...keys } = held;
  const isSameAddress = from.transport === "http" && to.transport === "http" && from.url === to.url;
  const stays = isSameAddress && url !== undefined ? { ...keys, url } : keys;
  const hadKeys = Object.keys(held.values).length > 0 || held.bearer !== undefined;
  return {
    secrets: mergeSecrets(elsewhere ? noSecrets : stays, brought),
    dropped: elsewhere && (hadKeys || url !== undefined),
  };
}

function isStale(change: ChangeRow, row: store.ServerRow): boolean {
  return change.baseRevision !== null && change.baseRevision !== row.revision;
}

export interface Applied {
  readonly change: ChangeRow;
  readonly target: Target;
  readonly tested: Tested;
  readonly now: Date;
}

/** Saves what was tested, or says why not. */
export async function apply(unit: Unit, applied: Applied, vault: Vault): Promise<McpOutcome> {
  const { change, target } = applied;
  const tested = judged(applied);
  const { config, teammateId } = target;
  const by: McpActor = { personId: change.personId, teammateId: change.teammateId ?? undefined };
  if (change.kind === "add") return add(unit, { ...applied, tested }, vault, by);
  const row = change.serverId === null ? undefined : await store.get(unit.db, change.serverId, "lock");
  if (row === undefined || isStale(change, row)) return { kind: "gone" };
  if (change.kind === "change" && tested.state === "failed") return { kind: "unreachable", failure: tested.failure };
  if (change.kind === "change" || change.kind === "key") {
    await store.update(unit.db, row.id, { config, teammateId, secrets: vault.close(target.secrets) });
    await note(unit, by, `mcp.${change.kind}`, row.id, { name: row.name, config });
  }
  await store.setTested(unit.db, row.id, tested, applied.now);
  return { kind: "done", serverId: row.id, dropped: target.dropped };
}

/** A server that has no key yet cannot be asked to work without it. */
function judged({ target, tested }: Applied): Tested {
  const lacksKey = keyNames(target.config).some((key) => !hasKey(target.secrets, key));
  return tested.state === "failed" && lacksKey ? { state: "needs_secret" } : tested;
}

async function add(unit: Unit, { target, tested, now }: Applied, vault: Vault, by: McpActor): Promise<McpOutcome> {
  const { name, teammateId, config } = target;
  await store.lockList(unit.db);
  const others = await store.list(unit.db);
  if (others.some((each) => sameName(each.name, name))) return { kind: "name_taken" };
  if (others.length >= mostServers) return { kind: "too_many" };
  if (tested.state === "failed") return { kind: "unreachable", failure: tested.failure };
  const id = newId();
  const secrets = vault.close(target.secrets);
  await store.insert(unit.db, { id, name, teammateId, config, secrets, createdBy: by.personId });
  await store.setTested(unit.db, id, tested, now);
  await note(unit, by, "mcp.add", id, { name, teammateId, config });
  return { kind: "done", serverId: id, dropped: false };
}
