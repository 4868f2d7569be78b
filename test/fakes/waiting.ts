export type Probe<T> = () => T | undefined | null | false;

/** Resolves with what the probe returns as soon as it is neither undefined, null nor false; looks at every change. */
export function waitUntil<T>(
  onChange: (listener: () => void) => () => void,
  probe: Probe<T>,
  timeoutMs = 15_000,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
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
    const unsubscribe = onChange(look);
    look();
  });
}
