import { createHmac } from "node:crypto";
import type { APIAttachment } from "discord-api-types/v10";
import type { SentFile } from "./types.ts";
import type { StoredFile, World } from "./world.ts";

/** Addresses of attachments are signed and end after a day; `POST /attachments/refresh-urls` gives fresh ones. */
const addressLivesMs = 24 * 3600 * 1000;

export function keepFile(world: World, { name, bytes, mime }: SentFile): StoredFile {
  // Discord replaces what it does not like in names.
  const safe = name.replaceAll(/[^\w.-]+/g, "_") || "unknown";
  const file = { id: world.newId(), name: safe, mime, bytes: Buffer.from(bytes) };
  world.files.set(file.id, file);
  return file;
}

export function describeFile(world: World, channelId: string, file: StoredFile, description?: string): APIAttachment {
  const url = signedAddress(world, channelId, file);
  return {
    id: file.id,
    filename: file.name,
    size: file.bytes.length,
    url,
    proxy_url: url,
    ...(file.mime === undefined ? {} : { content_type: file.mime }),
    ...(description === undefined ? {} : { description }),
    ...(file.mime?.startsWith("image/") ? { width: 16, height: 16 } : {}),
  };
}

function signedAddress(world: World, channelId: string, file: StoredFile): string {
  const path = `/attachments/${channelId}/${file.id}/${encodeURIComponent(file.name)}`;
  const issued = Math.floor(world.now() / 1000).toString(16);
  const expires = Math.floor((world.now() + addressLivesMs) / 1000).toString(16);
  return `${world.origin}${path}?ex=${expires}&is=${issued}&hm=${sign(path, expires)}&`;
}

const sign = (path: string, expires: string) =>
  createHmac("sha256", "stand-in").update(`${path}:${expires}`).digest("hex");

/** The file at an address; undefined where the address is wrong or too old. */
export function fileAt(world: World, url: URL): StoredFile | undefined {
  const [, id] = /^\/attachments\/\d+\/(\d+)\/[^/]+$/.exec(url.pathname) ?? [];
  const expires = url.searchParams.get("ex") ?? "0";
  if (url.searchParams.get("hm") !== sign(url.pathname, expires)) return undefined;
  if (Number.parseInt(expires, 16) * 1000 < world.now()) return undefined;
  return world.files.get(id ?? "");
}

/** A fresh address for one that may be too old; undefined for what is no attachment of ours. */
export function refreshAddress(world: World, address: string): string | undefined {
  const [, channelId, id] = /\/attachments\/(\d+)\/(\d+)\//.exec(address) ?? [];
  const file = world.files.get(id ?? "");
  return file && channelId !== undefined ? signedAddress(world, channelId, file) : undefined;
}
