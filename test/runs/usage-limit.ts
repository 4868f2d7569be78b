import { status } from "../fakes/model/index.ts";

/** A plan says when it resets in headers; the error itself only in words. */
export function usageLimit(resetsAt: Date) {
  const seconds = String(Math.floor(resetsAt.getTime() / 1000));
  const error = { type: "usage_limit_reached", message: "The usage limit has been reached", plan_type: "plus" };
  return status(
    429,
    { ...error, resets_at: Number(seconds) },
    {
      "x-codex-primary-used-percent": "100",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": seconds,
    },
  );
}
