export interface Recent<T> {
  get(key: string): T | undefined;
  has(key: string): boolean;
  set(key: string, value: T): void;
}

/** A map that forgets all but the newest entries: for what costs no more than a needless call once it is forgotten. */
export function createRecent<T>(most: number): Recent<T> {
  const entries = new Map<string, T>();
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.keys().next();
      if (entries.size > most && !oldest.done) entries.delete(oldest.value);
    },
  };
}
