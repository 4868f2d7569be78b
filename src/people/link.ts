import { audit, type Db, type Unit } from "../storage/index.ts";
import * as store from "./link.store.ts";
import { type LockedCode, lockPeople } from "./people.store.ts";
import type { Identity, Person, Redeemed } from "./person.ts";
import { roles } from "./roles.ts";

/**
 * Makes an account that of whoever made the code. Where somebody else was known by that account already, the two become
 * one, with the higher role. Somebody who is known already is asked first: a code that was slipped to them must not hand
 * their account and their rights over.
 */
export async function redeemLink(
  unit: Unit,
  identity: Identity,
  code: LockedCode,
  { now, confirmed }: { readonly now: Date; readonly confirmed: boolean },
): Promise<Redeemed> {
  const { db } = unit;
  if (code.createdBy === null) return { outcome: "expired" };
  if (identity.person?.id === code.createdBy) return { outcome: "same", person: identity.person };
  // Somebody who was disabled does not come back by a code that anybody of the team can make.
  if (identity.person === null && (await store.belongsToSomebody(db, identity.id))) return { outcome: "wrong" };
  const ids = identity.person ? [code.createdBy, identity.person.id] : [code.createdBy];
  const people = await lockPeople(db, ids);
  const maker = people.find(({ id }) => id === code.createdBy);
  const sender = people.find(({ id }) => id === identity.person?.id);
  if (!maker) return { outcome: "expired" };
  if (sender && !confirmed) return { outcome: "confirm", person: maker, hash: code.codeHash };
  const person = sender ? await mergePeople(unit, maker, sender, now) : maker;
  await store.assign(db, { identityId: identity.id, personId: person.id, codeHash: code.codeHash, now });
  await trace(db, person, identity.id, sender);
  return { outcome: "linked", person };
}

function trace(db: Db, person: Person, identityId: string, merged: Person | undefined): Promise<void> {
  const data = { role: person.role, ...(merged && { merged: merged.id, mergedRole: merged.role }) };
  return audit(db, { personId: person.id, action: "link", target: identityId, data });
}

function isAbove(one: Person, other: Person): boolean {
  return roles.indexOf(one.role) < roles.indexOf(other.role);
}

/** Everything of `gone` is `kept`'s from now on, and the higher of their roles stays. */
async function mergePeople({ db }: Unit, kept: Person, gone: Person, now: Date): Promise<Person> {
  const person: Person = {
    ...kept,
    role: isAbove(gone, kept) ? gone.role : kept.role,
    locale: kept.locale ?? gone.locale,
    timezone: kept.timezone ?? gone.timezone,
  };
  await store.savePerson(db, person);
  await store.moveEverything(db, gone.id, kept.id);
  await store.disable(db, gone.id, now);
  return person;
}
