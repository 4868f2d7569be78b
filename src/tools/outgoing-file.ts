import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rm, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { newId } from "../shared/index.ts";
import type { ToolContext } from "./tool.ts";

export interface OpenedFile {
  readonly file: FileHandle;
  readonly name: string;
  readonly size: number;
}

/** Opens a regular file whose real place is in the workspace, or says why not. What is opened is what was checked. */
export async function openInside(workspace: string, path: string): Promise<OpenedFile | string> {
  const root = await realpath(workspace);
  const found = await realpath(resolve(root, path)).catch(() => undefined);
  if (found === undefined) return "there is no such file. Check the path.";
  if (!found.startsWith(root + sep)) return "that file is outside your workspace. Only files in it can be sent.";
  // O_NONBLOCK: opening a pipe would wait for its other end for ever.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(found, flags).catch(() => undefined);
  if (file === undefined) return "that file cannot be read.";
  const opened = await file.stat();
  if (!opened.isFile()) {
    await file.close();
    return "that is not a file. Pack a folder into an archive first.";
  }
  // A folder on the way could have become a link between the check and the opening: look once more where it lies.
  const again = await realpath(found)
    .then(stat)
    .catch(() => undefined);
  if ((await realpath(found).catch(() => "")) !== found || again?.ino !== opened.ino || again.dev !== opened.dev) {
    await file.close();
    return "that file changed while it was opened. Try again.";
  }
  return { file, name: basename(resolve(root, path)), size: opened.size };
}

/** Copies exactly the bytes that were measured: nobody can change what is sent once it was queued. */
export async function copyOut(
  file: FileHandle,
  name: string,
  size: number,
  { outgoing, signal }: Pick<ToolContext, "outgoing" | "signal">,
): Promise<string> {
  // Under its own name: at a terminal a person opens it by its path.
  const folder = join(outgoing, newId());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const copy = await open(path, "wx", 0o600);
  try {
    await pipeline(file.createReadStream({ start: 0, end: size - 1, autoClose: false }), copy.createWriteStream(), {
      signal,
    });
    return path;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
