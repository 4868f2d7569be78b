import { isReference, nameProblem, readTyped, type Typed } from "../../mcp/index.ts";
import type { Words } from "../../words/index.ts";
import type { Card, UseEvent } from "../action.ts";
import type { CommandScene } from "../command.ts";
import { type PersonScene, plain } from "../scene.ts";
import { begin } from "./begin.ts";
import { waitingCard } from "./step-cards.ts";

export interface TypedServer {
  readonly name: string;
  /** Empty where only a name was typed. */
  readonly rest: string;
}

/** `NAME` and what follows it. */
export function splitName(typed: string): TypedServer {
  const [name = ""] = typed.trim().split(/\s/u, 1);
  return { name: name.toLowerCase(), rest: typed.trim().slice(name.length).trim() };
}

/** What is wrong with what was typed, in a sentence; null where it can be tried. */
export function problemWith({ name, rest }: TypedServer, isOwner: boolean, words: Words): string | null {
  const { problems } = words.mcp;
  if (name === "" || /:\/\//u.test(name)) return problems.name_missing;
  const problem = nameProblem(name);
  return problem === null ? problemInPlace(rest, isOwner, words) : problems[problem];
}

export function problemInPlace(typed: string, isOwner: boolean, { mcp }: Words): string | null {
  const read = readTyped(typed);
  if (read.kind === "problem") return mcp.problems[read.problem];
  return !isOwner && usesEnvironment(read) ? mcp.referenceOnlyOwner : null;
}

function usesEnvironment({ secrets }: Extract<Typed, { kind: "config" }>): boolean {
  return [secrets.bearer ?? "", ...Object.values(secrets.values)].some(isReference);
}

type AskingScene = PersonScene<UseEvent> | (PersonScene & CommandScene);

/** Tries a new server, or another place for one there is. What was typed has to be free of problems. */
export async function tryServer(scene: AskingScene, card: Card | null, { name, rest }: TypedServer): Promise<void> {
  const { unit, deps, words } = scene;
  const read = readTyped(rest);
  if (read.kind === "problem") throw new Error(`it was looked at before: ${read.problem}`);
  const { config, secrets } = read;
  const known = await deps.mcp.named(unit.db, name);
  const text = words.mcp.connecting(plain(name));
  if (known === undefined) {
    const proposal = { name, teammateId: null, config };
    return begin(scene, card, { text }, { kind: "add", proposal, secrets });
  }
  await begin(scene, card, await waitingCard(scene, text, known.id), {
    kind: "change",
    serverId: known.id,
    baseRevision: known.revision,
    proposal: { name, teammateId: known.teammateId, config },
    secrets,
  });
}
