import type { Update } from "@grammyjs/types";
import { ApiFailure } from "./failure.ts";
import type { Fields } from "./sending.ts";
import type { World } from "./world.ts";

export interface Polling {
  getUpdates(fields: Fields, disconnected: AbortSignal): Promise<readonly Update[]>;
  /** Ends a waiting poll, as a closing server does. */
  close(): void;
}

/** `getUpdates`: an offset confirms everything before it, one poller at a time, the first one gets the conflict. */
export function createPolling(world: World): Polling {
  let waiting: { readonly end: (error: Error) => void } | undefined;
  const ready = (offset: number, limit: number) =>
    world.updates.filter((update) => update.update_id >= offset).slice(0, limit);
  const confirm = (offset: number) => {
    const kept = world.updates.filter((update) => update.update_id >= offset);
    if (kept.length === world.updates.length) return;
    world.updates.splice(0, world.updates.length, ...kept);
    world.changed();
  };
  return {
    close: () => waiting?.end(new ApiFailure(502, "Bad Gateway")),
    getUpdates: async (fields, disconnected) => {
      const asked = Number(fields.offset ?? 0);
      const offset = asked < 0 ? (world.updates.at(asked)?.update_id ?? 0) : asked;
      if (offset > 0) confirm(offset);
      if (Array.isArray(fields.allowed_updates)) world.allowedUpdates = fields.allowed_updates as string[];
      waiting?.end(
        new ApiFailure(
          409,
          "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        ),
      );
      const limit = Math.min(100, Math.max(1, Number(fields.limit ?? 100)));
      const now = ready(offset, limit);
      const seconds = Number(fields.timeout ?? 0);
      if (now.length > 0 || seconds === 0) return now;
      return await new Promise<readonly Update[]>((resolve, reject) => {
        const settle = (done: () => void) => {
          clearTimeout(timer);
          unsubscribe();
          disconnected.removeEventListener("abort", give);
          if (waiting === self) waiting = undefined;
          done();
        };
        const give = () => settle(() => resolve(disconnected.aborted ? [] : ready(offset, limit)));
        const timer = setTimeout(give, seconds * 1000);
        const unsubscribe = world.onChange(() => {
          if (ready(offset, limit).length > 0) give();
        });
        const self = { end: (error: Error) => settle(() => reject(error)) };
        waiting = self;
        disconnected.addEventListener("abort", give);
      });
    },
  };
}
