import type { Role } from "../storage/index.ts";

/** A human of the team, on however many connections. */
export interface Person {
  readonly id: string;
  readonly displayName: string;
  readonly role: Role;
  readonly locale: string | null;
  readonly timezone: string | null;
}

/** An account on one connection. Its name is text from outside: data, never instruction. */
export interface Identity {
  readonly id: string;
  readonly connectionId: string;
  readonly platformUserId: string;
  readonly displayName: string;
  /** Null for a stranger, and for a person who was disabled. */
  readonly person: Person | null;
  readonly strangerToldAt: Date | null;
}

/**
 * What became of a code. `member`: somebody known already, the code stays unused. `linked`: the account is that person from
 * now on. `same`: it was already, and the code is for another account. `confirm`: the sender is known here already, and may be somebody else than whoever
 * made the code, and has to say that the two are one; `hash` is the code's.
 */
export type Redeemed =
  | { readonly outcome: "claimed" | "joined" | "member" | "linked" | "same"; readonly person: Person }
  | { readonly outcome: "confirm"; readonly person: Person; readonly hash: string }
  | { readonly outcome: "wrong" | "expired" | "used" };
