import type { WebClient } from "@slack/web-api";
import { createDownloads, type InboundFile } from "../../src/chat/index.ts";
import { describe, errorCode } from "./errors.ts";
import { downloadBytes } from "./limits.ts";

export interface DownloadDeps {
  readonly client: WebClient;
  readonly botToken: string;
  readonly apiUrl: string;
  readonly redact: (text: string) => string;
}

/** The bytes of files that somebody sent. The address is asked for where it is not known or has changed. */
export function createDownload({ client, botToken, apiUrl, redact }: DownloadDeps) {
  const { gone, unavailable, bytesOf } = createDownloads("Slack", downloadBytes, (error) => redact(describe(error)));

  const addressOf = async (id: string): Promise<string> => {
    const found = await client.files.info({ file: id }).catch((error: unknown) => {
      const code = errorCode(error);
      throw code === "file_not_found" || code === "file_deleted" ? gone() : unavailable(error);
    });
    const url = found.file?.url_private_download ?? found.file?.url_private;
    if (url === undefined) throw gone();
    return url;
  };

  const get = async (url: string, signal: AbortSignal): Promise<Response> => {
    // The token goes to Slack only, whatever address stands in a payload.
    if (!isSlacks(url, apiUrl)) throw unavailable(new Error("the file is not at Slack"));
    const response = await fetch(url, { headers: { authorization: `Bearer ${botToken}` }, signal }).catch(
      (error: unknown) => {
        throw unavailable(error);
      },
    );
    // Without the permission for files Slack answers with the page to sign in, and status 200.
    if (response.ok && isPage(response)) throw unavailable(new Error("the permission files:read is missing"));
    return response;
  };

  return async (file: Pick<InboundFile, "id">, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> => {
    const [id = "", known] = file.id.split(" ");
    const response = await get(known ?? (await addressOf(id)), signal);
    if (response.status !== 404 || known === undefined) return bytesOf(response);
    await response.body?.cancel();
    return bytesOf(await get(await addressOf(id), signal));
  };
}

function isSlacks(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const at = new URL(url);
  return (
    at.origin === new URL(apiUrl).origin ||
    (at.protocol === "https:" && /(?:^|\.)slack(?:-files|-edge)?\.com$/u.test(at.hostname))
  );
}

function isPage(response: Response): boolean {
  const isHtml = /^text\/html\b/iu.test(response.headers.get("content-type") ?? "");
  const attached = /^attachment\b/iu.test(response.headers.get("content-disposition") ?? "");
  return isHtml && !attached && (response.redirected || !/\.html?$/iu.test(new URL(response.url).pathname));
}
