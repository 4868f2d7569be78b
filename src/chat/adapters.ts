import type { Adapter } from "./adapter.ts";

/** The adapters of this process, by connection. An adapter that has not signed in yet can already split posts. */
export interface Adapters {
  get(connectionId: string): Adapter | undefined;
}
