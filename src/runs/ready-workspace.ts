import type { McpSetup } from "../mcp/index.ts";
import { memoryFileText, oldMemories } from "../memory/index.ts";
import { placeSkills, type Skill } from "../skills/index.ts";
import { inTransaction } from "../storage/index.ts";
import { instructionsOf, type OwnInstructions, type Teammate } from "../teammates/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { type AboutTeammate, lastingPart, readOwnPart, writeAgentsFile } from "./agents-file.ts";
import { type Instructions, threadInstructions } from "./instructions.ts";
import { noteStanding, standingInstructions } from "./keep-instructions.ts";
import type { RunDeps } from "./settings.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";
import { readOwnFile, writeOwnFile } from "./workspace-folders.ts";

export interface ReadyWorkspace {
  readonly workspace: Workspace;
  readonly instructions: Instructions;
}

/** What the database says about the teammate for a turn. */
export interface WorkspaceFacts {
  readonly rules: readonly string[];
  readonly skills: readonly Skill[];
  readonly mcp: Pick<McpSetup, "config">;
  /** Everybody who works here, the teammate included. */
  readonly team: readonly Teammate[];
}

/** Makes a teammate's folder ready for a turn: what Codex reads there is as things stand now. What is unchanged is not written. */
export async function readyWorkspace(
  deps: RunDeps,
  run: ActiveRun,
  { rules, skills, mcp, team }: WorkspaceFacts,
): Promise<ReadyWorkspace> {
  const { teammate } = run.context;
  const [workspace, row] = await Promise.all([
    makeWorkspace(deps.settings.home, teammate.handle),
    instructionsOf(deps.db, teammate.id),
  ]);
  const colleagues = team.filter(({ id }) => id !== teammate.id);
  const about = { teammate, rules, colleagues, services: servicesIn(mcp) };
  const [own] = await Promise.all([
    readyAgentsFile(deps, run, workspace.path, about, row),
    readyMemoryFile(deps, run, workspace.path),
    readySkills(deps, run, workspace.path, skills),
  ]);
  run.own = { folder: workspace.path, text: own };
  return { workspace, instructions: threadInstructions(teammate.autonomy, lastingPart(about, own)) };
}

/** The names of servers, of which the settings hold much more. */
function servicesIn({ config }: Pick<McpSetup, "config">): readonly string[] {
  const names = Object.keys(config).flatMap((key) => /^mcp_servers\.([^.]+)/u.exec(key)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** How often the file may change under our hands before that can wait for the next turn. */
const mostLooks = 3;

async function readyAgentsFile(
  deps: RunDeps,
  run: ActiveRun,
  folder: string,
  about: AboutTeammate,
  first: OwnInstructions,
): Promise<string> {
  for (let row = first, looks = 1; ; looks += 1) {
    const found = await readOwnPart(folder);
    const own = await standingInstructions(deps, run, row, found);
    const isWritten = await writeAgentsFile(folder, { about, own, found });
    if (isWritten) await noteStanding(deps, run, row, own);
    if (isWritten || looks === mostLooks) return own;
    row = await instructionsOf(deps.db, run.context.teammate.id);
  }
}

/** What somebody wrote into a memory file by hand is remembered, once; from then on the file only says where memories are. */
async function readyMemoryFile(deps: RunDeps, run: ActiveRun, folder: string): Promise<void> {
  const before = await readOwnFile(`${folder}/MEMORY.md`);
  const after = memoryFileText();
  if (before === after) return;
  const texts = oldMemories(before ?? "");
  const now = deps.clock.now();
  await inTransaction(deps.db, deps.log, (unit) => deps.memories.importOnce(unit, run.context.teammate.id, texts, now));
  await writeOwnFile(folder, "MEMORY.md", after);
}

/** A skill that cannot be copied is missing in this turn, and nothing else is. */
async function readySkills(deps: RunDeps, run: ActiveRun, folder: string, skills: readonly Skill[]): Promise<void> {
  const { runId } = run.context;
  try {
    const failed = await placeSkills(folder, skills);
    if (failed.length > 0) deps.log.warn({ runId, skills: failed }, "some skills could not be put into a workspace");
  } catch (error) {
    deps.log.error({ err: error, runId }, "the skills of a workspace could not be brought up to date");
  }
}
