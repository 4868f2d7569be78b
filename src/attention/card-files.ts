import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Deletes the details of cards that were written before then. How many it were. */
export async function forgetCardFiles(folder: string, before: Date): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let gone = 0;
  for (const name of names) {
    const path = join(folder, name);
    const written = await stat(path).catch(() => undefined);
    if (written === undefined || !written.isFile() || written.mtime >= before) continue;
    await rm(path, { force: true });
    gone += 1;
  }
  return gone;
}
