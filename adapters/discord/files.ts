import { type APIAttachment, type APIMessage, MessageFlags } from "discord.js";
import { type InboundFile, safeFileName } from "../../src/chat/index.ts";

/** The files of a message, and of the one it forwards. Their addresses expire within a day, so an id says where to ask for a fresh one. */
export function filesOf(
  message: Pick<APIMessage, "id" | "channel_id" | "flags" | "attachments" | "message_snapshots">,
): InboundFile[] {
  const isVoice = ((message.flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
  return attachmentsOf(message).map((file) => ({
    id: `${message.channel_id}/${message.id}/${file.id}`,
    name: safeFileName(file.filename, `file-${file.id}`),
    kind: kindOf(file, isVoice),
    size: file.size,
    ...(file.content_type === undefined ? {} : { mime: file.content_type.split(";")[0] ?? file.content_type }),
  }));
}

export function attachmentsOf(
  message: Partial<Pick<APIMessage, "attachments" | "message_snapshots">>,
): APIAttachment[] {
  const forwarded = (message.message_snapshots ?? []).flatMap((snapshot) => snapshot.message.attachments ?? []);
  return [...(message.attachments ?? []), ...forwarded];
}

function kindOf({ content_type: mime = "", width }: APIAttachment, isVoice: boolean): InboundFile["kind"] {
  if (isVoice) return "voice";
  if (mime.startsWith("image/") && width) return "photo";
  if (mime.startsWith("audio/")) return "audio";
  return mime.startsWith("video/") ? "video" : "document";
}
