import { DownloadError, type InboundFile } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { describe, isRefusal } from "./errors.ts";
import { attachmentsOf } from "./files.ts";
import { downloadBytes } from "./limits.ts";

/** The bytes of an attachment. Addresses on Discord's file servers expire, so its message is asked for a fresh one. */
export async function downloadFile(
  api: Api,
  redact: (text: string) => string,
  file: Pick<InboundFile, "id">,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const unavailable = (error: unknown) =>
    new DownloadError("unavailable", `Discord did not hand over the file: ${redact(describe(error))}`);
  const gone = () => new DownloadError("gone", "Discord no longer has this file.");
  const [channel = "", messageId = "", attachmentId = ""] = file.id.split("/");
  const message = await api.message(channel, messageId, signal).catch((error: unknown) => {
    throw isRefusal(error) ? gone() : unavailable(error);
  });
  const attachment = attachmentsOf(message).find(({ id }) => id === attachmentId);
  if (!attachment) throw gone();
  if (attachment.size > downloadBytes) {
    throw new DownloadError("too_large", `I take files up to ${downloadBytes / (1024 * 1024)} MB.`);
  }
  const response = await fetch(attachment.url, { signal }).catch((error: unknown) => {
    throw unavailable(error);
  });
  if (response.status === 404) throw gone();
  if (!response.ok || !response.body) throw unavailable(new Error(`status ${response.status}`));
  return read(response.body, unavailable);
}

async function* read(body: AsyncIterable<Uint8Array>, unavailable: (error: unknown) => DownloadError) {
  try {
    yield* body;
  } catch (error) {
    throw unavailable(error);
  }
}
