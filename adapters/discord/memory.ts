/** Keeps the newest entries only. What is forgotten must cost no more than a needless call. */
export function createMemory<T>(most: number) {
  const entries = new Map<string, T>();
  return {
    get: (key: string): T | undefined => entries.get(key),
    has: (key: string): boolean => entries.has(key),
    delete: (key: string): void => void entries.delete(key),
    set: (key: string, value: T): void => {
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.keys().next();
      if (entries.size > most && !oldest.done) entries.delete(oldest.value);
    },
  };
}
