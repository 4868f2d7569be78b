import type { Adapters, Post } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Unit } from "../storage/index.ts";
import type { WebForms } from "../web-forms/index.ts";
import { wordsFor } from "../words/index.ts";
import type { StoredItem } from "./attention.store.ts";
import { shownText } from "./card.ts";
import { type CardChoice, cardButtons, offeredChoices } from "./card-choices.ts";
import { openQuestion } from "./question.ts";
import { isQuestion, issueQuestionTokens, type QuestionItem, questionControls } from "./question-buttons.ts";
import { issuePage } from "./secret-page.ts";
import { issueTokens } from "./tokens.ts";

export interface FaceDeps {
  readonly adapters: Adapters;
  readonly webForms: Pick<WebForms, "issue">;
}

/** Where a copy of a card is, and who reads it. */
export interface Seat {
  readonly to: Destination;
  readonly locale: string | null;
  /** The copy where it was asked: a part of its conversation. */
  readonly atHome: boolean;
  /** The one person there; null in a shared place, and where nobody is known. */
  readonly readerId: string | null;
}

export type Face = Pick<Post, "text" | "buttons" | "selects" | "links">;

/** Draws an open card for each of its copies; all that are drawn together carry the same tokens. */
export async function drawCard(unit: Unit, deps: FaceDeps, item: StoredItem): Promise<(seat: Seat) => Promise<Face>> {
  return isQuestion(item) ? drawQuestion(unit, deps, item) : drawApproval(unit, deps, item);
}

async function drawApproval(unit: Unit, { adapters }: FaceDeps, item: StoredItem) {
  const tokens = await issueTokens<CardChoice>(unit, {
    choices: offeredChoices(item)
      .flat()
      .map((choice) => ({ key: choice, action: "decide", payload: payloadOf(choice) })),
    attentionId: item.id,
    ...(item.runId === null ? {} : { runId: item.runId }),
    // The card tells when it ran out; its buttons must outlive it to say so.
  });
  return async ({ to, locale, atHome }: Seat): Promise<Face> => {
    const words = wordsFor(locale);
    const abilities = adapters.get(to.connectionId)?.capabilities;
    const limits = { label: abilities?.limits.buttonLabel ?? 40, forms: abilities?.forms ?? false };
    const { details } = item;
    return {
      text: shownText(item, words, { isCopy: !atHome, isOpen: true }),
      buttons: cardButtons(item, tokens, words, limits),
      ...(details.kind === "link" ? { links: [{ label: words.questions.buttons.page, url: details.url }] } : {}),
    };
  };
}

function payloadOf(choice: CardChoice): object {
  return choice === "deny_with_note" ? { choice: "deny", asksNote: true } : { choice };
}

async function drawQuestion(unit: Unit, { adapters, webForms }: FaceDeps, item: QuestionItem) {
  const tokens = await issueQuestionTokens(unit, item);
  const question = openQuestion(item.details.questions, item.answers);
  return async ({ to, locale, atHome, readerId }: Seat): Promise<Face> => {
    const words = wordsFor(locale);
    const page =
      question?.secret && readerId !== null ? await issuePage(unit, webForms, item, question, readerId, words) : null;
    const label = adapters.get(to.connectionId)?.capabilities.limits.buttonLabel ?? 40;
    const text = shownText(item, words, { isCopy: !atHome, isOpen: true });
    return {
      text: page === null || page.opensAnywhere ? text : `${text}\n\n${words.questions.onlyOnMachine}`,
      ...questionControls(item, tokens, words.questions, { label, linked: page !== null }),
      ...(page === null ? {} : { links: [{ label: words.questions.buttons.page, url: page.url }] }),
    };
  };
}
