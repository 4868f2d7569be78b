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

/** What became of a code. `member` is somebody known already: the code stays unused. */
export type Redeemed =
  | { readonly outcome: "claimed" | "joined" | "member"; readonly person: Person }
  | { readonly outcome: "wrong" | "expired" | "used" };
