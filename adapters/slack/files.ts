import { type InboundFile, safeFileName } from "../../src/chat/index.ts";
import type { SlackFile } from "./shapes.ts";

/** The files of a message that can be fetched. */
export function filesOf(files: readonly SlackFile[] | undefined): readonly InboundFile[] {
  return (files ?? []).filter(isHere).map((file) => ({
    id: fileKey(file),
    name: safeFileName(file.name ?? file.title ?? "", `file-${file.id}`),
    kind: kindOf(file),
    ...(file.mimetype ? { mime: file.mimetype } : {}),
    ...(file.size === undefined ? {} : { size: file.size }),
  }));
}

/** Links to files that live elsewhere, as lines of text: there is nothing to fetch at Slack. */
export function externalFiles(files: readonly SlackFile[] | undefined): readonly string[] {
  return (files ?? []).filter(isElsewhere).map((file) => {
    const name = safeFileName(file.title ?? file.name ?? "", file.id);
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
