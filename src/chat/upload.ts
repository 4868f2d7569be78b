import { stat } from "node:fs/promises";
import type { OutboundFile } from "./post.ts";
import { failed, type Receipt } from "./receipt.ts";

/** The size of a file that is to be sent, in bytes; a receipt where the platform would not take it. */
export async function sizeToSend(
  { path }: Pick<OutboundFile, "path">,
  platform: string,
  mostBytes: number,
): Promise<number | Receipt> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: unknown) => String(error),
  );
  if (typeof size === "string") return failed("rejected", `The file cannot be read: ${size}`);
  if (size === 0) return failed("rejected", `The file is empty; ${platform} takes no empty files.`);
  if (size <= mostBytes) return size;
  return failed("rejected", `The file is ${megabytes(size)} MB; ${platform} takes ${megabytes(mostBytes)} here.`);
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / (1024 * 1024));
}
