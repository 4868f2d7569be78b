import { allows } from "../../people/index.ts";
import { listConnections } from "../../places/index.ts";
import { momentText } from "../../routines/index.ts";
import type { Command } from "../command.ts";
import { mcpStateWords } from "../mcp/index.ts";
import { handled } from "../outcome.ts";
import { type PersonScene, plain, type Scene, say } from "../scene.ts";
import { type ActiveRun, activeRuns, countWaiting, type Scope } from "./commands.store.ts";

/** What runs and waits: in a shared place what happens there, in private one's own, and for the owner everything. */
export const statusCommand: Command<"status"> = {
  name: "status",
  who: "person",
  async run(scene) {
    const { place, person } = scene;
    const isPrivate = place.kind === "dm";
    const seesAll = isPrivate && allows(person.role, "owner");
    const scope = seesAll ? {} : isPrivate ? { personId: person.id } : { placeId: place.id };
    const lines = await activeRunLines(scene, scope);
    if (lines.length === 0) lines.push(scene.words.commands.quiet);
    if (seesAll) lines.push("", ...(await systemLines(scene)));
    await say(scene, lines.join("\n"));
    return handled;
  },
};

/** What runs and waits; nothing where nothing does. */
export async function activeRunLines(scene: Scene, scope: Scope): Promise<string[]> {
  const { unit, words } = scene;
  const runs = await activeRuns(unit.db, scope);
  const waiting = await countWaiting(unit.db, scope);
  const lines = runs.map((run) => runLine(scene, run));
  if (waiting > 0) lines.push(words.commands.waitingLine(waiting));
  return lines;
}

function runLine(scene: Scene, run: ActiveRun): string {
  const { commands, places } = scene.words;
  const since = commands.ago(scene.deps.clock.now().getTime() - run.startedAt.getTime());
  const requester = run.requesterName === null ? null : plain(run.requesterName);
  const place = run.placeTitle === null ? places.privateChat : plain(run.placeTitle);
  return commands.running(plain(run.teammateName), requester, place, since, run.waits);
}

async function systemLines(scene: PersonScene): Promise<string[]> {
  const words = scene.words.commands;
  const connections = await listConnections(scene.unit.db);
  return [
    `**${words.installation}**`,
    "",
    ...connections.map((each) => words.connection(each.platform, each.name, each.state, each.stateDetail)),
    words.system(await scene.deps.system()),
    ...(await routineLines(scene)),
    ...(await mcpLines(scene)),
  ];
}

/** How many routines run by themselves, and when the first of them is due. */
async function routineLines({ unit, deps, words, person }: PersonScene): Promise<string[]> {
  const { active, nextDueAt } = await deps.routines.upcoming(unit.db);
  if (active === 0) return [];
  const next = nextDueAt && momentText(nextDueAt, deps.clock.now(), person, words.routines);
  return [words.commands.routines(active, next)];
}

/** Servers that teammates should have and cannot use. */
async function mcpLines({ unit, deps, words }: PersonScene): Promise<string[]> {
  const servers = (await deps.mcp.list(unit.db)).filter((each) => each.enabled && each.state !== "ready");
  return servers.map((each) => words.mcp.statusLine(plain(each.name), mcpStateWords(each, words)));
}
