import type { Message } from "grammy/types";
import { type InboundFile, safeFileName } from "../../src/chat/index.ts";

interface Media {
  readonly file_id: string;
  readonly file_name?: string;
  readonly mime_type?: string;
  readonly file_size?: number;
}

/** The files of a message; of a photo the largest size. */
export function filesOf(message: Message): readonly InboundFile[] {
  const id = message.message_id;
  const { photo, voice, audio, video, video_note: round, animation, document } = message;
  const largest = photo?.reduce((best, size) => (size.width * size.height > best.width * best.height ? size : best));
  if (largest) return [toFile("photo", { ...largest, mime_type: "image/jpeg" }, `photo-${id}.jpg`)];
  if (voice) return [toFile("voice", voice, `voice-${id}.ogg`)];
  if (audio) return [toFile("audio", audio, `audio-${id}.mp3`)];
  if (video) return [toFile("video", video, `video-${id}.mp4`)];
  if (round) return [toFile("video", { ...round, mime_type: "video/mp4" }, `video-${id}.mp4`)];
  if (animation) return [toFile("video", animation, `animation-${id}.mp4`)];
  if (document) return [toFile("document", document, `document-${id}`)];
  return [];
}

function toFile(kind: InboundFile["kind"], media: Media, fallback: string): InboundFile {
  return {
    id: media.file_id,
    name: safeFileName(media.file_name ?? "", fallback),
    kind,
    ...(media.mime_type === undefined ? {} : { mime: media.mime_type }),
    ...(media.file_size === undefined ? {} : { size: media.file_size }),
  };
}
