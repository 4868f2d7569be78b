import type { WebClient } from "@slack/web-api";
import { DownloadError, type InboundFile } from "../../src/chat/index.ts";
import { describe, errorCode } from "./errors.ts";
import { downloadBytes } from "./limits.ts";

export interface DownloadDeps {
  readonly client: WebClient;
  readonly botToken: string;
  readonly apiUrl: string;
  readonly redact: (text: string) => string;
}

/** The bytes of a file that somebody sent. The address is asked for where it is not known or has changed. */
export async function downloadFile(
  deps: DownloadDeps,
  file: Pick<InboundFile, "id">,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const [id = "", known] = file.id.split(" ");
  const url = known ?? (await addressOf(deps, id));
  const response = await get(deps, url, signal);
  if (response.status !== 404 || known === undefined) return bytesOf(response, deps);
  await response.body?.cancel();
  return bytesOf(await get(deps, await addressOf(deps, id), signal), deps);
}

async function addressOf({ client, redact }: DownloadDeps, id: string): Promise<string> {
  const found = await client.files.info({ file: id }).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === "file_not_found" || code === "file_deleted") throw gone();
    throw unavailable(error, redact);
  });
  const url = found.file?.url_private_download ?? found.file?.url_private;
  if (url === undefined) throw gone();
  return url;
}

async function get({ botToken, apiUrl, redact }: DownloadDeps, url: string, signal: AbortSignal): Promise<Response> {
  // The token goes to Slack only, whatever address stands in a payload.
  if (!isSlacks(url, apiUrl)) throw unavailable(new Error("the file is not at Slack"), redact);
  return fetch(url, { headers: { authorization: `Bearer ${botToken}` }, signal }).catch((error: unknown) => {
    throw unavailable(error, redact);
  });
}

function isSlacks(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const at = new URL(url);
  return (
    at.origin === new URL(apiUrl).origin ||
    (at.protocol === "https:" && /(?:^|\.)slack(?:-files|-edge)?\.com$/u.test(at.hostname))
  );
}

function bytesOf(response: Response, { redact }: DownloadDeps): AsyncIterable<Uint8Array> {
  if (response.status === 404 || response.status === 410) throw gone();
  if (!response.ok || !response.body) throw unavailable(new Error(`status ${response.status}`), redact);
  // Without the permission for files Slack answers with the page to sign in, and status 200.
  if (isPage(response)) throw unavailable(new Error("the permission files:read is missing"), redact);
  if (Number(response.headers.get("content-length") ?? 0) > downloadBytes) throw tooLarge();
  return read(response.body, redact);
}

function isPage(response: Response): boolean {
  const isHtml = /^text\/html\b/iu.test(response.headers.get("content-type") ?? "");
  const attached = /^attachment\b/iu.test(response.headers.get("content-disposition") ?? "");
  return isHtml && !attached && (response.redirected || !/\.html?$/iu.test(new URL(response.url).pathname));
}

async function* read(body: AsyncIterable<Uint8Array>, redact: (text: string) => string) {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > downloadBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof DownloadError ? error : unavailable(error, redact);
  }
}

function gone(): DownloadError {
  return new DownloadError("gone", "Slack no longer has this file.");
}

function tooLarge(): DownloadError {
  return new DownloadError("too_large", `I take files up to ${downloadBytes / (1024 * 1024)} MB from Slack.`);
}

function unavailable(error: unknown, redact: (text: string) => string): DownloadError {
  return new DownloadError("unavailable", `Slack did not hand over the file: ${redact(describe(error))}`);
}
