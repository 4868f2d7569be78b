import type { ErrorHandler } from "hono";
import type { Log } from "../shared/index.ts";
import { isPassing } from "../storage/index.ts";

/**
 * Answers what nobody expected: `away` where it will pass by itself. Only its kind is logged: the address is a secret, and the
 * database puts into an error what it was given.
 */
export function onBroken(
  log: Log,
  message: string,
  tell: (context: Parameters<ErrorHandler>[1], what: "away" | "broken") => Response,
): ErrorHandler {
  return (error, context) => {
    log.error({ reason: error.name, code: "code" in error ? error.code : undefined }, message);
    return tell(context, isPassing(error) ? "away" : "broken");
  };
}
