import type { Api } from "grammy";
import { createDownloads, type InboundFile } from "../../src/chat/index.ts";
import { describe, isRefusal } from "./errors.ts";
import { downloadBytes } from "./limits.ts";

export interface DownloadDeps {
  readonly api: Api;
  readonly token: string;
  readonly apiRoot: string;
  readonly redact: (text: string) => string;
}

/** The bytes behind a `file_id`. Telegram gives bots up to 20 MB; the link it makes is good for an hour, the id for much longer. */
export async function downloadFile(
  { api, token, apiRoot, redact }: DownloadDeps,
  file: Pick<InboundFile, "id">,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { gone, tooLarge, unavailable, bytesOf } = createDownloads("Telegram", downloadBytes, (error) =>
    redact(describe(error)),
  );
  const found = await api.getFile(file.id).catch((error: unknown) => {
    if (isRefusal(error, /file is too big/i)) throw tooLarge();
    throw isRefusal(error, /./) ? gone() : unavailable(error);
  });
  if ((found.file_size ?? 0) > downloadBytes) throw tooLarge();
  const response = await fetch(`${apiRoot}/file/bot${token}/${found.file_path ?? ""}`, { signal }).catch(
    (error: unknown) => {
      throw unavailable(error);
    },
  );
  return bytesOf(response);
}
