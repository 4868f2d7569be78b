import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { cleanText } from "../chat/index.ts";
import { redact } from "../shared/index.ts";
import { copyOut, type OpenedFile, openInside } from "./outgoing-file.ts";
import { said, type Tool, type ToolContext } from "./tool.ts";

const mostFiles = 10;
const mostBytes = 250 * 1024 * 1024;

const file = z.strictObject({
  path: z.string().min(1).max(4_000).describe("In your workspace; relative to it or absolute."),
  caption: z.string().trim().max(900).optional().describe("One line shown with the file."),
});

const args = z.strictObject({ files: z.array(file).min(1).max(50) });

type Wanted = z.infer<typeof file>;

/** Each file goes or stays by itself: one that cannot be sent keeps none of the others back. */
export const attachFiles: Tool<typeof args> = {
  name: "attach_files_to_response",
  description: `Give the people in this conversation files from your workspace. They are posted beneath your answer, as they are now. At most ${mostFiles} for each turn.`,
  args,
  async run({ files }, context) {
    const attached: string[] = [];
    const skipped: string[] = [];
    for (const [index, wanted] of files.entries()) {
      const problem = await attach(wanted, index, context);
      if (problem === null) attached.push(JSON.stringify(wanted.path));
      else skipped.push(`- ${JSON.stringify(wanted.path)}: ${problem}`);
    }
    const good = attached.length === 0 ? [] : [`Attached: ${attached.join(", ")}. You need not mention their paths.`];
    const bad = skipped.length === 0 ? [] : ["Not attached:", ...skipped];
    return said([...good, ...bad].join("\n"), attached.length > 0);
  },
};

/** Null when it goes out with the answer; else why not. */
async function attach({ path, caption }: Wanted, index: number, context: ToolContext): Promise<string | null> {
  const key = `${context.callId}#${index}`;
  if (context.files.has(key)) return null;
  const early = noRoom(context, 0);
  if (early !== null) return early;
  const opened = await openInside(context.workspace, path);
  if (typeof opened === "string") return opened;
  try {
    return (await unfit(opened, context)) ?? (await send(opened, { key, caption }, context));
  } finally {
    await opened.file.close();
  }
}

async function unfit({ size }: OpenedFile, context: ToolContext): Promise<string | null> {
  const { limitBytes } = context.files;
  if (size === 0) return "the file is empty.";
  if (size <= limitBytes) return noRoom(context, size);
  return `it is ${megabytes(size)} MB and this place takes ${megabytes(limitBytes)} MB. Make it smaller or cut it into parts.`;
}

function noRoom({ files }: ToolContext, size: number): string | null {
  if (files.queued() >= mostFiles) {
    return `${mostFiles} files are already waiting, and that is the most for one turn. Pack several into one archive.`;
  }
  if (files.queuedBytes() + size > mostBytes) {
    return `together with the others it would be more than ${megabytes(mostBytes)} MB.`;
  }
  return null;
}

async function send(
  { file: source, name, size }: OpenedFile,
  { key, caption }: { readonly key: string; readonly caption: string | undefined },
  context: ToolContext,
): Promise<string | null> {
  const path = await copyOut(source, name, size, context);
  // Calls of one response run side by side: another may have taken the last place meanwhile.
  const late = noRoom(context, size);
  if (late !== null) {
    await rm(dirname(path), { recursive: true, force: true });
    return late;
  }
  const words = caption === undefined || caption === "" ? undefined : redact(cleanText(caption));
  context.files.add({ key, path, name, size, caption: words });
  return null;
}

function megabytes(bytes: number): string {
  return (bytes / (1024 * 1024)).toFixed(1).replace(/\.0$/u, "");
}
