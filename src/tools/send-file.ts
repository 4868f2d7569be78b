import { constants } from "node:fs";
import { type FileHandle, mkdir, open, realpath, rm, stat } from "node:fs/promises";
import { basename, join, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { cleanText } from "../chat/index.ts";
import { newId, redact } from "../shared/index.ts";
import { said, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

const args = z.strictObject({
  path: z.string().min(1).max(4_000).describe("The file, in your workspace; relative to it or absolute."),
  caption: z.string().trim().max(900).optional().describe("One line shown with the file."),
});

const mostFiles = 10;
const mostBytes = 250 * 1024 * 1024;

export const sendFile: Tool<typeof args> = {
  name: "send_file",
  description:
    "Give the people in this conversation a file from your workspace. It is posted beneath your answer, as it is now. At most ten for each turn.",
  args,
  async run({ path, caption }, context) {
    if (context.files.queued >= mostFiles) {
      return said(
        `Not sent: ${mostFiles} files are already waiting, and that is the most for one turn. Pack several into one archive.`,
        false,
      );
    }
    const opened = await openInside(context.workspace, path);
    if (typeof opened === "string") return said(`Not sent: ${opened}`, false);
    try {
      return await send(opened, caption, context);
    } finally {
      await opened.file.close();
    }
  },
};

interface OpenedFile {
  readonly file: FileHandle;
  readonly name: string;
  readonly size: number;
}

/** Opens a regular file whose real place is in the workspace, or says why not. What is opened is what was checked. */
async function openInside(workspace: string, path: string): Promise<OpenedFile | string> {
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

async function send(
  { file, name, size }: OpenedFile,
  caption: string | undefined,
  context: ToolContext,
): Promise<ToolResult> {
  const { limitBytes, queuedBytes } = context.files;
  if (size === 0) return said("Not sent: the file is empty.", false);
  if (size > limitBytes) {
    return said(
      `Not sent: it is ${megabytes(size)} MB and this place takes ${megabytes(limitBytes)} MB. Make it smaller or cut it into parts.`,
      false,
    );
  }
  if (queuedBytes + size > mostBytes) {
    return said(`Not sent: together with the others it would be more than ${megabytes(mostBytes)} MB.`, false);
  }
  const path = await copyOut(file, name, size, context);
  const words = caption === undefined || caption === "" ? undefined : redact(cleanText(caption));
  await context.queueFile({ callId: context.callId, path, name, size, caption: words });
  return said(`The file ${JSON.stringify(name)} goes out with your answer. You need not mention its path.`);
}

/** Copies exactly the bytes that were measured: nobody can change what is sent once it was queued. */
async function copyOut(
  file: FileHandle,
  name: string,
  size: number,
  { outgoing, signal }: ToolContext,
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

function megabytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(1).replace(/\.0$/u, "");
}
