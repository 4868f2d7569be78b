import { type Adapter, DownloadError } from "../chat/index.ts";
import type { Log } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { Words } from "../words/index.ts";
import { type AttachmentRow, listAttachments, markSkipped, markStored } from "./attachments.store.ts";
import { type Budget, saveStream, TooMuchError } from "./attachments-download.ts";
import { safeFileName } from "./attachments-name.ts";
import type { StoredFile } from "./types.ts";
import { ownFolder } from "./workspace-folders.ts";

export interface FetchAttachmentsRequest {
  readonly db: Db;
  readonly adapter: Adapter;
  readonly messageIds: readonly string[];
  /** The workspace folder, absolute. */
  readonly workspace: string;
  readonly words: Words;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Milliseconds one download may take; 60,000 when absent. */
  readonly timeoutMs?: number | undefined;
}

const mostFiles = 10;
const mostBytes = 250 * 1024 * 1024;
const atATime = 4;
const defaultTimeoutMs = 60_000;

/**
 * Fetches what was sent with these messages into `uploads/` of the workspace. Whatever a file, a disk or a platform does
 * becomes a sentence in the file's `problem`; only the database's errors come through. Fetched files are not fetched again.
 */
export async function fetchAttachments(request: FetchAttachmentsRequest): Promise<StoredFile[]> {
  const rows = await listAttachments(request.db, request.messageIds);
  const stored = rows.filter((row) => row.state === "stored");
  const budget: Budget = { left: mostBytes - stored.reduce((sum, row) => sum + (row.size ?? 0), 0) };
  const files = new Map(rows.map((row) => [row.id, known(row)]));
  const pending = rows.filter((row) => row.state === "pending");
  const allowed = Math.max(0, mostFiles - stored.length);
  for (const row of pending.slice(allowed)) {
    files.set(row.id, await skip(request, row, request.words.files.tooMany(mostFiles, row.hasText)));
  }
  const queue = pending.slice(0, allowed);
  const worker = async () => {
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      files.set(row.id, await fetchOne(request, row, budget));
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return [...files.values()];
}

async function fetchOne(request: FetchAttachmentsRequest, row: AttachmentRow, budget: Budget): Promise<StoredFile> {
  const { words, adapter, db } = request;
  const limit = adapter.capabilities.limits.fileInBytes;
  const platform = platformName(adapter);
  if (adapter.download === undefined) return await skip(request, row, words.files.notHere(platform, row.hasText));
  if (row.size !== null && row.size > limit) {
    return await skip(request, row, words.files.tooLarge(row.size, limit, platform, row.hasText));
  }
  if ((row.size ?? 0) > budget.left) return await skip(request, row, words.files.tooMuch(mostBytes, row.hasText));
  let saved: { path: string; size: number };
  try {
    saved = await download(request, row, limit, budget);
  } catch (error) {
    const problem = problemOf(request, row, error);
    // Stopped, not failed: whoever tries again may still get it.
    if (request.signal.aborted) return { ...known(row), problem };
    request.log.info({ err: error, attachmentId: row.id }, "a file could not be fetched");
    return await skip(request, row, problem);
  }
  await markStored(db, row.id, saved);
  return { ...known(row), path: saved.path, size: saved.size };
}

async function download(request: FetchAttachmentsRequest, row: AttachmentRow, limit: number, budget: Budget) {
  const { adapter, workspace, signal } = request;
  const timeout = AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  const folder = await ownFolder(workspace, "uploads");
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => {});
  either.addEventListener("abort", () => aborted.reject(either.reason), { once: true });
  either.throwIfAborted();
  const opening = adapter.download?.({ id: row.platformFileId }, either) ?? aborted.promise;
  const bytes = await Promise.race([opening, aborted.promise]);
  return await saveStream({ folder, name: safeFileName(row.name), bytes, limit, budget, signal: either });
}

function problemOf({ words: { files }, adapter }: FetchAttachmentsRequest, row: AttachmentRow, error: unknown): string {
  const platform = platformName(adapter);
  const limit = adapter.capabilities.limits.fileInBytes;
  if (error instanceof TooMuchError) {
    return error.reason === "file"
      ? files.tooLarge(undefined, limit, platform, row.hasText)
      : files.tooMuch(mostBytes, row.hasText);
  }
  if (error instanceof DownloadError) {
    if (error.kind === "too_large") return files.tooLarge(row.size ?? undefined, limit, platform, row.hasText);
    return error.kind === "gone" ? files.gone(platform, row.hasText) : files.unavailable(platform, row.hasText);
  }
  if (error instanceof Error && error.name === "TimeoutError") return files.slow(platform, row.hasText);
  const fromDisk = error instanceof Error && "syscall" in error && "path" in error;
  return fromDisk ? files.notSaved(row.hasText) : files.unavailable(platform, row.hasText);
}

async function skip(request: FetchAttachmentsRequest, row: AttachmentRow, problem: string): Promise<StoredFile> {
  await markSkipped(request.db, row.id, problem);
  return { ...known(row), problem };
}

function known(row: AttachmentRow): StoredFile {
  return {
    messageId: row.messageId,
    name: safeFileName(row.name),
    kind: row.kind,
    ...(row.mime !== null && { mime: row.mime }),
    ...(row.size !== null && { size: row.size }),
    ...(row.path !== null && { path: row.path }),
    ...(row.problem !== null && { problem: row.problem }),
  };
}

/** `telegram` is an adapter's name for itself; people write it with a capital. */
function platformName({ platform }: Adapter): string {
  return platform.charAt(0).toUpperCase() + platform.slice(1);
}
