import { allows, type Person } from "../people/index.ts";
import { isVisible, type MemoryScope, type Viewpoint } from "./memory.ts";

/** Who looks at memories or changes them, and from where. */
export interface Asker {
  readonly person: Pick<Person, "id" | "role">;
  readonly view: Viewpoint;
  /** True for who looks after the memories of every place: the owner and admins, alone with us. */
  readonly oversees: boolean;
}

/** What is for one person is seen by nobody else. */
export function maySee(scope: MemoryScope, { view, oversees }: Asker): boolean {
  return isVisible(scope, view) || (oversees && scope.kind === "place");
}

/** What is seen may be changed, except that what holds everywhere is for managers and above. */
export function mayChange(scope: MemoryScope, asker: Asker): boolean {
  return maySee(scope, asker) && (scope.kind !== "everywhere" || allows(asker.person.role, "manager"));
}
