import type { Person } from "../people/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import { newId } from "../shared/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import { after, difference, effectOf } from "./change.ts";
import * as store from "./memories.store.ts";
import type { Memory, Viewpoint } from "./memory.ts";
import { packetRows } from "./packet.store.ts";
import { type Asker, maySee } from "./rights.ts";
import { createStaging, type Outcome } from "./staging.ts";
import { termsOf } from "./terms.ts";
import { type Judged, judge, type Wish } from "./wish.ts";

/** What a turn is told of what is remembered. */
export interface MemoryPacket {
  /** Grows when something is corrected, forgotten or narrowed: a thread that was started with another one is not gone on with. */
  readonly generation: number;
  /** When it grew last, null when never: what was said before then may repeat what does not hold any more, and is not handed on. */
  readonly changedAt: Date | null;
  /** False until `importOnce`: an old memory file may still be read in. */
  readonly imported: boolean;
  /** Pinned ones first, then those that fit the request best; at most 4,000 characters in all. */
  readonly memories: readonly Memory[];
}

/** What a person's own change comes to. */
export type HandOutcome = Exclude<Judged, { readonly kind: "change" }>;

export interface Memories {
  /** Pinned memories, and those that match the text; all where there are only a few. One query. */
  packet(db: Db, view: Viewpoint, text: string): Promise<MemoryPacket>;
  generation(db: Db, teammateId: string): Promise<number>;
  /** What a turn wants: it counts once the turn completes. The same call again changes nothing and tells the same. */
  stage(unit: Unit, wanted: { readonly runId: string; readonly callId: string; readonly wish: Wish }): Promise<Outcome>;
  /** What a turn may see that has to do with the query, the best first; with what it wants itself. */
  search(db: Db, runId: string, query: string, limit: number): Promise<readonly Memory[]>;
  /** What a completed turn wanted to remember and forget counts from now on. In the transaction that ends its run. */
  commit(unit: Unit, runId: string, now: Date): Promise<void>;
  /** A turn that did not complete leaves nothing behind. */
  discard(unit: Unit, runId: string): Promise<void>;
  /** What somebody may see, pinned ones first, then the newest; `others` counts what is for other people alone. */
  list(db: Db, asker: Asker): Promise<{ readonly memories: readonly Memory[]; readonly others: number }>;
  /** Undefined where there is no such memory, or not for them. */
  find(db: Db, asker: Asker, id: string): Promise<Memory | undefined>;
  /** What a person's own change would come to. Changes nothing. */
  check(db: Db, asker: Asker, wish: Wish): Promise<HandOutcome>;
  /** A person's own change; at once. */
  change(unit: Unit, asker: Asker, wish: Wish): Promise<HandOutcome>;
  /** How many there are in all, for whomever. */
  count(db: Db, teammateId: string): Promise<number>;
  /** Forgets everything, also what running turns want to remember; gives how much it was. For managers and above: the caller checks. */
  forgetAll(unit: Unit, teammateId: string, by: Person): Promise<number>;
  /**
   * Takes over what stood in an old memory file, for everywhere; gives how many were new. Only the first call for a teammate
   * does anything: call it with none where there is no file, so that a turn cannot leave one behind for the next.
   */
  importOnce(unit: Unit, teammateId: string, texts: readonly string[], now: Date): Promise<number>;
}

const longestPacket = 4_000;

export function createMemories({ clock, log }: { readonly clock: Clock; readonly log: Log }): Memories {
  return {
    async packet(db, view, text) {
      const { memories, ...state } = await packetRows(db, view, termsOf(text));
      return { ...state, memories: fitting(memories) };
    },
    generation: store.generationOf,
    ...createStaging({ clock, log }),
    list,
    async find(db, asker, id) {
      const all = await store.allOf(db, asker.view.teammateId);
      return all.find((each) => each.id === id && maySee(each.scope, asker));
    },
    async check(db, asker, wish) {
      const before = await store.allOf(db, asker.view.teammateId);
      return outcomeOf(before, asker, wish, clock.now());
    },
    change: (unit, asker, wish) => changeByHand(unit, asker, wish, clock.now()),
    count: async (db, teammateId) => (await store.allOf(db, teammateId)).length,
    async forgetAll(unit, teammateId, by) {
      await store.hold(unit.db, teammateId);
      const count = await store.removeAll(unit.db, teammateId, clock.now());
      await audit(unit.db, { personId: by.id, teammateId, action: "memory_forget_all", data: { count } });
      return count;
    },
    importOnce,
  };
}

/** As many as there is room for, the first ones first. */
function fitting(memories: readonly Memory[]): readonly Memory[] {
  let length = 0;
  return memories.filter(({ text }) => {
    if (length + text.length > longestPacket) return false;
    length += text.length;
    return true;
  });
}

async function list(db: Db, asker: Asker) {
  const all = await store.allOf(db, asker.view.teammateId);
  const memories = all.filter(({ scope }) => maySee(scope, asker)).toReversed();
  const ordered = [...memories.filter(({ pinned }) => pinned), ...memories.filter(({ pinned }) => !pinned)];
  const others = asker.oversees ? all.length - memories.length : 0;
  return { memories: ordered, others };
}

function outcomeOf(before: readonly Memory[], asker: Asker, wish: Wish, now: Date): HandOutcome {
  const judged = judge(before, asker, wish);
  return judged.kind === "change" ? effectOf(before, asker.view.teammateId, judged.change, now) : judged;
}

async function changeByHand(unit: Unit, asker: Asker, wish: Wish, now: Date): Promise<HandOutcome> {
  const { teammateId } = asker.view;
  await store.hold(unit.db, teammateId);
  const before = await store.allOf(unit.db, teammateId);
  const outcome = outcomeOf(before, asker, wish, now);
  const origin = { origin: "manual", by: asker.person.id } as const;
  await store.write(unit.db, teammateId, difference(before, after(before, outcome)), origin, now);
  return outcome;
}

async function importOnce(unit: Unit, teammateId: string, texts: readonly string[], now: Date): Promise<number> {
  if (!(await store.markImported(unit.db, teammateId, now))) return 0;
  if (texts.length === 0) return 0;
  const before = await store.allOf(unit.db, teammateId);
  let known = before;
  for (const text of texts) {
    const change = { kind: "add", id: newId(), scope: { kind: "everywhere" }, text, pinned: false } as const;
    known = after(known, effectOf(known, teammateId, change, now));
  }
  const { added } = difference(before, known);
  const origin = { origin: "import", by: null } as const;
  await store.write(unit.db, teammateId, difference(before, known), origin, now);
  return added.length;
}
