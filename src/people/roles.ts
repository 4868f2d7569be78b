import type { Role } from "../storage/index.ts";

export type { Role };

/** From most to least; a guest may only ask where everyone may, and in private. */
export const roles: readonly Role[] = ["owner", "admin", "manager", "member", "guest"];

/** Whether a role is at least `minimum`. */
export function allows(role: Role, minimum: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(minimum);
}
