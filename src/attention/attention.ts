import type { Form } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { People, Person } from "../people/index.ts";
import { hashToken, type Seal } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import type { FilledForm, IssuedForm, WebFormHandler } from "../web-forms/index.ts";
import { wordsFor } from "../words/index.ts";
import * as store from "./attention.store.ts";
import { mayAnswer, mayDecide } from "./authority.ts";
import { endingOf } from "./card.ts";
import { summaryOf } from "./card-text.ts";
import { type CardEnding, closeStray, redrawCards } from "./cards.ts";
import { createLifecycle, type Lifecycle, type LifecycleDeps } from "./lifecycle.ts";
import { formBehind, type PressContext, press } from "./press.ts";
import { questionOfMessage } from "./question.store.ts";
import { openQuestion } from "./question.ts";
import { isQuestion } from "./question-buttons.ts";
import { takeReply } from "./question-press.ts";
import { issuePage, pageHandler } from "./secret-page.ts";
import { type Secrets, takeSecrets } from "./secrets.ts";
import type { AttentionItem, NewAttention, OpenItem, PressedMessage, PressResult } from "./types.ts";

export interface AttentionDeps extends LifecycleDeps {
  readonly people: Pick<People, "owners" | "dmOf" | "get">;
  readonly seal: Seal;
}

export interface Attention {
  /** Stores what waits and posts its card; high risk (or no requester): copies in the owners' direct messages. */
  open(unit: Unit, request: NewAttention): Promise<{ readonly id: string }>;
  get(db: Db, id: string): Promise<AttentionItem | null>;
  /** The item of a request that Codex sent before (again after a reconnect), whatever its status. */
  findByRequest(db: Db, runId: string, codexRequestId: string): Promise<AttentionItem | null>;
  /** What this person may decide or answer, oldest first; with a place, only what was asked there. */
  listOpenFor(db: Db, person: Person, placeId?: string): Promise<readonly OpenItem[]>;
  /**
   * Carries out a decision or an answer, or says which action the inbox must carry out. The first press wins. Null: a stranger.
   * `pressed` is closed with the other copies, even when its receipt was lost; `note` is what was written into its form.
   */
  press(
    unit: Unit,
    token: string,
    person: Person | null,
    pressed?: PressedMessage,
    note?: string,
  ): Promise<PressResult>;
  /** The same by the token's hash, for a form that is a message to reply to. */
  fill(unit: Unit, hash: string, person: Person, text: string): Promise<PressResult>;
  /** Takes a reply to a card as the answer to its open question. Null where it is none, or not of somebody who may answer. */
  reply(unit: Unit, to: RepliedTo, person: Person, text: string): Promise<PressResult | null>;
  /** The form that a button of a card opens; undefined where it opens none, or this person cannot decide (any more). */
  formFor(db: Db, token: string, person: Person): Promise<Form | undefined>;
  /** A page for an answer that must not stand in a chat, for this person; null once nothing waits for it. */
  secretPage(unit: Unit, attentionId: string, questionId: string, person: Person): Promise<IssuedForm | null>;
  /** Takes what was written into such a page. */
  readonly takePage: WebFormHandler;
  /** Where its card can be opened; undefined until it was sent, and where the platform has no links. */
  linkOf(db: Db, attentionId: string): Promise<string | undefined>;
  /** Takes the decision, with the answers that stand nowhere else. Null for everybody but the one caller that must now act on it. */
  take(unit: Unit, attentionId: string): Promise<Secrets | null>;
  /**
   * The wait in the turn ended; the card stays. False when it was decided meanwhile, or cannot be decided later and has expired:
   * then the decision counts in the turn.
   */
  markLate(unit: Unit, attentionId: string): Promise<boolean>;
  /** The request was answered without us: the card is closed. */
  resolvedElsewhere(unit: Unit, attentionId: string): Promise<void>;
  /** A message came instead of an answer, and the turn goes on with it: the card is closed. Nothing where it was answered before. */
  withdraw(unit: Unit, attentionId: string): Promise<void>;
  /** The run is over: native requests are closed; our own tools' stay open for a late decision, unless a person stopped the run. */
  cancelRun(unit: Unit, runId: string, why: "turn_ended" | "stopped" | "restart"): Promise<void>;
  /** Turns a decision that no turn waits for into a delivery. False when a turn does, when somebody did before, or when nobody decided. */
  deliverLateDecision(unit: Unit, attentionId: string): Promise<boolean>;
  /** Reminds once, ends what expired, and announces again what was decided and not yet taken. */
  sweep(db: Db): Promise<void>;
}

/** A message of ours that somebody replied to. */
export interface RepliedTo extends Pick<Destination, "connectionId"> {
  readonly channel: string;
  readonly messageId: string;
}

export function createAttention(deps: AttentionDeps): Attention {
  const { outbox, clock, seal } = deps;
  const lifecycle = createLifecycle(deps);
  const context = (pressed?: PressedMessage, note?: string) => pressContext(deps, lifecycle, pressed, note);

  async function listOpenFor(db: Db, person: Person, placeId?: string): Promise<readonly OpenItem[]> {
    const mayAct = (item: store.StoredItem) => (isQuestion(item) ? mayAnswer(item, person) : mayDecide(item, person));
    const items = (await store.openItems(db, clock.now(), placeId)).filter(mayAct);
    const words = wordsFor(person.locale).approval;
    return Promise.all(
      items.map(async (item) => ({
        id: item.id,
        teammateName: item.teammateName,
        summary: summaryOf(item, words),
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

  async function reply(unit: Unit, to: RepliedTo, person: Person, text: string): Promise<PressResult | null> {
    const attentionId = await questionOfMessage(unit.db, to);
    if (attentionId === undefined) return null;
    return takeReply(unit, { ...context(), attentionId, person, words: wordsFor(person.locale) }, text);
  }

  async function secretPage(unit: Unit, attentionId: string, questionId: string, person: Person) {
    const item = await store.getItem(unit.db, attentionId);
    if (item === null || !isQuestion(item) || item.status !== "open" || !mayAnswer(item, person)) return null;
    const question = openQuestion(item.details.questions, item.answers);
    if (question?.id !== questionId || !question.secret) return null;
    return issuePage(unit, deps.webForms, item, question, person.id, wordsFor(person.locale));
  }

  return {
    ...lifecycle,
    get: store.getItem,
    findByRequest: store.findByRequest,
    listOpenFor,
    linkOf,
    reply,
    secretPage,
    formFor: (db, token, person) => formBehind(db, token, person, clock.now()),
    press: (unit, token, person, pressed, note) => press(unit, hashToken(token), person, context(pressed, note)),
    fill: (unit, hash, person, text) => press(unit, hash, person, context(undefined, text)),
    takePage: (unit: Unit, filled: FilledForm) =>
      pageHandler(unit, { people: deps.people, seal, answering: context() }, filled),
    take: (unit, id) => takeSecrets(unit, seal, id, clock.now()),
  };
}

/** What follows a press: the other copies of the card, and whoever waits. */
function pressContext(
  deps: AttentionDeps,
  lifecycle: Lifecycle,
  pressed: PressedMessage | undefined,
  note: string | undefined,
): PressContext {
  const { outbox, adapters } = deps;
  const platformOf = (connectionId: string | undefined) =>
    connectionId === undefined ? undefined : adapters.get(connectionId)?.platform;
  const decidedBy = (item: store.StoredItem, by: Person, on: PressedMessage | undefined): CardEnding => {
    const there = platformOf(on?.to.connectionId);
    return (words, card) => {
      const elsewhere = there === platformOf(card.connectionId) ? undefined : there;
      return endingOf(item, { timezone: by.timezone, elsewhere }, words);
    };
  };
  const afterLatePress = async (unit: Unit, item: store.StoredItem, by: Person) => {
    if (pressed !== undefined) await closeStray(unit, outbox, item, pressed, decidedBy(item, by, undefined));
  };
  return {
    now: deps.clock.now(),
    note,
    afterStep: (unit, item) => redrawCards(unit, deps, item),
    afterDecision: async (unit, item, by) => {
      await lifecycle.afterDecision(unit, item, decidedBy(item, by, pressed));
      await afterLatePress(unit, item, by);
    },
    afterLatePress,
  };
}
