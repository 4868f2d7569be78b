import type { IncomingMessage } from "node:http";

export interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface RequestBody {
  readonly fields: Record<string, unknown>;
  readonly files: ReadonlyMap<string, UploadedFile>;
}

/** Reads a request to the Bot API: JSON, URL-encoded or multipart, plus the query string. */
export async function readBody(request: IncomingMessage, url: URL): Promise<RequestBody> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const type = request.headers["content-type"] ?? "";
  const fields: Record<string, unknown> = fromStrings(url.searchParams);
  if (type.startsWith("multipart/form-data")) {
    const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1] ?? "";
    const parts = splitMultipart(raw, boundary);
    const texts = parts.filter((part) => part.fileName === undefined);
    Object.assign(fields, fromStrings(texts.map((part) => [part.name, part.bytes.toString("utf8")])));
    const files = parts.flatMap((part) =>
      part.fileName === undefined ? [] : [[part.name, { name: part.fileName, bytes: part.bytes }] as const],
    );
    return { fields, files: new Map(files) };
  }
  if (type.startsWith("application/json") && raw.length > 0) Object.assign(fields, JSON.parse(raw.toString("utf8")));
  else if (raw.length > 0) Object.assign(fields, fromStrings(new URLSearchParams(raw.toString("utf8"))));
  return { fields, files: new Map() };
}

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly bytes: Buffer;
}

/** By hand: grammY writes header names in lower case, without spaces and without quotes, which strict parsers refuse. */
function splitMultipart(raw: Buffer, boundary: string): Part[] {
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  let start = raw.indexOf(delimiter);
  while (start !== -1) {
    const end = raw.indexOf(delimiter, start + delimiter.length);
    if (end === -1) break;
    // Between a delimiter's line end and the line end before the next delimiter.
    const part = raw.subarray(start + delimiter.length + 2, end - 2);
    const headerEnd = part.indexOf("\r\n\r\n");
    if (headerEnd !== -1) {
      const header = part.subarray(0, headerEnd).toString("utf8");
      parts.push({
        name: /\bname="?([^";\r\n]*)"?/i.exec(header)?.[1] ?? "",
        fileName: /\bfilename=(?:"([^"\r\n]*)"|([^\r\n]*))/i
          .exec(header)
          ?.slice(1)
          .find((value) => value !== undefined),
        bytes: part.subarray(headerEnd + 4),
      });
    }
    start = end;
  }
  return parts;
}

/** Forms carry strings; objects, numbers and booleans are read from them as the Bot API does. */
function fromStrings(pairs: Iterable<readonly [string, string]>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [key, value] of pairs) fields[key] = readValue(key, value);
  return fields;
}

const textFields = new Set([
  "text",
  "caption",
  "callback_query_id",
  "file_id",
  "name",
  "parse_mode",
  "html",
  "markdown",
]);

function readValue(key: string, value: string): unknown {
  if (textFields.has(key)) return value;
  if (value === "true" || value === "false") return value === "true";
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  if (/^[[{]/.test(value)) {
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }
  return value;
}
