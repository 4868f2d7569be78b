import type { JsonValue } from "../codex/index.ts";
import type { Clock } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { Teammate } from "../teammates/index.ts";
import { markUnusable, markUsable, readAccounts } from "./accounts.store.ts";
import { type Accounts, blockedSince, isThere, type Payer, type Paying, whoPays } from "./accounts.ts";
import {
  type Backup,
  type Backups,
  isSameBackup,
  type LeaveCause,
  leaveCauses,
  type ModelLeft,
  readBackups,
  saveLeft,
  takeTelling,
} from "./backups.store.ts";
import type { Keys } from "./keys.ts";
import { type Known, readKnown } from "./known.store.ts";
import {
  endpointProvider,
  isKeyIdentity,
  keyProviderOf,
  type Provider,
  type ProviderSettings,
  planProvider,
} from "./provider.ts";

export type { Payer };

/** What a turn runs on, decided anew before each. */
export interface UsableAccess {
  readonly kind: "usable";
  readonly payer: Payer;
  /** Names what answers model requests: a thread is gone on with by the same one, and forked for another. */
  readonly provider: string;
  /** The same as Codex calls it; absent where Codex's own default is meant. */
  readonly modelProvider?: string | undefined;
  /** Goes along with every start, resume and fork of a thread. May hold the key: never log it. */
  readonly config: Readonly<Record<string, JsonValue>>;
  /** Codex's own choice when absent. */
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  /** The backup it runs on, where it is one. */
  readonly backup?: Backup | undefined;
  /** Why it is not the teammate's usual model: set for the first run of which people are to be told. */
  readonly moved?: Pick<ModelLeft, "from" | "cause"> | undefined;
  /** True where who pays was last known not to work. */
  readonly onTrial?: boolean | undefined;
}

export type NoAccess = {
  readonly kind: "none";
  readonly why: "no_account" | "plan_limit" | "key_rejected";
  /** Whose limit or rejection it is. */
  readonly payer?: Payer | undefined;
  /** When it can be used again, where that is known. */
  readonly resetsAt?: Date | undefined;
};

export type AccessDecision = UsableAccess | NoAccess;

type Thinker = Pick<Teammate, "id" | "model" | "effort">;

/** Why a turn failed, as far as it is about the model or who pays for it. */
export interface Failed {
  readonly runId: string;
  readonly access: UsableAccess;
  readonly teammate: Thinker;
  readonly cause: LeaveCause;
}

export interface AfterFailure {
  /** When who paid can be used again, where that is known. */
  readonly resetsAt: Date | undefined;
  /** True once for every time it stops working: the owner is told then. */
  readonly isNews: boolean;
  /** The teammate goes on with a backup from now on: what was not begun can simply be tried again. */
  readonly moved: boolean;
}

/** Decides who pays and which model answers. */
export interface Access {
  /** What a decision is made by: read ahead where there is more to read at the same time. */
  known(db: Db, teammateId: string): Promise<Known>;
  /**
   * `again`: a person asked to try once more, so what failed without a time to wait for is tried, too. `known`: read a
   * moment ago.
   */
  decide(
    db: Db,
    teammate: Thinker,
    how?: { readonly again?: boolean | undefined; readonly known?: Known | undefined },
  ): Promise<AccessDecision>;
  /**
   * What a turn that already runs is on: also where nothing new could be started with it. `provider` is the one its
   * thread was made with.
   */
  inUse(db: Db, teammate: Thinker, provider?: string): Promise<UsableAccess>;
  /** Learns from a turn that failed, before anybody is told. */
  failed(db: Db, failure: Failed): Promise<AfterFailure>;
  /** Learns from a turn that completed. */
  worked(db: Db, access: UsableAccess): Promise<void>;
}

/** What Codex is asked about and tells: kept by the watch. */
export interface CodexFacts {
  /** Codex's own choice where nobody chose; undefined while that is unknown. */
  usual(): { readonly model: string; readonly effort: string | undefined } | undefined;
  effortOf(model: string): string | undefined;
  /** When what is used up of theirs resets, as last reported. */
  limitResetsAt(payer: Payer): Promise<Date | undefined>;
  /** Looks whether Codex is signed in, which somebody may have done on its own machine. */
  lookAgain(): Promise<void>;
}

export interface AccessSettings extends ProviderSettings {
  /** SHIPMATE_MODEL. */
  readonly model: string | undefined;
}

export interface AccessDeps {
  readonly clock: Clock;
  readonly keys: Pick<Keys, "read">;
  readonly codex: CodexFacts;
  readonly settings: AccessSettings;
}

export function createAccess({ clock, keys, codex, settings }: AccessDeps): Access {
  function providerOf(accounts: Accounts, payer: Payer): Provider {
    if (settings.endpoint !== undefined) return endpointProvider(settings.endpoint);
    return payer === "plan" ? planProvider(settings) : keyProvider(accounts);
  }

  function ownModel({ model }: Thinker): string | null {
    return model ?? settings.model ?? null;
  }

  function keyProvider({ key }: Accounts): Provider {
    const written = key?.source === "form" ? keys.read(key) : settings.apiKey;
    return keyProviderOf(key, written, settings.keyUrl);
  }

  /** Always with a model and an effort, where they are known: Codex keeps what an earlier turn of the thread was given. */
  function usable(accounts: Accounts, teammate: Thinker, payer: Payer, backup?: Backup): UsableAccess {
    const usual = codex.usual();
    const model = backup?.model ?? teammate.model ?? settings.model ?? usual?.model;
    const isUsual = model !== undefined && model === usual?.model;
    const usualEffort = isUsual ? usual?.effort : model === undefined ? undefined : codex.effortOf(model);
    const { identity, modelProvider, config } = providerOf(accounts, payer);
    const effort = teammate.effort ?? usualEffort;
    return { kind: "usable", payer, provider: identity, modelProvider, config, model, effort, backup };
  }

  async function onBackup(
    db: Db,
    accounts: Accounts,
    teammate: Thinker,
    left: ModelLeft,
  ): Promise<UsableAccess | null> {
    const paying = whoPays(accounts, { wish: left.to.payer ?? undefined, now: clock.now() });
    if (paying.kind !== "pays") return null;
    const moved = !left.told && (await takeTelling(db, teammate.id)) ? left : undefined;
    return { ...usable(accounts, teammate, paying.account.kind, left.to), moved };
  }

  async function stillLeft(db: Db, teammate: Thinker, { list, left }: Backups): Promise<ModelLeft | null> {
    if (left === null) return null;
    const isOver = left.until !== null && left.until <= clock.now();
    // Somebody chose another model since: the trouble was with the one before.
    const isElsewhere = left.from !== ownModel(teammate);
    if (!isOver && !isElsewhere && list.some((each) => isSameBackup(each, left.to))) return left;
    await saveLeft(db, teammate.id, null);
    return null;
  }

  /** Goes over to the first backup behind `after` that somebody pays for. */
  async function leave(
    db: Db,
    accounts: Accounts,
    teammate: Thinker,
    why: Pick<ModelLeft, "cause" | "until"> & { readonly list: readonly Backup[]; readonly after?: Backup | undefined },
  ): Promise<ModelLeft | null> {
    const { list, after, cause, until } = why;
    const rest = after === undefined ? list : list.slice(list.findIndex((each) => isSameBackup(each, after)) + 1);
    const now = clock.now();
    const to = rest.find(({ payer }) => whoPays(accounts, { wish: payer ?? undefined, now }).kind === "pays");
    if (to === undefined) return null;
    const left: ModelLeft = { from: ownModel(teammate), to, cause, until, told: false };
    await saveLeft(db, teammate.id, left);
    return left;
  }

  async function accountsNow(db: Db, accounts: Accounts): Promise<Accounts> {
    const isKnown = settings.endpoint !== undefined || accounts.plan !== undefined;
    if (isKnown && (isThere(accounts.plan) || isThere(accounts.key))) return accounts;
    // At the very first start a key must not pay because Codex has not said yet that it is signed in.
    await codex.lookAgain();
    return readAccounts(db);
  }

  return {
    known: readKnown,
    async decide(db, teammate, { again, known } = {}) {
      const { accounts: lastKnown, backups } = known ?? (await readKnown(db, teammate.id));
      const accounts = await accountsNow(db, lastKnown);
      const left = await stillLeft(db, teammate, backups);
      const going = left && (await onBackup(db, accounts, teammate, left));
      if (going) return going;
      const paying = whoPays(accounts, { again, now: clock.now() });
      if (paying.kind === "pays") {
        if (left) await saveLeft(db, teammate.id, null);
        const onTrial = paying.account.state !== "ready";
        return { ...usable(accounts, teammate, paying.account.kind), onTrial };
      }
      if (paying.kind === "nobody") return { kind: "none", why: "no_account" };
      const until = paying.account.limitResetsAt;
      const cause = paying.why === "plan_limit" ? "usage_limit" : "key_rejected";
      const moved = await leave(db, accounts, teammate, { list: backups.list, cause, until });
      return (moved && (await onBackup(db, accounts, teammate, moved))) ?? refusal(paying);
    },
    async inUse(db, teammate, provider) {
      const accounts = await readAccounts(db);
      const paying = whoPays(accounts, { again: true, now: clock.now() });
      const first = paying.kind === "nobody" ? "plan" : paying.account.kind;
      const payer = provider === undefined ? first : isKeyIdentity(provider) ? "api_key" : "plan";
      return usable(accounts, teammate, settings.endpoint === undefined ? payer : "api_key");
    },
    async failed(db, { runId, access, teammate, cause }) {
      const now = clock.now();
      const { payer } = access;
      const resetsAt = cause === "usage_limit" ? await codex.limitResetsAt(payer) : undefined;
      const state = cause === "usage_limit" ? "limited" : cause === "key_rejected" ? "invalid" : undefined;
      const noted = { resetsAt: resetsAt ?? null, runId, now, blockedSince: blockedSince(now) };
      const isNews = state !== undefined && (await markUnusable(db, payer, { ...noted, state }));
      const [accounts, { list }] = await Promise.all([readAccounts(db), readBackups(db, teammate.id)]);
      const until = resetsAt ?? null;
      const moved = await leave(db, accounts, teammate, { list, after: access.backup, cause, until });
      return { resetsAt, isNews, moved: moved !== null };
    },
    async worked(db, { payer, onTrial }) {
      if (onTrial) await markUsable(db, payer, clock.now());
    },
  };
}

function refusal({ account, why }: Extract<Paying, { kind: "blocked" }>): NoAccess {
  return { kind: "none", why, payer: account.kind, resetsAt: account.limitResetsAt ?? undefined };
}

/** Whether a failure of that name is about the model or who pays for it. */
export function isLeaveCause(code: string): code is LeaveCause {
  return leaveCauses.some((each) => each === code);
}
