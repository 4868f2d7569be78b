import type { Clock, Log } from "../shared/index.ts";
import type { Db, Unit } from "../storage/index.ts";
import { after, difference, type Effect, effectOf } from "./change.ts";
import { allOf, hold, write } from "./memories.store.ts";
import { isVisible, type Memory, type TextProblem, type Viewpoint } from "./memory.ts";
import { rankTexts } from "./packet.store.ts";
import {
  findCaller,
  insertPending,
  type Pending,
  pendingOf,
  requesterOf,
  type TurnCaller,
  takePending,
} from "./pending.store.ts";
import type { Asker } from "./rights.ts";
import { termsOf } from "./terms.ts";
import { judge, type Wish } from "./wish.ts";

/** What became of a wish. `over`: its turn has ended. `nobody`: no person of the team asked for the turn. `cleared`: everything was forgotten since. */
export type Outcome =
  | Effect
  | {
      readonly kind: "refused";
      readonly why: TextProblem | "not_allowed" | "over" | "nobody" | "cleared";
      readonly memory?: Memory | undefined;
    };

/** Everything a teammate remembers as one of its turns sees it. */
interface TurnView {
  readonly known: readonly Memory[];
  /** What each call came to. */
  readonly effects: ReadonlyMap<string, Effect>;
}

/** What was wanted in an earlier epoch, before everything was forgotten, counts no more. */
function replay(
  before: readonly Memory[],
  pending: readonly Pending[],
  { teammateId, epoch, now }: { readonly teammateId: string; readonly epoch: number; readonly now: Date },
): TurnView {
  const effects = new Map<string, Effect>();
  let known = before;
  for (const { callId, change } of pending.filter((each) => each.epoch === epoch)) {
    const effect = effectOf(known, teammateId, change, now);
    effects.set(callId, effect);
    known = after(known, effect);
  }
  return { known, effects };
}

function viewOf({ teammateId, placeId, isPrivate, requester }: TurnCaller): Viewpoint {
  return { teammateId, placeId, personId: isPrivate ? (requester?.id ?? null) : null };
}

interface StagingDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What turns want to remember and forget. It counts once the turn completes; until then the turn alone sees it. Where no
 * person of the team asked (a stranger in a place that is open to everyone), nothing is remembered at all.
 */
export function createStaging({ clock, log }: StagingDeps) {
  return {
    async stage(
      unit: Unit,
      wanted: { readonly runId: string; readonly callId: string; readonly wish: Wish },
    ): Promise<Outcome> {
      const { db } = unit;
      const { runId, callId, wish } = wanted;
      const caller = await findCaller(db, runId, { hold: true });
      if (!caller) return { kind: "refused", why: "over" };
      const { teammateId, requester } = caller;
      if (requester === null) return { kind: "refused", why: "nobody" };
      const [state, before] = [await hold(db, teammateId), await allOf(db, teammateId)];
      const epoch = state?.epoch ?? 0;
      const pending = await pendingOf(db, runId);
      const { known, effects } = replay(before, pending, { teammateId, epoch, now: clock.now() });
      const earlier = effects.get(callId);
      if (earlier) return earlier;
      if (pending.some((each) => each.callId === callId)) return { kind: "refused", why: "cleared" };
      const asker: Asker = { person: requester, view: viewOf(caller), oversees: false };
      const judged = judge(known, asker, wish);
      if (judged.kind !== "change") return judged;
      const effect = effectOf(known, teammateId, judged.change, clock.now());
      if (effect.kind !== "known" && effect.kind !== "refused") {
        await insertPending(db, { runId, callId, teammateId, epoch, change: judged.change, at: clock.now() });
      }
      return effect;
    },

    /** What a turn may see that has to do with the query, the best first; with its own wishes. */
    async search(db: Db, runId: string, query: string, limit: number): Promise<readonly Memory[]> {
      const caller = await findCaller(db, runId, { hold: false });
      if (!caller) return [];
      const { teammateId, epoch } = caller;
      const [before, pending] = await Promise.all([allOf(db, teammateId), pendingOf(db, runId)]);
      const view = viewOf(caller);
      const { known } = replay(before, pending, { teammateId, epoch, now: clock.now() });
      const seen = known.filter(({ scope }) => isVisible(scope, view));
      const terms = termsOf(query);
      if (terms.length === 0) return seen.toReversed().slice(0, limit);
      const byId = new Map(seen.map((each) => [each.id, each]));
      const ids = await rankTexts(db, seen, terms);
      return ids.flatMap((id) => byId.get(id) ?? []).slice(0, limit);
    },

    async commit(unit: Unit, runId: string, now: Date): Promise<void> {
      const pending = await takePending(unit.db, runId);
      const [first] = pending;
      if (!first) return;
      const { teammateId } = first;
      const epoch = (await hold(unit.db, teammateId))?.epoch ?? 0;
      const before = await allOf(unit.db, teammateId);
      const { known, effects } = replay(before, pending, { teammateId, epoch, now });
      const dropped = [...effects.values()].flatMap((effect) => (effect.kind === "refused" ? [effect.why] : []));
      const cleared = pending.length - effects.size;
      if (cleared + dropped.length > 0)
        log.info({ runId, cleared, dropped }, "not all that a turn wanted to remember fits any more");
      const by = await requesterOf(unit.db, runId);
      await write(unit.db, teammateId, difference(before, known), { origin: "turn", runId, by }, now);
    },

    async discard(unit: Unit, runId: string): Promise<void> {
      await takePending(unit.db, runId);
    },
  };
}
