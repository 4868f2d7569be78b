import type { AdapterDeps } from "../../src/chat/index.ts";

/** What an adapter is made with, where a test does not care: it remembers nothing and knows no place. */
export function adapterDeps(more: Partial<AdapterDeps> = {}): AdapterDeps {
  return {
    state: { load: async () => undefined, save: async () => undefined },
    commands: [],
    onState: () => undefined,
    known: async () => [],
    form: async () => undefined,
    complete: async () => [],
    mayAsk: async () => true,
    ...more,
  };
}
