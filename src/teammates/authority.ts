import { allows, type Person } from "../people/index.ts";
import { autonomies, type Profile, type ProfileProblem } from "./profile.ts";
import type { Teammate } from "./teammates.ts";

/** A teammate that saves in a turn, and the person who asked for that turn; null where none did. */
export interface OnBehalf {
  readonly teammate: Pick<Teammate, "id" | "autonomy" | "model" | "effort">;
  readonly requester: Person | null;
}

/** Who saves. */
export type Actor = Person | OnBehalf;

export function isTeammate(by: Actor): by is OnBehalf {
  return "teammate" in by;
}

/** The person whose word it is. */
export function personBehind(by: Actor): Person | null {
  return isTeammate(by) ? by.requester : by;
}

/** Whose profile is changed, as it was; somebody new has no id yet. */
type Before = Partial<Profile> & Pick<Profile, "autonomy" | "access"> & { readonly id?: string };

/** What a teammate may change about itself whoever asks: how it looks, and to ask more and reach less. */
const harmless: ReadonlySet<string> = new Set<keyof Profile>(["title", "picture", "autonomy", "access"]);

/**
 * What somebody may not do to such a profile. People: anything below a manager, letting act alone or reach everything below an
 * admin. Teammates never widen anything; others, and more than the harmless of themselves, only for a manager or above.
 */
export function authorityProblem(by: Actor, change: Partial<Profile>, before: Before): ProfileProblem | null {
  if (!isTeammate(by)) return allows(by.role, letsLoose(change, before) ? "admin" : "manager") ? null : "not_allowed";
  if (widens(change, before)) return "never_wider";
  if (by.requester !== null && allows(by.requester.role, "manager")) return null;
  const isOwn = before.id === by.teammate.id;
  return isOwn && changedFields(change, before).every((field) => harmless.has(field)) ? null : "not_allowed";
}

/** The fields that would not be what they are. */
export function changedFields(change: Partial<Profile>, before: Partial<Profile>): (keyof Profile)[] {
  const fields = Object.keys(change) as (keyof Profile)[];
  return fields.filter((field) => change[field] !== before[field]);
}

function letsLoose(change: Partial<Profile>, before: Before): boolean {
  const alone = change.autonomy === "autonomous" && before.autonomy !== "autonomous";
  return alone || (change.access === "full" && before.access !== "full");
}

function widens(change: Partial<Profile>, before: Before): boolean {
  const { autonomy = before.autonomy, access = before.access } = change;
  return rank(autonomy) > rank(before.autonomy) || (access === "full" && before.access !== "full");
}

/** The one of two that asks more. */
export function moreAsking(one: Profile["autonomy"], other: Profile["autonomy"]): Profile["autonomy"] {
  return rank(one) <= rank(other) ? one : other;
}

function rank(autonomy: Profile["autonomy"]): number {
  return autonomies.indexOf(autonomy);
}
