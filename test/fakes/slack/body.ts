import type { IncomingMessage } from "node:http";
import type { Fields } from "./fields.ts";

/** Reads the body of a request whole. */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The arguments of a Web API call: URL-encoded, JSON (which needs its header) or multipart, and the query string. */
export async function readFields(raw: Buffer, type: string, query: URLSearchParams): Promise<Fields> {
  const fields: Record<string, unknown> = Object.fromEntries(query);
  if (raw.length === 0) return fields;
  if (type.startsWith("application/json")) Object.assign(fields, JSON.parse(raw.toString("utf8")));
  else if (type.startsWith("multipart/form-data")) Object.assign(fields, Object.fromEntries(await formOf(raw, type)));
  else Object.assign(fields, Object.fromEntries(new URLSearchParams(raw.toString("utf8"))));
  return fields;
}

/** What was posted to an upload address: the bytes themselves, or the first file of a form. */
export async function readUpload(raw: Buffer, type: string): Promise<Buffer> {
  if (!type.startsWith("multipart/form-data")) return raw;
  for (const [, value] of await formOf(raw, type)) {
    if (typeof value !== "string") return Buffer.from(await value.arrayBuffer());
  }
  return Buffer.alloc(0);
}

function formOf(raw: Buffer, type: string): Promise<FormData> {
  return new Response(new Uint8Array(raw), { headers: { "content-type": type } }).formData();
}
