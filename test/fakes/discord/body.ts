import type { IncomingMessage } from "node:http";
import { ApiFailure } from "./failure.ts";

export interface UploadedFile {
  /** The number in `files[n]`, which `attachments[].id` refers to. */
  readonly index: string;
  readonly name: string;
  readonly mime: string | undefined;
  readonly bytes: Buffer;
}

export interface RequestBody {
  readonly json: unknown;
  readonly files: readonly UploadedFile[];
}

const requestLimit = 25 * 1024 * 1024;

/** Reads a request: JSON, or multipart with `payload_json` and `files[n]`. */
export async function readBody(request: IncomingMessage): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  if (raw.length > requestLimit) throw new ApiFailure(413, 40005, "Request entity too large");
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("multipart/form-data")) return readForm(raw, type);
  if (raw.length === 0) return { json: undefined, files: [] };
  if (!type.startsWith("application/json")) {
    const message = `Expected "Content-Type" header to be one of {'application/json'}.`;
    throw new ApiFailure(400, 50035, "Invalid Form Body", {
      errors: { _errors: [{ code: "CONTENT_TYPE_INVALID", message }] },
    });
  }
  return { json: parse(raw.toString("utf8")), files: [] };
}

async function readForm(raw: Buffer, type: string): Promise<RequestBody> {
  const form = await new Response(new Uint8Array(raw), { headers: { "content-type": type } }).formData();
  const files: UploadedFile[] = [];
  let json: unknown = {};
  for (const [key, value] of form) {
    if (typeof value === "string") {
      if (key === "payload_json") json = parse(value);
    } else {
      const index = /^files?\[?(\d*)\]?$/.exec(key)?.[1] ?? key;
      const mime = value.type === "" ? undefined : value.type;
      files.push({ index, name: value.name, mime, bytes: Buffer.from(await value.arrayBuffer()) });
    }
  }
  return { json, files };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiFailure(400, 50109, "The request body contains invalid JSON.");
  }
}
