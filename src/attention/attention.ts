import type { Form } from "../chat/index.ts";
import type { Person } from "../people/index.ts";
import { type Clock, type Log, newId } from "../shared/index.ts";
import { type Db, inTransaction, type Queues, type Unit } from "../storage/index.ts";
import { wordsFor } from "../words/index.ts";
import * as store from "./attention.store.ts";
import { mayDecide } from "./authority.ts";
import { endingOf } from "./card.ts";
import { summaryOf } from "./card-text.ts";
import { type CardDeps, type CardEnding, closeCards, closeStray, postCards, remind } from "./cards.ts";
import { redactDetails } from "./details.ts";
import { type Deliver, deliverDecision } from "./late-decision.ts";
import { noteForm, press } from "./press.ts";
import type { AttentionItem, NewAttention, OpenItem, PressedMessage, PressResult } from "./types.ts";

export interface AttentionDeps extends CardDeps {
  readonly queues: Pick<Queues, "add">;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Attention {
  /** Stores what waits and posts its card; high risk (or no requester): copies in the owners' direct messages. */
  open(unit: Unit, request: NewAttention): Promise<{ readonly id: string }>;
  get(db: Db, id: string): Promise<AttentionItem | null>;
  /** The item of a request that Codex sent before (again after a reconnect), whatever its status. */
  findByRequest(db: Db, runId: string, codexRequestId: string): Promise<AttentionItem | null>;
  /** What this person may decide, oldest first; with a place, only what was asked there. */
  listOpenFor(db: Db, person: Person, placeId?: string): Promise<readonly OpenItem[]>;
  /**
   * Carries out a decision, or says which action the inbox must carry out. The first press wins. Null: a stranger.
   * `pressed` is closed with the other copies, even when its receipt was lost; `note` is what was written into its form.
   */
  press(
    unit: Unit,
    token: string,
    person: Person | null,
    pressed?: PressedMessage,
    note?: string,
  ): Promise<PressResult>;
  /** The form that a button of a card opens; undefined where it opens none, or this person cannot decide (any more). */
  formFor(db: Db, token: string, person: Person): Promise<Form | undefined>;
  /** Where its card can be opened; undefined until it was sent, and where the platform has no links. */
  linkOf(db: Db, attentionId: string): Promise<string | undefined>;
  /** Takes the decision: true for the one caller that must now act on it. */
  settle(unit: Unit, attentionId: string): Promise<boolean>;
  /** The wait in the turn ended; the card stays. False when it was decided meanwhile: then the decision counts in the turn. */
  markLate(unit: Unit, attentionId: string): Promise<boolean>;
  /** The request was answered without us: the card is closed. */
  resolvedElsewhere(unit: Unit, attentionId: string): Promise<void>;
  /** The run is over: native requests are closed; our own tool's stay open for a late decision, unless a person stopped the run. */
  cancelRun(unit: Unit, runId: string, why: "turn_ended" | "stopped" | "restart"): Promise<void>;
  /** Turns a decision that no turn waits for into a delivery. False when a turn does, when somebody did before, or when nobody decided. */
  deliverLateDecision(unit: Unit, attentionId: string): Promise<boolean>;
  /** Reminds once, ends what expired, and announces again what was decided and not yet taken. */
  sweep(db: Db): Promise<void>;
}

const minute = 60_000;
const lifetimeMs = 24 * 60 * minute;
const remindAfterMs = 10 * minute;
/** A decision that nobody took for this long is announced again. */
const takenWithinMs = 15_000;

export function createAttention(deps: AttentionDeps): Attention {
  const { outbox, queues, clock, log, deliver } = deps;

  async function open(unit: Unit, request: NewAttention) {
    const id = newId();
    const now = clock.now();
    const details = redactDetails(request.details);
    const expiresAt = request.expiresAt ?? new Date(now.getTime() + lifetimeMs);
    const remindAt = new Date(now.getTime() + remindAfterMs);
    await store.insertItem(unit.db, { id, request, details, now, remindAt, expiresAt });
    const item = await store.getItem(unit.db, id);
    if (item === null) throw new Error("an attention item vanished while it was being stored");
    await postCards(unit, deps, item, request);
    return { id };
  }

  /** The worker that owns the run answers the turn; after the turn, the decision becomes a delivery. */
  function announce(unit: Unit, attentionId: string): void {
    unit.afterCommit(() =>
      queues.add("control", { kind: "decided", attentionId }, { dedupe: `decided:${attentionId}` }),
    );
  }

  const platformOf = (connectionId: string | undefined) =>
    connectionId === undefined ? undefined : deps.adapters.get(connectionId)?.platform;

  function decidedBy(item: store.StoredItem, by: Person, pressed: PressedMessage | undefined): CardEnding {
    const there = platformOf(pressed?.to.connectionId);
    return (words, card) => {
      const elsewhere = there === platformOf(card.connectionId) ? undefined : there;
      return endingOf(item, { timezone: by.timezone, elsewhere }, words);
    };
  }

  async function afterDecision(unit: Unit, item: store.StoredItem, ending: CardEnding): Promise<void> {
    await closeCards(unit, outbox, item, ending);
    if (item.late) await deliverDecision(unit, item, deliver, clock.now());
    else announce(unit, item.id);
  }

  /** Ends an open item without a person. */
  async function end(unit: Unit, id: string, ending: Ending): Promise<void> {
    const { status, settled } = ending;
    const choice = status;
    if (!(await store.close(unit.db, id, { status, choice, by: null, now: clock.now(), settled }))) return;
    const item = await store.getItem(unit.db, id);
    if (item === null) return;
    await closeCards(unit, outbox, item, (words) => words[ending.says]);
    if (!settled) announce(unit, id);
  }

  async function cancelRun(unit: Unit, runId: string, why: "turn_ended" | "stopped" | "restart"): Promise<void> {
    for (const item of await store.lockOfRun(unit.db, runId)) {
      const outlivesTurn = item.method === "request_approval" && why !== "stopped";
      if (item.status === "open") {
        if (outlivesTurn) await store.markLate(unit.db, item.id);
        else
          await end(unit, item.id, {
            status: "cancelled",
            says: why === "stopped" ? "stopped" : "noLongerNeeded",
            settled: true,
          });
      } else if (outlivesTurn) {
        // Decided in the moment the turn ended: the turn did not take it.
        await deliverDecision(unit, item, deliver, clock.now());
      } else {
        await store.settle(unit.db, item.id, clock.now());
      }
    }
  }

  /** While a turn may still take it, the decision is that turn's. A native request's ends with its turn. */
  async function deliverLateDecision(unit: Unit, attentionId: string): Promise<boolean> {
    const item = await store.getItem(unit.db, attentionId);
    if (item === null || item.status === "open" || isAwaited(item)) return false;
    if (item.method === "request_approval") return deliverDecision(unit, item, deliver, clock.now());
    await store.settle(unit.db, attentionId, clock.now());
    return false;
  }

  async function listOpenFor(db: Db, person: Person, placeId?: string): Promise<readonly OpenItem[]> {
    const items = (await store.openItems(db, clock.now(), placeId)).filter((item) => mayDecide(item, person));
    const words = wordsFor(person.locale).approval;
    return Promise.all(
      items.map(async (item) => ({
        id: item.id,
        teammateName: item.teammateName,
        summary: summaryOf(item.details, words),
        createdAt: item.createdAt,
        expiresAt: item.expiresAt,
        link: await linkOf(db, item.id),
      })),
    );
  }

  async function linkOf(db: Db, attentionId: string): Promise<string | undefined> {
    for (const { to, messageId } of await outbox.cardsOf(db, attentionId)) {
      const link = messageId === null ? undefined : deps.adapters.get(to.connectionId)?.link?.(to.address, messageId);
      if (link !== undefined) return link;
    }
    return undefined;
  }

  async function sweep(db: Db): Promise<void> {
    const now = clock.now();
    const each = async (ids: readonly string[], work: (unit: Unit, id: string) => Promise<unknown>) => {
      for (const id of ids) {
        try {
          await inTransaction(db, log, (unit) => work(unit, id));
        } catch (error) {
          log.warn(
            { err: error, attentionId: id },
            "something that waits for a person could not be looked after; the next sweep tries again",
          );
        }
      }
    };
    await each(await store.dueExpiries(db, now), expire);
    await each(await store.dueReminders(db, now), async (unit, id) => {
      if (!(await store.takeReminder(unit.db, id, now))) return;
      const item = await store.getItem(unit.db, id);
      if (item !== null) await remind(unit, outbox, item);
    });
    await each(await store.unsettledSince(db, new Date(now.getTime() - takenWithinMs)), settleOrAnnounce);
  }

  async function expire(unit: Unit, id: string): Promise<void> {
    const item = await store.getItem(unit.db, id);
    // While its turn lives, somebody has to tell the turn.
    if (item !== null) await end(unit, id, { status: "expired", says: "expired", settled: !isAwaited(item) });
  }

  async function settleOrAnnounce(unit: Unit, id: string): Promise<void> {
    const item = await store.getItem(unit.db, id);
    if (item === null || item.settledAt !== null) return;
    if (isAwaited(item)) announce(unit, id);
    else await deliverLateDecision(unit, id);
  }

  return {
    open,
    get: store.getItem,
    findByRequest: store.findByRequest,
    listOpenFor,
    linkOf,
    formFor: (db, token, person) => noteForm(db, token, person, clock.now()),
    press: (unit, token, person, pressed, note) => {
      const afterLatePress = async (each: Unit, item: store.StoredItem, by: Person) => {
        if (pressed !== undefined) await closeStray(each, outbox, item, pressed, decidedBy(item, by, undefined));
      };
      return press(unit, token, person, {
        now: clock.now(),
        note,
        afterDecision: async (each, item, by) => {
          await afterDecision(each, item, decidedBy(item, by, pressed));
          await afterLatePress(each, item, by);
        },
        afterLatePress,
      });
    },
    settle: (unit, id) => store.settle(unit.db, id, clock.now()),
    markLate: (unit, id) => store.markLate(unit.db, id),
    resolvedElsewhere: (unit, id) => end(unit, id, { status: "cancelled", says: "answeredElsewhere", settled: true }),
    cancelRun,
    deliverLateDecision,
    sweep,
  };
}

function isAwaited(item: store.StoredItem): boolean {
  return item.runIsLive && !item.late;
}

interface Ending {
  readonly status: "expired" | "cancelled";
  readonly says: "expired" | "stopped" | "noLongerNeeded" | "answeredElsewhere";
  readonly settled: boolean;
}
