import type { Message } from "@grammyjs/types";
import type { RequestBody, UploadedFile } from "./body.ts";
import { ApiFailure, badRequest } from "./failure.ts";
import { type Fields, newBotMessage, readText } from "./sending.ts";
import type { StoredFile, World } from "./world.ts";

type Files = RequestBody["files"];

const uploadLimit = 50 * 1024 * 1024;
const photoLimit = 10 * 1024 * 1024;

export function sendDocument(world: World, fields: Fields, files: Files): Message {
  return sendFile(world, fields, upload(world, fields.document, files, "document"), (file) => ({
    document: describe(file),
  }));
}

export function sendPhoto(world: World, fields: Fields, files: Files): Message {
  const file = upload(world, fields.photo, files, "photo");
  if (file.size > photoLimit) throw badRequest("file is too big for a photo");
  if (!isImage(file.bytes)) throw badRequest("IMAGE_PROCESS_FAILED");
  return sendFile(world, fields, file, () => ({ photo: sizesOf(file) }));
}

export function sendMediaGroup(world: World, fields: Fields, files: Files): Message[] {
  const media = (fields.media ?? []) as { type: string; media: string; caption?: string; parse_mode?: string }[];
  if (media.length < 2 || media.length > 10) throw badRequest("MULTI_MEDIA_INVALID");
  return media.map((item) => {
    const { type, media: source, ...caption } = item;
    const one = { ...fields, ...caption, [type]: source };
    return type === "photo" ? sendPhoto(world, one, files) : sendDocument(world, one, files);
  });
}

function sendFile(world: World, fields: Fields, file: StoredFile, content: (file: StoredFile) => Partial<Message>) {
  const { text, entities, source } = readText(fields, "caption");
  const { record, message, silent } = newBotMessage(world, fields);
  const sent: Message = {
    ...message,
    ...content(file),
    ...(text === "" ? {} : { caption: text }),
    ...(entities.length > 0 ? { caption_entities: entities } : {}),
  };
  return world.put(record, sent, { source, silent, file }).message;
}

function upload(world: World, field: unknown, files: Files, kind: string): StoredFile {
  const known = world.files.get(String(field));
  if (known) return known;
  const part = /^attach:\/\/(.*)$/.exec(String(field))?.[1] ?? kind;
  const sent = files.get(part);
  if (!sent) throw badRequest("wrong remote file identifier specified");
  if (sent.bytes.length > uploadLimit) throw new ApiFailure(413, "Request Entity Too Large");
  if (sent.bytes.length === 0) throw badRequest("file must be non-empty");
  return keep(world, kind, sent);
}

function keep(world: World, kind: string, sent: UploadedFile): StoredFile {
  const file = {
    id: world.nextFileId(kind),
    name: sent.name,
    mime: undefined,
    size: sent.bytes.length,
    bytes: sent.bytes,
  };
  world.files.set(file.id, file);
  return file;
}

export function describe(file: StoredFile) {
  return {
    file_id: file.id,
    file_unique_id: `u-${file.id}`,
    file_name: file.name,
    file_size: file.size,
    ...(file.mime === undefined ? {} : { mime_type: file.mime }),
  };
}

/** Telegram offers a picture in several sizes, the largest last. */
export function sizesOf(file: StoredFile) {
  const size = (width: number, height: number, suffix: string) => ({
    file_id: `${file.id}${suffix}`,
    file_unique_id: `u-${file.id}${suffix}`,
    width,
    height,
    file_size: suffix === "" ? file.size : Math.min(file.size, 900),
  });
  return [size(90, 60, "-small"), size(1280, 853, "")];
}

function isImage(bytes: Buffer): boolean {
  const starts = (...head: number[]) => head.every((byte, index) => bytes[index] === byte);
  return starts(0x89, 0x50, 0x4e, 0x47) || starts(0xff, 0xd8, 0xff) || starts(0x47, 0x49, 0x46) || starts(0x52, 0x49);
}
