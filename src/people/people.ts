import type { Address, Author, PlaceKind } from "../chat/index.ts";
import { type Clock, hashToken, knownZone, newCode, newId } from "../shared/index.ts";
import type { Db, Role, Unit } from "../storage/index.ts";
import { isLinkCode, replaceLinkCode } from "./link.store.ts";
import { redeemLink } from "./link.ts";
import * as store from "./people.store.ts";
import type { Identity, Person, Redeemed } from "./person.ts";
import { roles } from "./roles.ts";

const inviteLifetimeMs = 15 * 60_000;
const linkLifetimeMs = 10 * 60_000;

/** Where one person is reached alone. */
export interface PersonalChat {
  readonly connectionId: string;
  readonly address: Address;
  readonly placeKind: Extract<PlaceKind, "dm">;
}

export interface People {
  /** The identity behind an author, made or refreshed. `dmChannel` is the channel of a direct message, remembered for `dmOf`. */
  meet(unit: Unit, connectionId: string, author: Author, dmChannel?: string): Promise<Identity>;
  /** The identity behind an account, as it is known; nothing is written. */
  find(db: Db, connectionId: string, userId: string): Promise<Identity | undefined>;
  hasOwner(db: Db): Promise<boolean>;
  /** Every owner, the first one first. */
  owners(db: Db): Promise<Person[]>;
  get(db: Db, personId: string): Promise<Person | undefined>;
  /** Makes this the one code by which the first person becomes the owner; earlier unused ones end. Nothing once there is an owner. */
  issueOwnerCode(unit: Unit, code: string): Promise<void>;
  /** A code that is used once, within 15 minutes. The code itself is not stored. */
  issueInvite(unit: Unit, by: Person, role: Exclude<Role, "owner">): Promise<{ code: string; expiresAt: Date }>;
  /** A code by which another account of this person becomes theirs: once, within 10 minutes. An earlier one ends. */
  issueLink(unit: Unit, by: Person): Promise<{ code: string; expiresAt: Date }>;
  /** Whether a code would link an account right now. */
  isLinkCode(db: Db, code: string): Promise<boolean>;
  /** Carries out what `redeem` asked to confirm. */
  confirmLink(unit: Unit, identity: Identity, hash: string): Promise<Redeemed>;
  /** Turns a stranger into a person, or an account into one more of a person's. Case, spaces and dashes of the code do not matter. */
  redeem(unit: Unit, identity: Identity, code: string, locale?: string): Promise<Redeemed>;
  /** Where to reach a person privately: on the given connection if they wrote to us there, else where they did. */
  dmOf(db: Db, personId: string, connectionId?: string): Promise<PersonalChat | null>;
  /** Where to reach a person privately other than by this account of theirs. */
  dmBeside(db: Db, personId: string, identityId: string): Promise<PersonalChat | null>;
  /** An IANA name that is known to be one. */
  setTimezone(unit: Unit, personId: string, timezone: string): Promise<void>;
  /** Remembers that a stranger was told, so that they are not told again within a day. */
  markStrangerTold(unit: Unit, identityId: string): Promise<void>;
}

export function createPeople({ clock }: { clock: Clock }): People {
  return {
    meet,
    find: async (db, connectionId, userId) => (await store.findIdentity(db, connectionId, userId))?.identity,
    hasOwner: store.hasOwner,
    owners: store.owners,
    get: store.getPerson,
    async issueOwnerCode(unit, code) {
      if (await store.hasOwner(unit.db)) return;
      await store.replaceOwnerCode(unit.db, hashCode(code));
    },
    async issueInvite(unit, by, role) {
      const code = newCode();
      const expiresAt = new Date(clock.now().getTime() + inviteLifetimeMs);
      await store.addInvite(unit.db, { codeHash: hashCode(code), role, createdBy: by.id, expiresAt });
      return { code, expiresAt };
    },
    async issueLink(unit, by) {
      const code = newCode();
      const expiresAt = new Date(clock.now().getTime() + linkLifetimeMs);
      await replaceLinkCode(unit.db, { codeHash: hashCode(code), role: by.role, createdBy: by.id, expiresAt });
      return { code, expiresAt };
    },
    isLinkCode: (db, code) => isLinkCode(db, hashCode(code), clock.now()),
    async confirmLink(unit, identity, hash) {
      const code = await store.lockCode(unit.db, hash);
      const now = clock.now();
      const problem = problemOf(code, now);
      if (problem || !code) return problem ?? { outcome: "wrong" };
      return redeemLink(unit, identity, code, { now, confirmed: true });
    },
    redeem: (unit, identity, code, locale) => redeem(unit, identity, { code, locale, now: clock.now() }),
    dmOf: store.dmOf,
    dmBeside: store.dmBeside,
    setTimezone: (unit, personId, timezone) => store.setTimezone(unit.db, personId, timezone),
    markStrangerTold: (unit, identityId) => store.markStrangerTold(unit.db, identityId, clock.now()),
  };
}

/** One look in the usual case; a write only for somebody new, renamed, of unknown time zone, or writing privately for the first time. */
async function meet(unit: Unit, connectionId: string, author: Author, dmChannel?: string): Promise<Identity> {
  const known = await store.findIdentity(unit.db, connectionId, author.id);
  const same =
    known?.identity.displayName === author.name && (dmChannel === undefined || known.dmChannel === dmChannel);
  const zone = known?.identity.person?.timezone === null ? knownZone(author.timezone ?? null) : undefined;
  if (known && same && zone === undefined) return known.identity;
  // What a platform tells of somebody counts until they say it themselves.
  if (zone !== undefined && known?.identity.person) await store.setTimezone(unit.db, known.identity.person.id, zone);
  await store.saveIdentity(unit.db, { id: newId(), connectionId, author, dmChannel });
  const saved = await store.findIdentity(unit.db, connectionId, author.id);
  if (!saved) throw new Error("an identity vanished while it was being saved");
  return saved.identity;
}

interface Attempt {
  readonly code: string;
  readonly locale: string | undefined;
  readonly now: Date;
}

async function redeem(unit: Unit, identity: Identity, attempt: Attempt): Promise<Redeemed> {
  // Looked up by its hash, so the time it takes says nothing about how much of a guess was right.
  const code = await store.lockCode(unit.db, hashCode(attempt.code));
  const problem = problemOf(code, attempt.now);
  if (problem || !code) return problem ?? { outcome: "wrong" };
  if (code.purpose === "link") return redeemLink(unit, identity, code, { now: attempt.now, confirmed: false });
  if (code.purpose === "owner" && (await store.hasOwner(unit.db))) return { outcome: "used" };
  if (identity.person) return { outcome: "member", person: identity.person };
  const person: Person = {
    id: newId(),
    displayName: identity.displayName,
    role: code.role,
    locale: attempt.locale ?? null,
    timezone: null,
  };
  await store.join(unit.db, { person, identityId: identity.id, codeHash: code.codeHash, now: attempt.now });
  return { outcome: code.purpose === "owner" ? "claimed" : "joined", person };
}

function problemOf(code: store.LockedCode | undefined, now: Date): Redeemed | null {
  if (!code) return { outcome: "wrong" };
  if (code.usedAt) return { outcome: "used" };
  return code.expiresAt && code.expiresAt <= now ? { outcome: "expired" } : null;
}

/** People type codes in lower case, with other dashes, or with a space for the dash. */
function hashCode(code: string): string {
  return hashToken(code.toUpperCase().replace(/[\s\p{Pd}]/gu, ""));
}

/** The roles somebody may hand out: an owner all but their own, an admin those below their own, nobody else any. */
export function invitableRoles(role: Role): readonly Exclude<Role, "owner">[] {
  const below = roles.slice(roles.indexOf(role) + 1).filter((each) => each !== "owner");
  return role === "owner" || role === "admin" ? below : [];
}
