import { cleanText, oneLine } from "../chat/index.ts";
import { redact } from "../shared/index.ts";

/** For whom something remembered is there: everywhere, in one place, or for one person in direct messages. */
export type MemoryScope =
  | { readonly kind: "everywhere" }
  | { readonly kind: "place"; readonly placeId: string }
  | { readonly kind: "person"; readonly personId: string };

/** One fact a teammate keeps: one line of at most 500 characters. Text from outside for every model that reads it. */
export interface Memory {
  readonly id: string;
  readonly teammateId: string;
  readonly scope: MemoryScope;
  readonly text: string;
  /** In every packet, whatever is asked. */
  readonly pinned: boolean;
  /** Grows with every change. */
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

export const longestMemory = 500;
/** Of one teammate, and of them in one place. */
export const mostMemories = 64;
export const mostInPlace = 32;

export function isVisible(scope: MemoryScope, view: Viewpoint): boolean {
  switch (scope.kind) {
    case "everywhere":
      return true;
    case "place":
      return scope.placeId === view.placeId;
    case "person":
      return scope.personId === view.personId;
  }
}

/** For whom a fact is that is told here: the one person of a direct message, else the place. */
export function scopeHere({ placeId, personId }: Viewpoint): MemoryScope {
  return personId === null ? { kind: "place", placeId } : { kind: "person", personId };
}

/** Whether whoever sees what is for `narrow` sees what is for `wide` too. */
export function covers(wide: MemoryScope, narrow: MemoryScope): boolean {
  switch (wide.kind) {
    case "everywhere":
      return true;
    case "place":
      return narrow.kind === "place" && narrow.placeId === wide.placeId;
    case "person":
      return narrow.kind === "person" && narrow.personId === wide.personId;
  }
}

/** The same fact in other letters is the same fact. */
export function isSameText(one: string, other: string): boolean {
  return oneLine(one).toLowerCase() === oneLine(other).toLowerCase();
}

export type TextProblem = "empty" | "long" | "secret";

/** A text as it is kept, without secrets; or what is wrong with it. */
export function keptText(written: string): { readonly text: string } | { readonly problem: TextProblem } {
  const text = oneLine(redact(cleanText(written)));
  if (text === "") return { problem: "empty" };
  if (text.length > longestMemory) return { problem: "long" };
  if (text.includes(mask) && saysLittle(text)) return { problem: "secret" };
  return { text };
}

/** What stands where a secret was. */
const mask = "[secret]";
/** Fewer words than these say nothing once the secret is out: "the password is". */
const fewWords = 4;

function saysLittle(redacted: string): boolean {
  const left = redacted.replaceAll(mask, " ").match(/\p{L}{2,}/gu) ?? [];
  return left.length < fewWords;
}
