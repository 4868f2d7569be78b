import { isLeaveCause, isThere, otherOf, type Payer, readAccounts } from "../access/index.ts";
import { issueTokens } from "../attention/index.ts";
import type { Button } from "../chat/index.ts";
import { allows } from "../people/index.ts";
import type { Unit } from "../storage/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { Outcome } from "./outcome.ts";
import type { RunDeps } from "./settings.ts";

/** What a failure means that is about the model or who pays for it. */
export interface ModelTrouble {
  readonly payer: Payer | undefined;
  readonly resetsAt: Date | undefined;
  /** The message stays in line until then. */
  readonly heldUntil: Date | undefined;
  /** It is tried again on another model at once, and nobody need hear of it. */
  readonly triedAgain: boolean;
  /** True once for every time somebody's account stops working. */
  readonly isNews: boolean;
}

const none: ModelTrouble = {
  payer: undefined,
  resetsAt: undefined,
  heldUntil: undefined,
  triedAgain: false,
  isNews: false,
};

/** Learns from a failure who can pay no more, and whether the message can wait or move. */
export async function modelTrouble(
  deps: Pick<RunDeps, "access" | "db">,
  run: ActiveRun,
  { code }: Extract<Outcome, { kind: "failed" }>,
): Promise<ModelTrouble> {
  // A turn that did nothing yet can simply be made again; one that worked might do things twice.
  const fresh = !run.record.worked();
  const { refusal, access } = run;
  if (refusal !== undefined) {
    const { payer, resetsAt } = refusal;
    return { ...none, payer, resetsAt, heldUntil: resetsAt };
  }
  if (access === undefined || !isLeaveCause(code)) return none;
  const { teammate, runId } = run.context;
  const { resetsAt, isNews, moved } = await deps.access.failed(deps.db, { runId, access, teammate, cause: code });
  return {
    payer: access.payer,
    resetsAt,
    heldUntil: fresh && !moved ? resetsAt : undefined,
    triedAgain: fresh && moved,
    isNews,
  };
}

/** What those may do who decide about money, beneath the notice of a message that waits for it. */
export async function payButtons(
  unit: Unit,
  run: Pick<ActiveRun, "words" | "context">,
  payer: Payer,
  said: string,
): Promise<readonly Button[]> {
  const accounts = await readAccounts(unit.db);
  if (payer !== "plan" || accounts.key?.source === "endpoint") return [];
  const { requester, place } = run.context;
  // In a private chat there is nobody else to press it.
  if (place.kind === "dm" && (requester === null || !allows(requester.role, "admin"))) return [];
  const hasKey = isThere(otherOf(accounts, payer));
  const { access: words } = run.words;
  const action = hasKey ? "access_use_key" : "access_set_key";
  const { token } = await issueTokens(unit, {
    choices: [{ key: "token", action, payload: { said, cover: true } }],
    minRole: "admin",
  });
  return [{ label: hasKey ? words.useKey : words.setKey, token, style: "primary" }];
}

/** Takes what waits for the reset out of the line. */
export async function cancelHeldButton(unit: Unit, run: ActiveRun, said: string): Promise<Button> {
  const deliveryIds = run.deliveries.map(({ id }) => id);
  const { token } = await issueTokens(unit, {
    choices: [{ key: "token", action: "access_cancel", payload: { deliveryIds, said } }],
    personId: run.context.requester?.id,
    minRole: "manager",
  });
  return { label: run.words.mailbox.cancel, token };
}

/** `/login` as people type it in the place where they read of it: some platforms share one command for all of ours. */
export function commandsAsTyped(deps: Pick<RunDeps, "adapters">, connectionId: string, text: string): string {
  const prefix = deps.adapters.get(connectionId)?.capabilities.commandPrefix ?? "/";
  return text.replaceAll("/login", `${prefix}login`);
}
