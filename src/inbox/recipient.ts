import type { Teammate } from "../teammates/index.ts";
import type { Scene } from "./scene.ts";

/** `Penny: …`, `Penny, …` or `@Penny …` at the start. Most sentences that begin like this address nobody ("Thanks, …"). */
const addressed = /^\s*(?:@([\p{L}\p{N}_-]{1,32})\b|([\p{L}\p{N}_-]{1,32})\s*[:,](?=\s))/u;

/** The teammate a text addresses by name, if any. */
export async function addressee(scene: Scene, text: string): Promise<string | null> {
  const match = addressed.exec(text);
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) return null;
  return (await scene.deps.teammates.byHandle(scene.unit.db, name))?.id ?? null;
}

/** Cuts `NAME the rest` of `/ask` into the teammate and the rest. */
export async function splitRecipient(
  scene: Scene,
  argument: string,
): Promise<{ name: string; teammate: Teammate | undefined; rest: string }> {
  const [, name = "", rest = ""] = /^\s*@?([^\s:,]*)[:,]?\s*([\s\S]*)$/u.exec(argument) ?? [];
  const teammate = name === "" ? undefined : await scene.deps.teammates.byHandle(scene.unit.db, name);
  return { name, teammate, rest: rest.trim() };
}
