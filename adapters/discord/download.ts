import { createDownloads, type InboundFile } from "../../src/chat/index.ts";
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
  const { gone, tooLarge, unavailable, bytesOf } = createDownloads("Discord", downloadBytes, (error) =>
    redact(describe(error)),
  );
  const [channel = "", messageId = "", attachmentId = ""] = file.id.split("/");
  const message = await api.message(channel, messageId, signal).catch((error: unknown) => {
    throw isRefusal(error) ? gone() : unavailable(error);
  });
  const attachment = attachmentsOf(message).find(({ id }) => id === attachmentId);
  if (!attachment) throw gone();
  if (attachment.size > downloadBytes) throw tooLarge();
  const response = await fetch(attachment.url, { signal }).catch((error: unknown) => {
    throw unavailable(error);
  });
  return bytesOf(response);
}
