import type { Db, Unit } from "../storage/index.ts";

/** For whom something remembered is there: everywhere, in one place, or for one person in direct messages. */
export type MemoryScope =
  | { readonly kind: "everywhere" }
  | { readonly kind: "place"; readonly placeId: string }
  | { readonly kind: "person"; readonly personId: string };

/** One fact a teammate keeps: at most 500 characters. Text from outside for every model that reads it. */
export interface Memory {
  readonly id: string;
  readonly teammateId: string;
  readonly scope: MemoryScope;
  readonly text: string;
  /** In every packet, whatever is asked. */
  readonly pinned: boolean;
  readonly revision: number;
  readonly updatedAt: Date;
}

/** Where somebody looks from: decides which memories there are for them. */
export interface Viewpoint {
  readonly teammateId: string;
  readonly placeId: string;
  /** The one person of a direct message; null in a shared place. */
  readonly personId: string | null;
}

/** What a turn is told of what is remembered. */
export interface MemoryPacket {
  /** Grows when something is corrected or deleted: a thread that was started with another one is not gone on with. */
  readonly generation: number;
  /** Pinned ones first, then those that fit the request best. */
  readonly memories: readonly Memory[];
}

export interface Memories {
  /** Pinned memories, and those that match the text. */
  packet(db: Db, view: Viewpoint, text: string): Promise<MemoryPacket>;
  generation(db: Db, teammateId: string): Promise<number>;
  /** What a completed turn wanted to remember and forget counts from now on. In the transaction that ends its run. */
  commit(unit: Unit, runId: string, now: Date): Promise<void>;
  /** A turn that did not complete leaves nothing behind. */
  discard(unit: Unit, runId: string): Promise<void>;
}

export function createMemories(): Memories {
  return {
    packet: async () => ({ generation: 1, memories: [] }),
    generation: async () => 1,
    commit: async () => {},
    discard: async () => {},
  };
}
