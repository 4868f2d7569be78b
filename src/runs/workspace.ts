import { mkdir, realpath } from "node:fs/promises";
import { redact } from "../shared/index.ts";
import type { InstructedTeammate } from "./instructions.ts";
import { ownFolder, readOwnFile, writeOwnFile } from "./workspace-folders.ts";

export interface Workspace {
  /** Absolute, links resolved: the teammate's current folder. */
  readonly path: string;
  /** Absolute: where copies of files to be sent wait, outside every workspace so that nobody changes them any more. */
  readonly outgoing: string;
}

export interface PrepareWorkspaceRequest {
  /** SHIPMATE_HOME, absolute. */
  readonly home: string;
  readonly teammate: InstructedTeammate;
  readonly rules: readonly string[];
}

/**
 * Makes a teammate's folder ready for a turn: the folders, and our part of AGENTS.md. What is unchanged is not written;
 * what the teammate wrote outside our part stays.
 */
export async function prepareWorkspace({ home, teammate, rules }: PrepareWorkspaceRequest): Promise<Workspace> {
  await mkdir(home, { recursive: true });
  const root = await realpath(home);
  const path = await ownFolder(await ownFolder(root, "workspaces"), folderName(teammate.handle));
  const [outgoing] = await Promise.all([ownFolder(root, "outgoing"), ownFolder(path, "uploads")]);
  const before = await readOwnFile(`${path}/AGENTS.md`);
  const after = withGeneratedBlock(before ?? "", generatedBlock(teammate, rules));
  if (after !== before) await writeOwnFile(path, "AGENTS.md", after);
  return { path, outgoing };
}

/** Handles are lower-case words; anything else becomes a dash, so that no handle is a path. */
function folderName(handle: string): string {
  const name = handle.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "-");
  return name === "" || name === "-" ? "teammate" : name;
}

const begin = "<!-- shipmate: written by Shipmate, changes here are lost -->";
const end = "<!-- shipmate: end -->";
const existing = /<!-- shipmate: written by Shipmate[^\n]*-->[\s\S]*?<!-- shipmate: end -->\n?/gu;

function generatedBlock({ name, title, job }: InstructedTeammate, rules: readonly string[]): string {
  const lines = [
    begin,
    `# ${oneLine(name)}, ${oneLine(title)}`,
    "",
    redact(job.trim()).replaceAll("<!--", "<! --"),
    "",
  ];
  lines.push("Files people send are in uploads/. This folder is shared by all conversations: keep it tidy.");
  if (rules.length > 0) lines.push("", "Allowed without asking:", ...rules.map((rule) => `- ${oneLine(rule)}`));
  return [...lines, end, ""].join("\n");
}

/** Our part first, the teammate's own words after it. */
function withGeneratedBlock(before: string, block: string): string {
  const own = before.replaceAll(existing, "").trim();
  return own === "" ? block : `${block}\n${own}\n`;
}

function oneLine(text: string): string {
  return redact(text).replaceAll(/\s+/gu, " ").replaceAll("<!--", "<! --").trim();
}
