import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "../shared/index.ts";
import { numberedName } from "./attachments-name.ts";
import { hasCode } from "./workspace-folders.ts";

/** The stream held more than it may; what was written of it is removed. */
export class TooMuchError extends Error {
  override readonly name = "TooMuchError";
  /** Whether this file is too large, or all of them together. */
  readonly reason: "file" | "all";
  constructor(reason: "file" | "all") {
    super(`a download went past its limit (${reason})`);
    this.reason = reason;
  }
}

/** Bytes that a set of downloads may take together. */
export interface Budget {
  left: number;
}

export interface Download {
  readonly folder: string;
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The most this file may hold. */
  readonly limit: number;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** Writes a stream to a new file, piece by piece, under the first free name. A failure leaves nothing behind. */
export async function saveStream(download: Download): Promise<{ path: string; size: number }> {
  const { file, path } = await openNew(download.folder, download.name);
  let size = 0;
  try {
    for await (const piece of abortable(download.bytes, download.signal)) {
      size += piece.byteLength;
      download.budget.left -= piece.byteLength;
      if (size > download.limit) throw new TooMuchError("file");
      if (download.budget.left < 0) throw new TooMuchError("all");
      await file.writeFile(piece);
    }
    await file.close();
    return { path, size };
  } catch (error) {
    download.budget.left += size;
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}

/** Exclusive creation is what makes this safe: a link or file that is already there is never written through. */
async function openNew(folder: string, name: string) {
  for (let number = 1; ; number += 1) {
    // Every photo of a chat has the same name: after some tries chance is faster than counting.
    const suffix = number <= 20 ? number : newId().slice(-12);
    const path = join(folder, numberedName(name, suffix));
    try {
      return { path, file: await open(path, "wx", 0o644) };
    } catch (error) {
      if (!hasCode(error, "EEXIST") || number >= 100) throw error;
    }
  }
}

/** Ends with the signal's reason even where the source does not care about the signal. */
async function* abortable(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a source that hangs would hang here too.
    iterator.return?.().catch(() => {});
  }
}
