import type { World } from "./world.ts";

type Probe<T> = () => T | undefined | null | false;

const patience = 15_000;

/** Waiting for what the probe finds, looked for at every change. */
export function waiting(world: World) {
  const waitFor = <T>(probe: Probe<T>, timeoutMs = patience): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const finish = (done: () => void) => {
        clearTimeout(timer);
        unsubscribe();
        done();
      };
      const look = () => {
        try {
          const found = probe();
          if (found !== undefined && found !== null && found !== false) finish(() => resolve(found));
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const timer = setTimeout(() => {
        finish(() => reject(new Error(`waited ${timeoutMs} ms in vain for: ${probe.toString()}`)));
      }, timeoutMs);
      const unsubscribe = world.onChange(look);
      look();
    });
  return { waitFor };
}
