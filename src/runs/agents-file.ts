import { redact } from "../shared/index.ts";
import { longestInstructions, type Teammate, tidyInstructions } from "../teammates/index.ts";
import { readOwnFile, writeOwnFile } from "./workspace-folders.ts";

/** What a teammate's AGENTS.md says besides its own instructions. */
export interface AboutTeammate {
  readonly teammate: Pick<Teammate, "name" | "title" | "job">;
  readonly rules: readonly string[];
  readonly colleagues: readonly Pick<Teammate, "name" | "title" | "job">[];
  /** What it is connected to, by name. */
  readonly services: readonly string[];
}

const fileName = "AGENTS.md";
const longName = "AGENTS.long.md";
const begin = "<!-- shipmate: written by Shipmate, changes here are lost -->";
const end = "<!-- shipmate: end -->";
const ours = /<!-- shipmate: written by Shipmate[^\n]*-->[\s\S]*?<!-- shipmate: end -->\n?/gu;
const mark = /^[ \t]*<!-- shipmate:[^\n]*-->[ \t]*$/gmu;

const longestJob = 160;
const mostColleagues = 20;

/** The teammate's own part of its file. */
export interface OwnPart {
  /** Tidy. */
  readonly text: string;
  /** It was longer than instructions may be. */
  readonly wasCut: boolean;
  /** The whole file as it was read, our part included. */
  readonly file: string;
}

/** Undefined where there is no file of its own. */
export async function readOwnPart(folder: string): Promise<OwnPart | undefined> {
  const text = await readOwnFile(`${folder}/${fileName}`);
  if (text === undefined) return undefined;
  const whole = wholeOwnPart(text);
  return { text: tidyInstructions(whole), wasCut: whole.length > longestInstructions, file: text };
}

function wholeOwnPart(text: string): string {
  return text.replaceAll(ours, "").replaceAll(mark, "").trim();
}

export interface AgentsFile {
  readonly about: AboutTeammate;
  readonly own: string;
  /** Where its own part stood when it was read: what somebody wrote since is not written over. */
  readonly found: OwnPart | undefined;
}

/**
 * Puts our part first and the teammate's own after it. A file that says so already is left alone; what is too long to
 * stay is kept beside it. False when its own part changed since it was read.
 */
export async function writeAgentsFile(folder: string, { about, own, found }: AgentsFile): Promise<boolean> {
  const block = [begin, ...identity(about), ...surroundings(about), end].join("\n");
  const after = own === "" ? `${block}\n` : `${block}\n\n${own}\n`;
  if (after === found?.file) return true;
  const before = await readOwnFile(`${folder}/${fileName}`);
  if (after === before) return true;
  const old = wholeOwnPart(before ?? "");
  if (tidyInstructions(old) !== (found?.text ?? "")) return false;
  if (old.length > longestInstructions) await writeOwnFile(folder, longName, `${old}\n`);
  await writeOwnFile(folder, fileName, after);
  return true;
}

/** What a thread read of it when it began, but for what every prompt says again anyway. */
export function lastingPart(about: AboutTeammate, own: string): string {
  return [...identity(about), own].join("\n");
}

function identity({ teammate: { name, title, job } }: AboutTeammate): readonly string[] {
  return [`# You are ${oneLine(name)}, ${oneLine(title)}`, "", `Your job: ${unmarked(redact(job.trim()))}`];
}

function surroundings({ rules, colleagues, services }: AboutTeammate): readonly string[] {
  const others = colleagues
    .slice(0, mostColleagues)
    .map(({ name, title, job }) => `- ${oneLine(name)}, ${oneLine(title)}: ${short(oneLine(job))}`);
  return [
    ...section(
      "Allowed without asking, exactly as worded:",
      rules.map((rule) => `- ${oneLine(rule)}`),
    ),
    ...section(
      "Connected services (MCP servers):",
      services.map((name) => `- ${oneLine(name)}`),
    ),
    ...section("Your colleagues, AI teammates like you:", others),
  ];
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", heading, ...lines];
}

function short(text: string): string {
  return text.length <= longestJob ? text : `${text.slice(0, longestJob).toWellFormed().trimEnd()}…`;
}

function oneLine(text: string): string {
  return unmarked(redact(text).replaceAll(/\s+/gu, " ").trim());
}

/** Nothing that people write opens or closes our part. */
function unmarked(text: string): string {
  return text.replaceAll("<!--", "<! --");
}
