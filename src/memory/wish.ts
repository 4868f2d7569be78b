import { newId } from "../shared/index.ts";
import type { Change, Effect } from "./change.ts";
import { covers, isSameText, keptText, type Memory, type MemoryScope, scopeHere, type TextProblem } from "./memory.ts";
import { type Asker, mayChange, maySee } from "./rights.ts";

/** What somebody says should be remembered or forgotten. */
export type Wish =
  | {
      readonly kind: "remember";
      readonly text: string;
      /** The one it corrects. */
      readonly memoryId?: string | undefined;
      readonly expectedRevision?: number | undefined;
      readonly pinned?: boolean | undefined;
      /** "here": this place, or the one person of a direct message. A memory that is corrected keeps its own. */
      readonly audience?: "here" | "everyone" | undefined;
    }
  | { readonly kind: "forget"; readonly memoryId: string; readonly expectedRevision?: number | undefined };

/** A wish as a change, or how it ends before it becomes one. */
export type Judged =
  | { readonly kind: "change"; readonly change: Change }
  | Effect
  | { readonly kind: "refused"; readonly why: TextProblem | "not_allowed"; readonly memory?: Memory | undefined };

export function judge(known: readonly Memory[], asker: Asker, wish: Wish): Judged {
  const about = known.find(({ id }) => id === wish.memoryId);
  if (wish.memoryId !== undefined && (!about || !maySee(about.scope, asker)))
    return { kind: "refused", why: "unknown" };
  if (about && !mayChange(about.scope, asker)) return { kind: "refused", why: "not_allowed", memory: about };
  if (about && (wish.expectedRevision ?? about.revision) !== about.revision) {
    return { kind: "refused", why: "changed", memory: about };
  }
  if (wish.kind === "remember") return about ? correction(about, asker, wish) : addition(known, asker, wish);
  return { kind: "change", change: { kind: "forget", id: wish.memoryId, revision: about?.revision ?? 0 } };
}

type Remember = Extract<Wish, { kind: "remember" }>;

function correction(about: Memory, asker: Asker, wish: Remember): Judged {
  const kept = keptText(wish.text);
  if ("problem" in kept) return { kind: "refused", why: kept.problem };
  const { text } = kept;
  const scope = wish.audience === undefined ? about.scope : scopeFor(wish.audience, asker);
  if (!mayChange(scope, asker)) return { kind: "refused", why: "not_allowed", memory: about };
  const pinned = wish.pinned ?? about.pinned;
  const isSame =
    text === about.text && pinned === about.pinned && covers(scope, about.scope) && covers(about.scope, scope);
  if (isSame) return { kind: "known", memory: about };
  return { kind: "change", change: { kind: "correct", id: about.id, revision: about.revision, scope, text, pinned } };
}

function addition(known: readonly Memory[], asker: Asker, wish: Remember): Judged {
  const kept = keptText(wish.text);
  if ("problem" in kept) return { kind: "refused", why: kept.problem };
  const { text } = kept;
  const scope = scopeFor(wish.audience ?? "here", asker);
  if (!mayChange(scope, asker)) return { kind: "refused", why: "not_allowed" };
  const pinned = wish.pinned ?? false;
  // What is known here and is to hold for everyone is the same memory, for more people.
  const narrower = known.find(
    (each) =>
      isSameText(each.text, text) &&
      maySee(each.scope, asker) &&
      !covers(each.scope, scope) &&
      covers(scope, each.scope),
  );
  if (narrower) return correction(narrower, asker, { ...wish, audience: "everyone" });
  return { kind: "change", change: { kind: "add", id: newId(), scope, text, pinned } };
}

function scopeFor(audience: "here" | "everyone", { view }: Asker): MemoryScope {
  return audience === "everyone" ? { kind: "everywhere" } : scopeHere(view);
}
