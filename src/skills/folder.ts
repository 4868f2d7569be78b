import { constants } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { newId } from "../shared/index.ts";
import { type Bundle, type BundleFile, mostBytes, mostFiles, toBundle } from "./bundle.ts";
import type { SkillProblem } from "./skill-file.ts";

/** Reads a folder as a skill. A link in it is refused, wherever it leads. */
export async function bundleOfFolder(folder: string): Promise<Bundle | SkillProblem> {
  const files = await filesOf(folder);
  return typeof files === "string" ? files : toBundle(files);
}

/** The same for a folder that must lie inside another one, whatever its path says. */
export async function bundleInside(root: string, path: string): Promise<Bundle | SkillProblem> {
  const [outer, inner] = await Promise.all([realpath(root), realpath(join(root, path)).catch(() => undefined)]);
  if (inner === undefined) return "not_found";
  return inner.startsWith(outer + sep) ? bundleOfFolder(inner) : "bad_path";
}

/** Its files, or why it cannot be a skill. */
export async function filesOf(folder: string): Promise<readonly BundleFile[] | SkillProblem> {
  const files: BundleFile[] = [];
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => undefined);
    if (entries === undefined) return "not_found";
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.name === ".git" || entry.name === ".DS_Store") continue;
      if (entry.isDirectory()) waiting.push(path);
      if (waiting.length > mostFiles) return "too_many_files";
      if (entry.isDirectory()) continue;
      if (!entry.isFile()) return "link";
      if (files.length >= mostFiles) return "too_many_files";
      const file = await readFile(path, mostBytes - bytes);
      if (typeof file === "string") return file;
      bytes += file.bytes.byteLength;
      files.push({ ...file, path: relative(folder, path).split(sep).join("/") });
    }
  }
  return files;
}

/** Opened without following a link, and read no further than it may be long: it could change under our hands. */
async function readFile(path: string, most: number): Promise<Omit<BundleFile, "path"> | SkillProblem> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return "link";
  try {
    const found = await file.stat();
    if (!found.isFile() || found.nlink > 1) return "link";
    if (found.size > most) return "too_large";
    const bytes = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(bytes, 0, found.size, 0);
    return { bytes: bytes.subarray(0, bytesRead), isExecutable: (found.mode & 0o100) !== 0 };
  } finally {
    await file.close();
  }
}

/**
 * Writes a skill into a new folder, all of it or nothing: it appears under its name once it is whole. Where somebody put
 * one there in the meantime, theirs stays. `scratch` is a folder on the same disk.
 */
export async function writeFolder(
  target: string,
  files: readonly BundleFile[],
  scratch = dirname(target),
): Promise<void> {
  await mkdir(scratch, { recursive: true });
  const temporary = join(scratch, `.${newId()}`);
  try {
    for (const { path, bytes, isExecutable } of files) {
      const file = join(temporary, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, bytes, { flag: "wx", mode: 0o644 });
      // No more than that: neither a changed owner nor anything else that a mode can say.
      if (isExecutable) await chmod(file, 0o755);
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await isFolder(target))) throw error;
  }
}

export async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() ?? false;
}
