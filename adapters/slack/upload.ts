import { openAsBlob } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import {
  type Address,
  delivered,
  nothingSent,
  type OutboundFile,
  parseMarkdown,
  type Receipt,
  safeFileName,
  sizeToSend,
  toPlainText,
} from "../../src/chat/index.ts";
import { toFailure } from "./errors.ts";
import { channelPage, threadPage } from "./history.ts";
import { fallbackLimit, uploadBytes } from "./limits.ts";
import { clipped, escapeText } from "./render.ts";

export interface UploadDeps {
  readonly client: WebClient;
  readonly redact: (text: string) => string;
  readonly uploadMs: number;
  /** Between two looks for the message that shows the file, in milliseconds. */
  readonly lookMs: number;
}

/** Sends a file in Slack's three steps; until the last one nobody sees anything, so that failing before it is certain. */
export async function uploadFile(deps: UploadDeps, address: Address, file: OutboundFile): Promise<Receipt> {
  const { client, redact } = deps;
  const size = await sizeToSend(file, "Slack", uploadBytes);
  if (typeof size !== "number") return size;
  const name = safeFileName(file.name, "file");
  const id = await handOver(deps, file.path, name, size).catch((error: unknown) =>
    nothingSent(toFailure(error, redact)),
  );
  if (typeof id !== "string") return id;
  try {
    await client.files.completeUploadExternal({
      files: [{ id, title: name }],
      ...sharing(address),
      ...(file.caption ? { initial_comment: comment(file.caption) } : {}),
    });
  } catch (error) {
    return toFailure(error, redact);
  }
  return delivered((await messageOf(deps, address, id)) ?? id);
}

function sharing({ channel, thread }: Address) {
  return thread === undefined ? { channel_id: channel } : { channel_id: channel, thread_ts: thread };
}

async function handOver({ client, uploadMs }: UploadDeps, path: string, name: string, size: number): Promise<string> {
  const { upload_url: url, file_id: id } = await client.files.getUploadURLExternal({ filename: name, length: size });
  if (url === undefined || id === undefined) throw new Error("Slack named no place for the file");
  const response = await fetch(url, {
    method: "POST",
    body: await openAsBlob(path),
    headers: { "content-type": "application/octet-stream" },
    signal: AbortSignal.timeout(uploadMs),
  });
  if (!response.ok) throw new Error(`Slack did not take the file: status ${response.status}`);
  return id;
}

function comment(caption: string): string {
  return escapeText(clipped(toPlainText(parseMarkdown(caption)), fallbackLimit));
}

const shares = z.record(z.string(), z.record(z.string(), z.array(z.object({ ts: z.string() }))));

/** The message that shows the file. Slack makes it a moment after it said yes, and tells of it in one of two places. */
async function messageOf(
  { client, lookMs }: UploadDeps,
  { channel, thread }: Address,
  id: string,
): Promise<string | undefined> {
  for (let look = 0; look < 4; look += 1) {
    if (look > 0) await delay(lookMs * 2 ** look);
    const found = await client.files.info({ file: id }).catch(() => undefined);
    const known = shares.safeParse(found?.file?.shares).data ?? {};
    const shared = Object.values(known).flatMap((kind) => kind[channel] ?? [])[0]?.ts;
    if (shared !== undefined) return shared;
    const page = await (thread === undefined
      ? channelPage(client, channel, { limit: 20 })
      : threadPage(client, channel, thread, {})
    ).catch(() => undefined);
    const shows = page?.messages.find(({ files }) => files?.some((file) => file.id === id));
    if (shows) return shows.ts;
  }
  return undefined;
}
