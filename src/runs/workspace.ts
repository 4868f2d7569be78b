import { mkdir, realpath } from "node:fs/promises";
import { ownFolder } from "./workspace-folders.ts";

export interface Workspace {
  /** Absolute, links resolved: the teammate's current folder. */
  readonly path: string;
  /** Absolute: where copies of files to be sent wait, outside every workspace so that nobody changes them any more. */
  readonly outgoing: string;
}

/** Makes a teammate's folders, below SHIPMATE_HOME. Whatever stands in their place and is no folder of ours goes. */
export async function makeWorkspace(home: string, handle: string): Promise<Workspace> {
  const root = await realpath(home).catch(async () => {
    await mkdir(home, { recursive: true });
    return realpath(home);
  });
  const path = await ownFolder(await ownFolder(root, "workspaces"), folderName(handle));
  const [outgoing] = await Promise.all([ownFolder(root, "outgoing"), ownFolder(path, "uploads")]);
  return { path, outgoing };
}

/** Handles are lower-case words; anything else becomes a dash, so that no handle is a path. */
function folderName(handle: string): string {
  const name = handle.toLowerCase().replaceAll(/[^a-z0-9_-]+/gu, "-");
  return name === "" || name === "-" ? "teammate" : name;
}
