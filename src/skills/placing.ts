import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { newId } from "../shared/index.ts";
import { contentHash } from "./bundle.ts";
import { filesOf, isFolder, writeFolder } from "./folder.ts";
import { placedBelow } from "./named.ts";
import { isSkillName } from "./skill-file.ts";
import type { Skill } from "./skills.ts";

const noteName = ".shipmate.json";
const keptName = "skills-kept";

/** What we put there, by name: its content, and what the copy looked like when it was written. */
const noteSchema = z.record(z.string().refine(isSkillName), z.object({ hash: z.string(), looks: z.string() }));
type Note = z.infer<typeof noteSchema>;

/**
 * Copies a teammate's skills into its folder, where Codex finds them, and takes away the copies of those it has no more.
 * What the teammate made itself stays; a copy that somebody changed is put aside, never deleted. What is unchanged is
 * not written. The skills that could not be copied are given back by name.
 */
export async function placeSkills(workspace: string, skills: readonly Skill[]): Promise<readonly string[]> {
  const folder = await openFolder(workspace);
  const before = await readNote(folder);
  if (skills.length === 0 && Object.keys(before).length === 0) return [];
  const after: Record<string, Note[string]> = {};
  const failed: string[] = [];
  for (const [name, known] of Object.entries(before)) {
    if (!skills.some((skill) => skill.name === name)) await takeAway(workspace, folder, name, known.hash);
  }
  for (const { name, folder: source, contentHash: hash } of skills) {
    const target = join(folder, name);
    const known = Object.hasOwn(before, name) ? before[name] : undefined;
    if (known?.hash === hash && (await looksOf(target)) === known.looks) {
      after[name] = known;
      continue;
    }
    const files = await filesOf(source);
    if (typeof files === "string") {
      failed.push(name);
      continue;
    }
    // Another turn may have put it there a moment ago.
    if (!(await holds(target, hash))) {
      // A folder of that name that we did not put there is somebody's own: it makes way, and is kept.
      await takeAway(workspace, folder, name, known?.hash);
      await writeFolder(target, files, join(workspace, ".agents"));
    }
    after[name] = { hash, looks: await looksOf(target) };
  }
  if (JSON.stringify(after) !== JSON.stringify(before)) await writeNote(folder, after);
  return failed;
}

/** A link in place of one of our folders would lead us elsewhere: it goes. */
async function openFolder(workspace: string): Promise<string> {
  let folder = workspace;
  for (const name of placedBelow) {
    folder = join(folder, name);
    if (await isFolder(folder)) continue;
    await unlink(folder).catch(() => undefined);
    await mkdir(folder).catch(async (error: unknown) => {
      // Another turn made it at the same moment.
      if (!(await isFolder(folder))) throw error;
    });
  }
  return folder;
}

async function takeAway(workspace: string, folder: string, name: string, hash: string | undefined): Promise<void> {
  const path = join(folder, name);
  if (hash !== undefined && (await holds(path, hash))) {
    await rm(path, { recursive: true, force: true });
    return;
  }
  if (!(await exists(path))) return;
  const kept = join(workspace, ".agents", keptName);
  await mkdir(kept, { recursive: true });
  await rename(path, join(kept, `${name}-${newId().slice(-8)}`));
}

/** Sizes and times, which is enough to see that nobody touched anything. */
async function looksOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const lines = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined);
      return `${path.slice(folder.length)} ${entry.isFile() ? `${found?.size} ${found?.mtimeMs}` : "-"}`;
    }),
  );
  return lines.toSorted().join("\n");
}

/** It lies where the teammate may write: a wrong one leads to copies that are made anew, and to nothing else. */
async function readNote(folder: string): Promise<Note> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(folder, noteName), flags).catch(() => undefined);
  if (file === undefined) return {};
  try {
    return noteSchema.parse(JSON.parse(await file.readFile("utf8")));
  } catch {
    return {};
  } finally {
    await file.close();
  }
}

async function writeNote(folder: string, note: Note): Promise<void> {
  const temporary = join(folder, `.${newId()}`);
  await writeFile(temporary, JSON.stringify(note), { flag: "wx", mode: 0o600 });
  await rename(temporary, join(folder, noteName));
}

async function holds(folder: string, hash: string): Promise<boolean> {
  if (!(await isFolder(folder))) return false;
  const files = await filesOf(folder);
  return typeof files !== "string" && contentHash(files) === hash;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
