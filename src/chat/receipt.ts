/**
 * Why a platform did not take something.
 * `rate_limited` and `unavailable` were certainly not carried out and may be tried again;
 * `rejected` is permanent for this content; `gone` means the place or message no longer exists or is closed to us;
 * `refused` means our token or permissions do not suffice.
 */
export type SendErrorKind = "rate_limited" | "unavailable" | "rejected" | "gone" | "refused";

export interface SendError {
  readonly kind: SendErrorKind;
  /** Redacted, for the log and the owner. */
  readonly detail: string;
  /** Not before this many milliseconds from now (`rate_limited`). */
  readonly retryAfterMs?: number | undefined;
}

/** A send that certainly had no effect. */
export function failed(kind: SendErrorKind, detail: string, retryAfterMs?: number): Receipt {
  return { outcome: "failed", error: { kind, detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } };
}

/** A send that arrived. */
export function delivered(messageId: string): Receipt {
  return { outcome: "delivered", messageId };
}

/** The outcome of what goes before a send: whatever became of it, nothing was sent. */
export function nothingSent(receipt: Receipt): Receipt {
  return receipt.outcome === "unknown" ? failed("unavailable", receipt.detail) : receipt;
}

/** The outcome of a send: taken by the platform, certainly not taken, or unknown because the response was lost. */
export type Receipt =
  | { readonly outcome: "delivered"; readonly messageId: string }
  | { readonly outcome: "failed"; readonly error: SendError }
  | { readonly outcome: "unknown"; readonly detail: string };
