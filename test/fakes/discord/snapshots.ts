import { type APIMessage, MessageFlags } from "discord-api-types/v10";
import type { MessageRecord } from "./world.ts";

/** What a forward carries: a copy of the message without its author. */
export function snapshotsOf({ message, channel }: MessageRecord): Partial<APIMessage> {
  const { attachments, components, content, edited_timestamp, embeds, mention_roles, mentions, timestamp, type } =
    message;
  return {
    flags: MessageFlags.HasSnapshot,
    message_snapshots: [
      {
        message: {
          attachments,
          content,
          edited_timestamp,
          embeds,
          mention_roles,
          mentions,
          timestamp,
          type,
          flags: message.flags ?? (0 as number),
          ...(components ? { components } : {}),
        },
        ...(channel.guildId === undefined ? {} : { guild_id: channel.guildId }),
      },
    ],
  };
}
