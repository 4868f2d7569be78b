import type { Post } from "../chat/index.ts";
import type { Words } from "../words/index.ts";
import { offeredRule } from "./card-choices.ts";
import { cardText } from "./card-text.ts";
import { paragraphs, plain, strong } from "./markup.ts";
import { answeredEnding, questionText } from "./question-text.ts";
import { timeOfDay } from "./time.ts";
import type { AttentionItem, Choice } from "./types.ts";

type Shown = Pick<AttentionItem, "teammateName" | "details" | "answers" | "requesterName">;

/** The text of a card. Where others decide than where it was asked, they see for whom. */
export function shownText(
  item: Shown,
  words: Words,
  as: { readonly isCopy: boolean; readonly isOpen: boolean },
): string {
  const { details, requesterName } = item;
  const text =
    details.kind === "question"
      ? questionText({ ...item, details }, words, as.isOpen)
      : cardText({ ...item, details }, words);
  return as.isCopy && requesterName !== null ? paragraphs(text, words.approval.askedFor(plain(requesterName))) : text;
}

/** A closed card: the same text, no buttons, and how it ended. */
export function closedCard(item: Shown, ending: string, words: Words, isCopy = false): Post {
  const text = shownText(item, words, { isCopy, isOpen: false });
  return { text: paragraphs(text, strong(ending)), notify: false };
}

export interface Reader {
  /** Of who decided. */
  readonly timezone: string | null;
  /** The platform on which it was decided, where that is not the card's own. */
  readonly elsewhere: string | undefined;
}

/** How a decision reads on the card. */
export function endingOf(item: AttentionItem, { timezone, elsewhere }: Reader, { approval, questions }: Words): string {
  const { decision, details } = item;
  if (decision === null) return approval.noLongerNeeded;
  const time = timeOfDay(item.decidedAt ?? item.createdAt, timezone);
  const name = plain(decision.by?.name ?? "");
  if (elsewhere !== undefined && decision.choice !== "expired" && decision.choice !== "cancelled") {
    return approval.answeredIn(elsewhere, name, time, verdictOf(item, decision.choice, { approval, questions }));
  }
  switch (decision.choice) {
    case "approve":
      return details.kind === "link" ? questions.openedBy(name, time) : approval.approvedBy(name, time);
    case "approve_session":
      return approval.approvedForTaskBy(name, time);
    case "always":
      return approval.approvedAlwaysBy(name, time, plain(offeredRule(details) ?? ""));
    case "deny":
      return declines(item) ? questions.declinedBy(name, time) : approval.deniedBy(name, time);
    case "stop":
      return approval.stoppedBy(name, time);
    case "answer":
      return details.kind === "question"
        ? answeredEnding({ ...item, details }, name, questions)
        : questions.answeredBy(name);
    case "skip":
      return questions.skippedBy(name);
    case "expired":
      return approval.expired;
    case "cancelled":
      return approval.noLongerNeeded;
  }
}

/** What a connected tool asks for is declined; what a teammate wants to do is denied. */
function declines({ method }: Pick<AttentionItem, "method">): boolean {
  return method === "elicitation";
}

function verdictOf(
  item: AttentionItem,
  choice: Exclude<Choice, "expired" | "cancelled">,
  { approval, questions }: Pick<Words, "approval" | "questions">,
): string {
  if (choice === "answer" || choice === "skip") return questions.verdicts[choice];
  if (choice === "approve" && item.details.kind === "link") return questions.verdicts.done;
  return choice === "deny" && declines(item) ? questions.verdicts.declined : approval.verdicts[choice];
}
