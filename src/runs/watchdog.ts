/** How long a run may take and be silent, all in milliseconds. */
export interface RunLimits {
  /** Without any event while nobody is asked. Codex retries an unreachable provider for ever. */
  readonly silenceMs: number;
  /** From start to end, waiting for people not counted. */
  readonly deadlineMs: number;
  /** How long a lost connection may take to come back. */
  readonly reconcileMs: number;
  /** How long an interrupt may take before the run is ended without Codex's word. */
  readonly interruptMs: number;
  /** How long a start waits for the earlier messages of a thread. */
  readonly historyMs: number;
  /** How often all this is looked at. */
  readonly checkMs: number;
}

export const defaultLimits: RunLimits = {
  silenceMs: 5 * 60_000,
  deadlineMs: 4 * 3_600_000,
  reconcileMs: 60_000,
  interruptMs: 15_000,
  historyMs: 5_000,
  checkMs: 1_000,
};

export interface Watched {
  readonly startedAt: Date;
  readonly lastEventAt: Date;
  /** Since when a person is asked; undefined while nobody is. */
  readonly waitingSince: Date | undefined;
  /** How long people were waited for before. */
  readonly waitedMs: number;
}

/** Why a run has to be ended now, if it has to. */
export function overdue(run: Watched, now: Date, limits: RunLimits): "silent" | "deadline" | undefined {
  if (run.waitingSince !== undefined) return undefined;
  if (now.getTime() - run.lastEventAt.getTime() >= limits.silenceMs) return "silent";
  if (now.getTime() - run.startedAt.getTime() - run.waitedMs >= limits.deadlineMs) return "deadline";
  return undefined;
}
