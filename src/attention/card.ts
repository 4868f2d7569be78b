import type { Post } from "../chat/index.ts";
import type { Words } from "../words/index.ts";
import { offeredPrefix } from "./card-choices.ts";
import { cardText, copyText } from "./card-text.ts";
import { plain, strong } from "./markup.ts";
import { timeOfDay } from "./time.ts";
import type { AttentionItem } from "./types.ts";

type ApprovalWords = Words["approval"];

/** A closed card: the same text, no buttons, and how it ended. */
export function closedCard(item: AttentionItem, ending: string, words: ApprovalWords, isCopy = false): Post {
  const text = isCopy ? copyText(item, words) : cardText(item, words);
  return { text: `${text}\n\n${strong(ending)}`, notify: false };
}

export interface Reader {
  /** Of who decided. */
  readonly timezone: string | null;
  /** The platform on which it was decided, where that is not the card's own. */
  readonly elsewhere: string | undefined;
}

/** How a decision reads on the card. */
export function endingOf(item: AttentionItem, { timezone, elsewhere }: Reader, words: ApprovalWords): string {
  const { decision } = item;
  if (decision === null) return words.noLongerNeeded;
  const time = timeOfDay(item.decidedAt ?? item.createdAt, timezone);
  const name = plain(decision.by?.name ?? "");
  if (elsewhere !== undefined && decision.choice !== "expired" && decision.choice !== "cancelled") {
    return words.answeredIn(elsewhere, name, time, words.verdicts[decision.choice]);
  }
  switch (decision.choice) {
    case "approve":
      return words.approvedBy(name, time);
    case "approve_session":
      return words.approvedForTaskBy(name, time);
    case "always":
      return words.approvedAlwaysBy(name, time, plain(offeredPrefix(item.details) ?? ""));
    case "deny":
      return words.deniedBy(name, time);
    case "stop":
      return words.stoppedBy(name, time);
    case "expired":
      return words.expired;
    case "cancelled":
      return words.noLongerNeeded;
  }
}
