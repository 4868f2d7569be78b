import type { Db } from "../storage/index.ts";
import { buildHandoff, handoffLimit, lineText, newestWithin } from "./handoff.ts";
import { history } from "./history.store.ts";
import { clockText } from "./prompt-frame.ts";
import { homeOf } from "./routine-handoff.store.ts";
import type { RunContext } from "./run-context.store.ts";

const ownLines = 20;
const ownLimit = handoffLimit / 2;
const ownLead = "What earlier runs of this routine came to, each with its time:";
const homeLead = "What was said lately in the chat where the routine was made:";

export interface RoutineHandoffOf {
  readonly context: Pick<RunContext, "conversationId" | "teammate">;
  readonly timezone: string | undefined;
  /** When something remembered was last corrected or forgotten: what was said before stays behind. */
  readonly forgottenAt: Date | null;
  /** The messages the turn is about. */
  readonly without: readonly string[];
}

/**
 * What a run in a routine's lane is told of before: earlier runs in at most half of the room, and the newest lines of the chat where
 * the routine was made in what is left. Null where there is nothing.
 */
export async function buildRoutineHandoff(
  db: Db,
  { context, timezone, forgottenAt, without }: RoutineHandoffOf,
): Promise<string | null> {
  const { conversationId, teammate } = context;
  const [lines, home] = await Promise.all([
    history(db, conversationId, forgottenAt, without, ownLines),
    homeOf(db, conversationId),
  ]);
  const told = lines.toReversed().map((line) => `[${clockText(line.sentAt, timezone)}] ${lineText(line)}`);
  const own = section(ownLead, newestWithin(told, ownLimit - ownLead.length));
  const said =
    home === undefined
      ? null
      : await buildHandoff(db, {
          conversationId: home.conversationId,
          teammateName: teammate.name,
          since: later(home.resetAt, forgottenAt),
          without: [...without, ...home.reports],
          limit: handoffLimit - own.length - homeLead.length - 6,
        });
  const parts = [own, section(homeLead, said)].filter((part) => part !== "");
  return parts.length === 0 ? null : parts.join("\n\n");
}

function section(lead: string, text: string | null): string {
  return text === null ? "" : `${lead}\n\n${text}`;
}

function later(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a > b ? a : b;
}
