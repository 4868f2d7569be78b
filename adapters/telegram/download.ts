import type { Api } from "grammy";
import { DownloadError, type InboundFile } from "../../src/chat/index.ts";
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
  const unavailable = (error: unknown) =>
    new DownloadError("unavailable", `Telegram did not hand over the file: ${redact(describe(error))}`);
  const found = await api.getFile(file.id).catch((error: unknown) => {
    if (isRefusal(error, /file is too big/i)) throw tooLarge();
    if (isRefusal(error, /./)) throw new DownloadError("gone", "Telegram no longer has this file.");
    throw unavailable(error);
  });
  if ((found.file_size ?? 0) > downloadBytes) throw tooLarge();
  const response = await fetch(`${apiRoot}/file/bot${token}/${found.file_path ?? ""}`, { signal }).catch(
    (error: unknown) => {
      throw unavailable(error);
    },
  );
  if (response.status === 404) throw new DownloadError("gone", "Telegram no longer has this file.");
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

function tooLarge(): DownloadError {
  return new DownloadError("too_large", `Telegram gives bots files up to ${downloadBytes / (1024 * 1024)} MB.`);
}
