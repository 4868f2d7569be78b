import { z } from "zod";
import type { RateLimitSnapshot, RateLimitWindow } from "../codex/index.ts";

const windowShape = z.object({
  usedPercent: z.number(),
  windowMinutes: z.number().nullable(),
  resetsAt: z.coerce.date().nullable(),
});
const windowsShape = z.object({ primary: windowShape.nullable(), secondary: windowShape.nullable() });

/** How much of a plan's time window is used up. */
export type PlanWindow = z.infer<typeof windowShape>;
export type PlanWindows = z.infer<typeof windowsShape>;

export const noWindows: PlanWindows = { primary: null, secondary: null };
const full = 100;

/** As they are stored with an account. What cannot be read counts as unknown: it is told anew with the next answer. */
export function readWindows(stored: unknown): PlanWindows {
  return windowsShape.safeParse(stored).data ?? noWindows;
}

/** What was known with what Codex reports now: what a report leaves out is not taken back. */
export function mergeWindows(known: PlanWindows, { primary, secondary }: RateLimitSnapshot): PlanWindows {
  return {
    primary: primary === null ? known.primary : toWindow(primary),
    secondary: secondary === null ? known.secondary : toWindow(secondary),
  };
}

function toWindow({ usedPercent, windowDurationMins, resetsAt }: RateLimitWindow): PlanWindow {
  return {
    usedPercent,
    windowMinutes: windowDurationMins,
    resetsAt: resetsAt === null ? null : new Date(resetsAt * 1000),
  };
}

/** When what is used up can be used again; undefined where nothing says so. With both used up, the later one decides. */
export function fullUntil({ primary, secondary }: PlanWindows, now: Date): Date | undefined {
  const times = [primary, secondary].flatMap((window) =>
    window !== null && window.usedPercent >= full && window.resetsAt !== null ? [window.resetsAt] : [],
  );
  const latest = times.toSorted((one, other) => other.getTime() - one.getTime())[0];
  return latest !== undefined && latest > now ? latest : undefined;
}
