import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { DownloadError } from "../../src/chat/index.ts";
import { words } from "./words.ts";

/** The bytes of a file on this machine. */
export async function openFile(path: string, limit: number, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const found = await stat(path).catch((error: unknown) => {
    throw new DownloadError("gone", words.noFile(path), error);
  });
  if (found.size > limit) throw new DownloadError("too_large", words.fileTooLarge);
  return createReadStream(path, { signal });
}
