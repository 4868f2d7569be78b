import type { Member } from "../teammates/index.ts";
import { addressedIn, mayAddress, splitName } from "./naming.ts";
import type { Scene } from "./scene.ts";

/** The teammates a text addresses by name, if any; also those who are away, since somebody has to be told. */
export async function addressees(scene: Scene, text: string): Promise<readonly string[]> {
  if (!mayAddress(text)) return [];
  return addressedIn(text, await scene.deps.teammates.everyone(scene.unit.db));
}

/** Cuts `NAME the rest` of `/ask` into the teammate and the rest. */
export async function splitRecipient(
  scene: Scene,
  argument: string,
): Promise<{ name: string; teammate: Member | undefined; rest: string }> {
  const teammates = await scene.deps.teammates.everyone(scene.unit.db);
  const { id, name, rest } = splitName(argument, teammates);
  return { name, teammate: teammates.find((teammate) => teammate.id === id), rest };
}
