/** Who pays for the model: the plan that Codex is signed in with, or a key. */
export type Payer = "plan" | "api_key";

/** Where a key comes from: the settings, a page that was filled in, or an endpoint of the owner's own, with or without one. */
export type KeySource = "environment" | "form" | "endpoint";

export interface Account {
  readonly kind: Payer;
  /** Such as the kind of plan. */
  readonly label: string | null;
  /** Sealed. */
  readonly secret: Buffer | null;
  readonly source: KeySource | null;
  readonly state: "ready" | "signed_out" | "limited" | "invalid";
  readonly stateAt: Date;
  readonly limitResetsAt: Date | null;
  /** While it cannot be used, the other one pays: somebody who may said so. */
  readonly covered: boolean;
  /** The owner wants this one, whatever the other would cost. */
  readonly preferred: boolean;
}

export interface Accounts {
  readonly plan: Account | undefined;
  readonly key: Account | undefined;
}

/** Where nothing says when it can be used again, it is tried again after this long. */
const triedAgainAfterMs = 10 * 60_000;

export function isThere(account: Account | undefined): account is Account {
  return (
    account !== undefined && account.state !== "signed_out" && (account.kind === "plan" || account.source !== null)
  );
}

/** What was noted before then without a time is worth another try. */
export function blockedSince(now: Date): Date {
  return new Date(now.getTime() - triedAgainAfterMs);
}

/** Why it cannot pay now; undefined when it can. An endpoint of one's own is mended where we cannot see it, so it is always tried. */
export function blockOf(account: Account, now: Date): "plan_limit" | "key_rejected" | undefined {
  const { state, source, limitResetsAt, covered, stateAt } = account;
  const untold = source !== "endpoint" && (covered || stateAt > blockedSince(now));
  switch (state) {
    case "ready":
    case "signed_out":
      return undefined;
    case "limited":
      return (limitResetsAt === null ? untold : limitResetsAt > now) ? "plan_limit" : undefined;
    case "invalid":
      return untold ? "key_rejected" : undefined;
  }
}

/** The one that would pay for the other. */
export function otherOf({ plan, key }: Accounts, kind: Payer): Account | undefined {
  return kind === "plan" ? key : plan;
}

/** Who pays where everything works: whoever was chosen, else the plan. */
export function firstOf({ plan, key }: Accounts): Account | undefined {
  const there = [plan, key].filter(isThere);
  if (key?.source === "endpoint") return key;
  return there.find(({ preferred }) => preferred) ?? there[0];
}

export type Paying =
  | { readonly kind: "pays"; readonly account: Account; readonly insteadOf?: Account | undefined }
  | {
      readonly kind: "blocked";
      readonly account: Account;
      readonly why: "plan_limit" | "key_rejected";
    }
  | { readonly kind: "nobody" };

/** Who pays now. `wish` names the one it has to be; `again` tries also what failed without a time to wait for. */
export function whoPays(
  accounts: Accounts,
  how: { readonly wish?: Payer | undefined; readonly again?: boolean | undefined; readonly now: Date },
): Paying {
  const wished = how.wish === undefined ? firstOf(accounts) : how.wish === "plan" ? accounts.plan : accounts.key;
  if (!isThere(wished)) return { kind: "nobody" };
  const why = blockOf(wished, how.now);
  if (why === undefined || (how.again && wished.limitResetsAt === null)) return { kind: "pays", account: wished };
  const other = otherOf(accounts, wished.kind);
  const covers = wished.covered && how.wish === undefined && isThere(other) && blockOf(other, how.now) === undefined;
  return covers ? { kind: "pays", account: other, insteadOf: wished } : { kind: "blocked", account: wished, why };
}
