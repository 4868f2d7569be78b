import { commandNames } from "./commands/menu.ts";
import type { Scene } from "./scene.ts";

const mentioned = new RegExp(`(?<=^|[\\s(])/(?=(?:${commandNames.join("|")})\\b)`, "gmu");

/** Our own words with commands as people type them here: `/help` is `/shipmate help` where all of them share one name. */
export function asTypedHere({ deps, connectionId }: Pick<Scene, "deps" | "connectionId">, text: string): string {
  return asPrefixed(deps.adapters.get(connectionId)?.capabilities.commandPrefix, text);
}

/** The same where only the place's own prefix is at hand. */
export function asPrefixed(prefix: string | undefined, text: string): string {
  return prefix === undefined || prefix === "/" ? text : text.replace(mentioned, prefix);
}
