import { inTransaction } from "../storage/index.ts";
import { tell } from "./active-run.ts";
import type { RequestHost, Taken, Waiter, WaitingRoom } from "./requests.ts";

export interface ToolWait {
  readonly kind: Waiter["kind"];
  readonly attentionId: string;
  readonly ms: number;
  /** True where a message of the person's ends the wait: they may have answered in it. */
  readonly untilSpoken?: boolean | undefined;
  /** Aborts when nobody waits for the tool any more. */
  readonly signal: AbortSignal;
}

/** Waits for a person, inside a tool's call. Null once the time is over: then a later decision starts a new run. */
export async function waitInTool(host: RequestHost, room: WaitingRoom, wait: ToolWait): Promise<Taken | null> {
  const { attentionId } = wait;
  const woken = await wakened(host, room, wait);
  const taken =
    woken === "late" ? await late(host, attentionId) : woken === "spoken" ? await giveWay(host, attentionId) : woken;
  if (taken === null) return null;
  const { decision } = taken;
  if (decision.choice === "stop") host.stopChosen(decision);
  tell(host.run, { kind: "decided", at: host.deps.clock.now(), attentionId, choice: decision.choice });
  return taken;
}

async function wakened(host: RequestHost, room: WaitingRoom, wait: ToolWait): Promise<Taken | "late" | "spoken"> {
  const { attentionId, kind, ms, signal } = wait;
  return new Promise<Taken | "late" | "spoken">((resolve, reject) => {
    const timer = setTimeout(() => resolve("late"), ms);
    const aborted = () => {
      clearTimeout(timer);
      reject(new Error("nobody waits for this tool any more"));
    };
    const done = (taken: Taken | "spoken") => {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
      resolve(taken);
    };
    if (signal.aborted) return aborted();
    signal.addEventListener("abort", aborted, { once: true });
    const spoken = wait.untilSpoken ? { spoken: () => done("spoken") } : {};
    room.add(attentionId, { kind, decide: done, ...spoken });
    // It may have been decided between its card and this line, or while the line was down.
    take(host, attentionId).then((taken) => (taken === null ? undefined : done(taken)), reject);
  }).finally(() => room.remove(attentionId));
}

/** The wait is over: the card stays, unless the decision came in this very moment, or cannot come later. */
async function late(host: RequestHost, attentionId: string): Promise<Taken | null> {
  const { deps } = host;
  const isLate = await inTransaction(deps.db, deps.log, (unit) => deps.attention.markLate(unit, attentionId));
  return isLate ? null : take(host, attentionId);
}

/** Closes the card in favour of a message, unless it was decided in this very moment; what was answered so far counts. */
export async function giveWay(host: RequestHost, attentionId: string): Promise<Taken | null> {
  const { deps } = host;
  await inTransaction(deps.db, deps.log, (unit) => deps.attention.withdraw(unit, attentionId));
  return take(host, attentionId);
}

/** What was decided before, however that came to be known. */
async function take({ deps }: RequestHost, attentionId: string): Promise<Taken | null> {
  const item = await deps.attention.get(deps.db, attentionId);
  if (item === null || item.decision === null) return null;
  const secrets = await inTransaction(deps.db, deps.log, (unit) => deps.attention.take(unit, attentionId));
  return { decision: item.decision, secrets: secrets ?? {} };
}
