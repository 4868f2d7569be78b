import { constants } from "node:fs";
import { lstat, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../shared/index.ts";

/**
 * Makes a folder directly inside another one, and makes sure it is a folder and no symbolic link: whoever may write in
 * the parent could have put one there to lead us elsewhere. A link or file in its place is removed.
 */
export async function ownFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  const found = await lstat(path).catch(absentIsUndefined);
  if (found?.isDirectory() === true) return path;
  if (found !== undefined) await unlink(path);
  await mkdir(path).catch((error: unknown) => {
    // Somebody else made it at the same moment; what it is was not checked, so look again.
    if (!hasCode(error, "EEXIST")) throw error;
  });
  if (!(await lstat(path)).isDirectory()) throw new Error(`${name} in the workspace is not a folder`);
  return path;
}

/** The text of a regular file, at most 256 KiB; undefined for anything else, and for a file that has a second name elsewhere. Follows no link. */
export async function readOwnFile(path: string): Promise<string | undefined> {
  // O_NONBLOCK: opening a pipe would wait for its other end for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    const isOwn = found.isFile() && found.nlink === 1;
    return isOwn && found.size <= 256 * 1024 ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}

/** Replaces a file in one step; a symbolic link in its place is replaced, never followed. */
export async function writeOwnFile(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `.${name}.${newId()}`);
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  const target = join(folder, name);
  try {
    await rename(temporary, target);
  } catch (error) {
    if (!hasCode(error, "EISDIR") && !hasCode(error, "ENOTEMPTY")) {
      await rm(temporary, { force: true });
      throw error;
    }
    await rm(target, { recursive: true });
    await rename(temporary, target);
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function absentIsUndefined(error: unknown): undefined {
  if (hasCode(error, "ENOENT")) return undefined;
  throw error;
}
