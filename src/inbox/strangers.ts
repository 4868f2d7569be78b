import { dropped, type Outcome } from "./outcome.ts";
import { isNative, plain, type Scene, say } from "./scene.ts";

const dayMs = 24 * 60 * 60_000;

/** Once a day; a native command is answered each time, since its giver waits for it. */
export async function tellStranger(scene: Scene): Promise<Outcome> {
  const { unit, deps, identity, event } = scene;
  const toldAt = identity.strangerToldAt?.getTime() ?? 0;
  if (isNative(event) || deps.clock.now().getTime() - toldAt >= dayMs) {
    await deps.people.markStrangerTold(unit, identity.id);
    await say(scene, await strangerText(scene));
  }
  return dropped(await strangerReason(scene));
}

export async function strangerText({ unit, deps, words }: Scene): Promise<string> {
  const [owner] = await deps.people.owners(unit.db);
  return owner === undefined ? words.people.notSetUp : words.people.stranger(plain(owner.displayName));
}

/** Why nothing comes of what a stranger does: before there is an owner, nobody is anything else. */
export async function strangerReason({ unit, deps }: Scene): Promise<"stranger" | "not_set_up"> {
  return (await deps.people.hasOwner(unit.db)) ? "stranger" : "not_set_up";
}
