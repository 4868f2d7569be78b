import type { InboundFile } from "../../src/chat/index.ts";
import type { SlackFile } from "./shapes.ts";

/** The files of a message that can be fetched. */
export function filesOf(files: readonly SlackFile[] | undefined): readonly InboundFile[] {
  return (files ?? []).filter(isHere).map((file) => ({
    id: fileKey(file),
    name: safeName(file.name ?? file.title ?? "", `file-${file.id}`),
    kind: kindOf(file),
    ...(file.mimetype ? { mime: file.mimetype } : {}),
    ...(file.size === undefined ? {} : { size: file.size }),
  }));
}

/** Links to files that live elsewhere, as lines of text: there is nothing to fetch at Slack. */
export function externalFiles(files: readonly SlackFile[] | undefined): readonly string[] {
  return (files ?? []).filter(isElsewhere).map((file) => {
    const name = safeName(file.title ?? file.name ?? "", file.id);
    return file.external_url ? `${name}: ${file.external_url}` : name;
  });
}

function isElsewhere({ mode, is_external: external }: SlackFile): boolean {
  return external === true || mode === "external";
}

/** Deleted ones and those beyond the free plan's limit are only named. */
function isHere(file: SlackFile): boolean {
  return !isElsewhere(file) && file.mode !== "tombstone" && file.mode !== "hidden_by_limit";
}

/** Slack's id and, where it is told, the address; of files from other workspaces it is asked for later. */
function fileKey({ id, url_private_download: download, url_private: page }: SlackFile): string {
  const url = download ?? page;
  return url === undefined ? id : `${id} ${url}`;
}

function kindOf({ mimetype = "", subtype }: SlackFile): InboundFile["kind"] {
  if (subtype === "slack_audio") return "voice";
  if (mimetype.startsWith("image/") && mimetype !== "image/svg+xml") return "photo";
  if (mimetype.startsWith("audio/")) return "audio";
  if (mimetype.startsWith("video/")) return "video";
  return "document";
}

const longestName = 120;

/** A file name that is only a name: no folders, no control or bidirectional characters, not hidden, not endless. */
export function safeName(name: string, fallback: string): string {
  const base = name
    .toWellFormed()
    .split(/[/\\]/u)
    .at(-1)
    ?.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .replace(/[<>:"|?*;]/gu, "_")
    .replace(/^[.\s]+|[.\s]+$/gu, "");
  if (!base) return fallback;
  if (base.length <= longestName) return base;
  const extension = /\.[^.]{1,10}$/u.exec(base)?.[0] ?? "";
  return base.slice(0, longestName - extension.length).toWellFormed() + extension;
}
