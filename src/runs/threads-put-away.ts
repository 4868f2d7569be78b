import type { RunDeps } from "./settings.ts";

/** A loaded thread costs Codex memory and keeps the thread's MCP servers running. */
const idleMs = 30 * 60_000;

/** Puts one thread away, if nobody needs it. Never rejects: it costs memory, nothing else. */
export async function putAway(
  deps: Pick<RunDeps, "threads" | "log">,
  threadId: string,
  isNeeded: () => boolean,
): Promise<void> {
  try {
    const gone = await deps.threads.release(threadId, isNeeded);
    if (gone) deps.log.debug({ threadId }, "an idle thread was put away");
  } catch (error) {
    deps.log.debug({ err: error, threadId }, "an idle thread stays loaded");
  }
}

/** Puts threads away that no run used for a while. To be called again and again; `isNeeded` says whether a run has a thread. */
export function createIdleWatch(
  deps: Pick<RunDeps, "threads" | "log" | "clock" | "connection">,
  isNeeded: (threadId: string) => boolean,
): () => void {
  /** Since when a loaded thread has been seen without a run. */
  const idleSince = new Map<string, number>();
  return () => {
    const now = deps.clock.now().getTime();
    const loaded = deps.connection.loadedThreads;
    for (const threadId of idleSince.keys()) if (!loaded.has(threadId)) idleSince.delete(threadId);
    for (const threadId of [...loaded]) {
      const since = idleSince.get(threadId);
      if (isNeeded(threadId)) idleSince.delete(threadId);
      else if (since === undefined) idleSince.set(threadId, now);
      else if (now - since >= idleMs) {
        // Asked once in a while: one that has to stay is looked at again after the same time.
        idleSince.delete(threadId);
        void putAway(deps, threadId, () => isNeeded(threadId));
      }
    }
  };
}
