import { setTimeout as delay } from "node:timers/promises";

interface Waiting {
  /** Jobs of one lane run in this order; those that are equal in the order they came. */
  readonly order: number;
  /** From when on it may run. */
  readonly ripe: number;
  run(): Promise<void>;
}

/**
 * Runs jobs of one lane one after another and lanes beside each other. Slack spreads what is said over both sockets, so
 * that the second message may be read before the first: a job with an order waits `settleMs` for those before it.
 * A job that fails does not stop its lane.
 */
export function createLanes(settleMs: number, now: () => number = () => performance.now()) {
  const lanes = new Map<string, { readonly waiting: Waiting[]; done: Promise<void> }>();

  return {
    /** Without an order a job goes before all that wait for theirs. */
    run: <T>(name: string, job: () => Promise<T>, order?: number): Promise<T> => {
      const result = Promise.withResolvers<T>();
      const entry: Waiting = {
        order: order ?? Number.NEGATIVE_INFINITY,
        ripe: order === undefined ? 0 : now() + settleMs,
        run: () => job().then(result.resolve, result.reject),
      };
      const lane = lanes.get(name);
      if (lane) insert(lane.waiting, entry);
      else open(name, entry);
      return result.promise;
    },
    /** Resolves once everything that runs or waits now is done. */
    settled: async (): Promise<void> => {
      await Promise.all([...lanes.values()].map(({ done }) => done));
    },
  };

  function open(name: string, first: Waiting): void {
    const waiting = [first];
    // The lane is there before its first job runs.
    const done = Promise.resolve().then(async () => {
      for (;;) {
        const next = waiting[0];
        if (next === undefined) break;
        const early = next.ripe - now();
        if (early > 0) {
          await delay(early);
          continue;
        }
        waiting.shift();
        await next.run();
      }
      lanes.delete(name);
    });
    lanes.set(name, { waiting, done });
  }
}

function insert(waiting: Waiting[], entry: Waiting): void {
  const index = waiting.findLastIndex(({ order }) => order <= entry.order) + 1;
  waiting.splice(index, 0, entry);
}
