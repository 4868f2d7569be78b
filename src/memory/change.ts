import { covers, isSameText, type Memory, type MemoryScope, mostInPlace, mostMemories } from "./memory.ts";

/** What somebody wants to be otherwise. `revision` is the one they knew: a memory that was changed since stays as it is. */
export type Change =
  | {
      readonly kind: "add";
      readonly id: string;
      readonly scope: MemoryScope;
      readonly text: string;
      readonly pinned: boolean;
    }
  | {
      readonly kind: "correct";
      readonly id: string;
      readonly revision: number;
      readonly scope: MemoryScope;
      readonly text: string;
      readonly pinned: boolean;
    }
  | { readonly kind: "forget"; readonly id: string; readonly revision: number };

/** Why a change cannot be made: there is no such memory (any more), it was changed since, or there is no room. */
export type ChangeProblem = "unknown" | "changed" | "full" | "place_full";

/** What a change comes to. `known`: there is a memory that says it already. */
export type Effect =
  | { readonly kind: "added" | "changed" | "forgotten" | "known"; readonly memory: Memory }
  | { readonly kind: "refused"; readonly why: ChangeProblem; readonly memory?: Memory | undefined };

/** Judges one change by everything a teammate remembers. Pure. */
export function effectOf(known: readonly Memory[], teammateId: string, change: Change, now: Date): Effect {
  if (change.kind === "add") return addition(known, teammateId, change, now);
  const memory = known.find(({ id }) => id === change.id);
  if (!memory) return { kind: "refused", why: "unknown" };
  if (memory.revision !== change.revision) return { kind: "refused", why: "changed", memory };
  if (change.kind === "forget") return { kind: "forgotten", memory };
  const { text, scope, pinned } = change;
  // Two memories that say the same become one: the other stays.
  if (sayingTheSame(known, change)) return { kind: "forgotten", memory };
  const isNewHere = scope.kind === "place" && !covers(scope, memory.scope);
  if (isNewHere && isPlaceFull(known, scope)) return { kind: "refused", why: "place_full" };
  return { kind: "changed", memory: { ...memory, text, scope, pinned, revision: memory.revision + 1, updatedAt: now } };
}

function addition(
  known: readonly Memory[],
  teammateId: string,
  change: Extract<Change, { kind: "add" }>,
  now: Date,
): Effect {
  const same = sayingTheSame(known, change);
  if (same) return { kind: "known", memory: same };
  if (known.length >= mostMemories) return { kind: "refused", why: "full" };
  const { id, scope, text, pinned } = change;
  if (isPlaceFull(known, scope)) return { kind: "refused", why: "place_full" };
  return { kind: "added", memory: { id, teammateId, scope, text, pinned, revision: 1, updatedAt: now } };
}

/** Another memory with this text, for at least the same people. */
function sayingTheSame(
  known: readonly Memory[],
  { id, text, scope }: { readonly id: string; readonly text: string; readonly scope: MemoryScope },
): Memory | undefined {
  return known.find((each) => each.id !== id && isSameText(each.text, text) && covers(each.scope, scope));
}

function isPlaceFull(known: readonly Memory[], scope: MemoryScope): boolean {
  return scope.kind === "place" && known.filter((each) => covers(scope, each.scope)).length >= mostInPlace;
}

/** What is remembered once a change took effect. */
export function after(known: readonly Memory[], effect: Effect | { readonly kind: "refused" }): readonly Memory[] {
  switch (effect.kind) {
    case "added":
      return [...known, effect.memory];
    case "changed":
      return known.map((each) => (each.id === effect.memory.id ? effect.memory : each));
    case "forgotten":
      return known.filter(({ id }) => id !== effect.memory.id);
    case "known":
    case "refused":
      return known;
  }
}

/** How two states of what is remembered differ, as it has to be written down. */
export interface Difference {
  readonly added: readonly Memory[];
  readonly changed: readonly Memory[];
  readonly forgotten: readonly Memory[];
  /** True where something that a thread may know holds no more, or not for everybody it held for. */
  readonly outdates: boolean;
}

export function difference(before: readonly Memory[], now: readonly Memory[]): Difference {
  const [was, is] = [new Map(before.map((each) => [each.id, each])), new Set(now.map(({ id }) => id))];
  const changed = now.filter((each) => (was.get(each.id)?.revision ?? each.revision) !== each.revision);
  const forgotten = before.filter(({ id }) => !is.has(id));
  return {
    added: now.filter(({ id }) => !was.has(id)),
    changed,
    forgotten,
    outdates: forgotten.length > 0 || changed.some((each) => isOutdated(was.get(each.id), each)),
  };
}

function isOutdated(was: Memory | undefined, is: Memory): boolean {
  return was !== undefined && (was.text !== is.text || !covers(is.scope, was.scope));
}
