import type { IncomingMessage, ServerResponse } from "node:http";
import { readBytes, readUpload } from "./body.ts";
import { clearStatus, readAuthor, readContent, readThread, writableChannel } from "./chat.ts";
import { announce } from "./events.ts";
import { ApiFailure } from "./failure.ts";
import { type Fields, nestedField, numberField, requiredField, textField } from "./fields.ts";
import { fileBody } from "./payload.ts";
import { richText } from "./text.ts";
import { type FileRecord, putMessage, type World } from "./world.ts";

/** First step of an upload: a name and a size for an address to send the bytes to. */
export function getUploadUrl(world: World, fields: Fields) {
  const name = requiredField(fields, "filename");
  const size = numberField(fields, "length", 0);
  if (size <= 0) throw new ApiFailure("missing_argument");
  const file = addFile(world, { name, size, user: world.bot.id, mime: mimeOf(name) });
  return { upload_url: `${world.origin}/upload/v1/${file.id}`, file_id: file.id };
}

/** Second step: the bytes, as they are or in a form. */
export async function takeUpload(world: World, id: string, request: IncomingMessage, response: ServerResponse) {
  const file = world.files.get(id);
  const bytes = await readUpload(await readBytes(request), request.headers["content-type"] ?? "");
  if (!file || file.complete || bytes.length !== file.size) {
    response.writeHead(file ? 400 : 404).end("invalid upload");
    return;
  }
  file.bytes = bytes;
  response.writeHead(200, { "content-type": "text/plain" }).end(`OK - ${bytes.length}`);
}

/** Last step: the files appear, as one message where a channel is given. */
export function completeUpload(world: World, fields: Fields) {
  const given = (nestedField(fields, "files") ?? []) as { id?: string; title?: string }[];
  if (!Array.isArray(given) || given.length === 0) throw new ApiFailure("invalid_arguments");
  const files = given.map(({ id, title }) => {
    const file = world.files.get(id ?? "");
    if (!file?.bytes || file.complete) throw new ApiFailure("file_not_found");
    return { file, title };
  });
  const target = textField(fields, "channel_id") ?? textField(fields, "channels");
  const channel = target === undefined ? undefined : writableChannel(world, target);
  const comment = textField(fields, "initial_comment") ?? "";
  const { blocks } = readContent(world, { blocks: fields.blocks });
  for (const { file, title } of files) {
    file.complete = true;
    file.title = title ?? file.name;
  }
  if (channel) {
    const made = comment === "" ? [] : [richText(comment, world.nextId("b").slice(-5))];
    const record = putMessage(world, channel, {
      ...readAuthor(world, {}),
      subtype: "file_share",
      text: comment,
      blocks: blocks ?? made,
      files: files.map(({ file }) => file.id),
      threadTs: readThread(fields),
    });
    clearStatus(channel, record.threadTs);
    announce(world, channel, record);
  }
  return { files: files.map(({ file }) => fileBody(world, file)) };
}

export function fileInfo(world: World, fields: Fields) {
  const file = world.files.get(requiredField(fields, "file"));
  if (!file?.complete) throw new ApiFailure("file_not_found");
  return { file: fileBody(world, file), comments: [] };
}

/** The bytes for who may read files; a page to sign in, with status 200, for everybody else. */
export function sendFile(world: World, path: string, authorization: string, response: ServerResponse): void {
  const id = /^\/files-pri\/[^/-]+-([^/]+)\//.exec(path)?.[1] ?? "";
  const file = world.files.get(id);
  if (authorization !== `Bearer ${world.botToken}` || !world.scopes.has("files:read")) {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end("<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body></body></html>");
  } else if (!file?.bytes) {
    response.writeHead(404, { "content-type": "text/html; charset=utf-8" }).end("<!DOCTYPE html>");
  } else {
    const length = file.bytes.length;
    response.writeHead(200, { "content-type": file.mime, "content-length": length }).end(file.bytes);
  }
}

export function addFile(
  world: World,
  given: Pick<FileRecord, "name" | "size" | "user" | "mime"> & Partial<FileRecord>,
): FileRecord {
  const file: FileRecord = {
    id: world.nextId("F"),
    title: given.name,
    created: Math.floor(world.now() / 1000),
    external: false,
    bytes: undefined,
    complete: false,
    ...given,
  };
  world.files.set(file.id, file);
  return file;
}

const mimes: Readonly<Record<string, string>> = {
  txt: "text/plain",
  md: "text/markdown",
  png: "image/png",
  jpg: "image/jpeg",
  pdf: "application/pdf",
  json: "application/json",
  csv: "text/csv",
};

export function mimeOf(name: string): string {
  return mimes[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
