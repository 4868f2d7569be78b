import { allows, type Person } from "../people/index.ts";
import { type Clock, type Log, newToken, type Seal } from "../shared/index.ts";
import { audit, type Db, inTransaction, type Unit } from "../storage/index.ts";
import type { Routines } from "./routines.ts";
import type { Routine } from "./types.ts";
import { isSigned, letsThrough, readContent, type WebhookCall } from "./webhook-call.ts";
import * as store from "./webhooks.store.ts";

/** What a call came to. Nothing is kept of what was refused: the same call may come again. */
export type WebhookAnswer =
  | { readonly kind: "accepted" | "already" | "filtered" }
  /** No such address: it never was, its routine was deleted, or is started otherwise now. */
  | { readonly kind: "unknown" }
  | { readonly kind: "unsigned" | "out_of_time" | "unreadable" }
  /** Its routine does not run now. */
  | { readonly kind: "paused" }
  | { readonly kind: "too_often"; readonly seconds: number }
  /** So many runs wait already that one more would only grow old. */
  | { readonly kind: "full" };

export interface Webhook {
  readonly url: string;
  /** False where only this machine reaches it. */
  readonly opensAnywhere: boolean;
  readonly calledAt: Date | null;
}

/** One secret of a webhook: a later one has another moment. */
export interface SecretOf {
  readonly routineId: string;
  readonly renewedAt: Date;
}

export interface Webhooks {
  /** Undefined where a routine has none (yet). */
  get(db: Db, routineId: string): Promise<Webhook | undefined>;
  /** Makes a new secret, and at the first time the address; the secret before ends at once. Author and owner; undefined for others. */
  renew(unit: Unit, by: Person, routine: Routine): Promise<SecretOf | undefined>;
  /** The secret in clear, for the one page that shows it; undefined where there is a later one. */
  reveal(db: Db, secret: SecretOf): Promise<(Webhook & { readonly secret: string }) | undefined>;
  /** Takes a call: one run a delivery, whatever comes again, and several at the same time. */
  receive(db: Db, call: WebhookCall): Promise<WebhookAnswer>;
}

export interface WebhooksDeps {
  readonly routines: Pick<Routines, "startFromWebhook">;
  /** Where we are found from outside, without a slash at its end, and whether other machines reach it. */
  readonly address: () => { readonly base: string; readonly opensAnywhere: boolean };
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
}

export const webhookLimits = { clockMs: 5 * 60_000, perMinute: 30, bytes: 64 * 1024, receiptsKeptDays: 7 } as const;
const minuteMs = 60_000;

/** Whether somebody may see a webhook's address and make its secret: whose runs they are, and the owner. */
export function keepsSecret(person: Person, routine: Pick<Routine, "author">): boolean {
  if (person.role === "owner") return true;
  return routine.author?.id === person.id && allows(person.role, "member");
}

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { address, seal, clock } = deps;
  const shown = ({ id, calledAt }: store.WebhookRow): Webhook => {
    const { base, opensAnywhere } = address();
    return { url: `${base}/hooks/${id}`, opensAnywhere, calledAt };
  };
  return {
    async get(db, routineId) {
      const webhook = await store.findOf(db, routineId);
      return webhook && shown(webhook);
    },
    async renew({ db }, by, routine) {
      if (!keepsSecret(by, routine)) return undefined;
      const now = clock.now();
      // 256 bits, in characters that no shell minds.
      const secret = seal.close(`${newToken()}${newToken()}`);
      await store.saveSecret(db, { id: newToken(), routineId: routine.id, secret, now });
      const { id: target, teammateId } = routine;
      await audit(db, { personId: by.id, teammateId, action: "webhook_secret_made", target, now });
      return { routineId: routine.id, renewedAt: now };
    },
    async reveal(db, { routineId, renewedAt }) {
      const webhook = await store.findOf(db, routineId);
      if (webhook?.renewedAt.getTime() !== renewedAt.getTime()) return undefined;
      return { ...shown(webhook), secret: seal.open(webhook.secret) };
    },
    receive: (db, call) => receive(deps, db, call),
  };
}

/** Who has no secret is turned away before anything is locked or written. */
async function receive(deps: WebhooksDeps, db: Db, call: WebhookCall): Promise<WebhookAnswer> {
  const { clock, log } = deps;
  const webhook = await store.findOpen(db, call.id);
  if (webhook === undefined) return { kind: "unknown" };
  const secret = openSecret(deps, webhook);
  if (secret === undefined || !isSigned(secret, call)) return { kind: "unsigned" };
  const away = Math.abs(clock.now().getTime() - Number(call.timestamp) * 1000);
  if (away > webhookLimits.clockMs) return { kind: "out_of_time" };
  return inTransaction(db, log, (unit) => take(deps, unit, call, webhook.secret));
}

function openSecret({ seal, log }: WebhooksDeps, { secret, routineName, teammateName }: store.OpenWebhook) {
  try {
    return seal.open(secret);
  } catch (error) {
    // The data folder got another key: a new secret is all that helps.
    const about = { err: error, routine: routineName, teammate: teammateName };
    log.error(about, "the secret of a webhook cannot be read any more; it needs a new one");
    return undefined;
  }
}

async function take(deps: WebhooksDeps, unit: Unit, call: WebhookCall, secret: Buffer): Promise<WebhookAnswer> {
  const { clock } = deps;
  const { db } = unit;
  const webhook = await store.lockOpen(db, call.id);
  if (webhook === undefined) return { kind: "unknown" };
  // A new one was made since we looked.
  if (!webhook.secret.equals(secret)) return { kind: "unsigned" };
  if (await store.wasReceived(db, webhook.id, call.delivery)) return { kind: "already" };
  const now = clock.now();
  const since = new Date(now.getTime() - minuteMs);
  const earlier = await store.callBefore(db, webhook.id, { most: webhookLimits.perMinute, since, now });
  if (earlier !== undefined) {
    return { kind: "too_often", seconds: Math.ceil((earlier.getTime() + minuteMs - now.getTime()) / 1000) };
  }
  const content = readContent(call);
  if (content === null) return { kind: "unreadable" };
  const receipt = { webhookId: webhook.id, delivery: call.delivery, at: now };
  if (!letsThrough(webhook.filter, content)) {
    await store.addReceipt(db, { ...receipt, routineRunId: null });
    return { kind: "filtered" };
  }
  const started = await deps.routines.startFromWebhook(unit, webhook.routineId, { payload: content.text, at: now });
  if (started.kind !== "queued") return started;
  await store.addReceipt(db, { ...receipt, routineRunId: started.routineRunId });
  const { routineName: routine, teammateName: teammate } = webhook;
  unit.afterCommit(() => deps.log.info({ routine, teammate }, "a webhook started a routine"));
  return { kind: "accepted" };
}
