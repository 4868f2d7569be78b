/**
 * The people room: who somebody is on a connection, which person that is, and the codes by which people join.
 * An identity without a person is a stranger; only a code makes a stranger a person.
 */
export { createPeople, invitableRoles, type People } from "./people.ts";
export type { Identity, Person } from "./person.ts";
export { allows, type Role, roles } from "./roles.ts";
