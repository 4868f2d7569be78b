import { z } from "zod";
import type { Author, InboundEvent } from "../../src/chat/index.ts";
import { fromMessageEvent, type Reader } from "./read.ts";
import { messageEventShape } from "./shapes.ts";

/** What happens in the workspace, as events of the core. Each resolves once it is stored, or says nothing to us. */
export function createOccurrences(reader: Reader, store: (event: InboundEvent) => Promise<void>) {
  const { self, directory } = reader;

  return {
    message: async (event: unknown): Promise<void> => {
      const inbound = await fromMessageEvent(messageEventShape.parse(event), reader);
      if (inbound) await store(inbound);
    },

    joined: async (event: unknown): Promise<void> => {
      const { user, channel, inviter, event_ts: ts } = joinedShape.parse(event);
      if (user !== self.userId) return;
      await store({
        kind: "membership",
        key: `${self.teamId}:${channel}:joined:${ts}`,
        place: await directory.place(channel),
        author: inviter === undefined ? us() : await directory.author(inviter),
        change: "added",
      });
    },

    /** We left, were taken out, or the channel is closed. `who` left, where the event tells of one person. */
    left: async (event: unknown, who: string = self.userId): Promise<void> => {
      if (who !== self.userId) return;
      const { channel, event_ts: ts, actor_id: actor, user } = leftShape.parse(event);
      const by = actor ?? user;
      await store({
        kind: "membership",
        key: `${self.teamId}:${channel}:left:${ts}`,
        place: await directory.place(channel),
        author: by === undefined || by === self.userId ? us() : await directory.author(by),
        change: "removed",
      });
    },

    homeOpened: async (event: unknown): Promise<void> => {
      const { user, channel, tab, event_ts: ts } = homeShape.parse(event);
      await store({
        kind: "home",
        key: `${self.teamId}:${user}:home:${ts}`,
        place: await directory.place(channel),
        author: await directory.author(user),
        shows: tab === "messages" ? "conversation" : "page",
      });
    },
  };

  function us(): Author {
    return { id: self.userId, name: self.name, isBot: true };
  }
}

export type Occurrences = ReturnType<typeof createOccurrences>;

const joinedShape = z.object({
  user: z.string(),
  channel: z.string(),
  inviter: z.string().optional(),
  event_ts: z.string(),
});

const leftShape = z.object({
  channel: z.string(),
  event_ts: z.string(),
  actor_id: z.string().optional(),
  user: z.string().optional(),
});

const homeShape = z.object({
  user: z.string(),
  channel: z.string(),
  tab: z.string().optional(),
  event_ts: z.string(),
});
