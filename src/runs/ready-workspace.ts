import { instructionsOf } from "../teammates/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { type AboutTeammate, lastingPart, readOwnPart, writeAgentsFile } from "./agents-file.ts";
import { type Instructions, threadInstructions } from "./instructions.ts";
import { noteStanding, standingInstructions } from "./keep-instructions.ts";
import type { RunDeps } from "./settings.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

export interface ReadyWorkspace {
  readonly workspace: Workspace;
  readonly instructions: Instructions;
}

/** Makes a teammate's folder ready for a turn: what Codex reads there is as things stand now. What is unchanged is not written. */
export async function readyWorkspace(deps: RunDeps, run: ActiveRun, rules: readonly string[]): Promise<ReadyWorkspace> {
  const { teammate } = run.context;
  const [workspace, team] = await Promise.all([
    makeWorkspace(deps.settings.home, teammate.handle),
    deps.teammates.list(deps.db),
  ]);
  const about = { teammate, rules, colleagues: team.filter(({ id }) => id !== teammate.id) };
  const own = await readyAgentsFile(deps, run, workspace.path, about);
  run.own = { folder: workspace.path, text: own };
  return { workspace, instructions: threadInstructions(teammate.autonomy, lastingPart(about, own)) };
}

/** How often the file may change under our hands before that can wait for the next turn. */
const mostLooks = 3;

async function readyAgentsFile(deps: RunDeps, run: ActiveRun, folder: string, about: AboutTeammate): Promise<string> {
  for (let looks = 1; ; looks += 1) {
    const row = await instructionsOf(deps.db, run.context.teammate.id);
    const found = await readOwnPart(folder);
    const own = await standingInstructions(deps, run, row, found);
    const isWritten = await writeAgentsFile(folder, { about, own, found });
    if (isWritten) await noteStanding(deps, run, row, own);
    if (isWritten || looks === mostLooks) return own;
  }
}
