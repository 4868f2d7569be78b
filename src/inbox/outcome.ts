/** Why an event came to nothing; `/why` puts each into words. */
export type DropReason =
  | "not_addressed"
  | "muted"
  | "aside"
  | "for_somebody_else"
  | "not_set_up"
  | "stranger"
  | "place_closed"
  | "not_allowed"
  | "bot"
  | "empty"
  | "stale"
  | "duplicate"
  | "unknown_command"
  | "too_many_waiting"
  | "away"
  | "wrong_code"
  | "too_many_codes"
  | "unknown_message"
  | "unchanged"
  | "merged_text"
  | "unknown_button"
  | "invalid"
  | "refused"
  | "nothing_to_stop"
  | "deleted"
  | "broken";

/** What became of an event: a delivery, something done or said at once, a part of an earlier message, or nothing. */
export type Outcome =
  | { readonly kind: "delivered"; readonly messageId: string }
  | { readonly kind: "merged"; readonly messageId: string }
  | { readonly kind: "handled" }
  | { readonly kind: "dropped"; readonly reason: DropReason };

export const handled: Outcome = { kind: "handled" };

export function dropped(reason: DropReason): Extract<Outcome, { kind: "dropped" }> {
  return { kind: "dropped", reason };
}
