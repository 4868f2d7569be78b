import type { InstructedTeammate } from "./instructions.ts";

export interface Workspace {
  /** Absolute, with no symbolic link in it below the data folder. */
  readonly path: string;
  /** Where copies of files to be sent wait; outside the workspace, so that nobody can change them any more. */
  readonly outgoing: string;
}

export interface PrepareWorkspaceRequest {
  /** SHIPMATE_HOME, absolute. */
  readonly home: string;
  readonly teammate: InstructedTeammate;
  readonly rules: readonly string[];
}

/** Makes a teammate's folder ready for a turn: the folders and the generated part of AGENTS.md. Writes nothing that is unchanged. */
export async function prepareWorkspace(_request: PrepareWorkspaceRequest): Promise<Workspace> {
  throw new Error("not built yet");
}
