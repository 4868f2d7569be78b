import type { Adapter } from "../chat/index.ts";
import type { Log } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { Words } from "../words/index.ts";

/** A file somebody sent, after we tried to fetch it. */
export interface StoredFile {
  readonly attachmentId: string;
  readonly messageId: string;
  /** As the platform named it, last path segment only. Text from outside. */
  readonly name: string;
  readonly kind: "photo" | "document" | "voice" | "audio" | "video";
  readonly mime: string | null;
  readonly size: number | null;
  /** Below the workspace, with forward slashes; null when it is not there. */
  readonly path: string | null;
  /** Absolute; null when it is not there. */
  readonly absolutePath: string | null;
  /** Why it is not there, as a sentence for the person and the prompt. */
  readonly problem: string | null;
}

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

/** Fetches what was sent with these messages. Whatever a file or platform does becomes a problem, never an error. */
export async function fetchAttachments(_request: FetchAttachmentsRequest): Promise<StoredFile[]> {
  throw new Error("not built yet");
}
