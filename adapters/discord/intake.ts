import { ChannelType, GatewayDispatchEvents, type GatewayDispatchPayload } from "discord.js";
import { createRecent, type KnownPlace, type MessageEvent } from "../../src/chat/index.ts";
import type { SaidMessage } from "./authors.ts";
import type { Directory } from "./directory.ts";
import { describe } from "./errors.ts";
import type { Reader } from "./events.ts";
import type { createInteractions } from "./interactions.ts";
import type { createMembership } from "./membership.ts";
import type { Receiver } from "./receive.ts";

export interface IntakeDeps {
  readonly directory: Directory;
  readonly reader: Reader;
  readonly receiver: Receiver;
  readonly membership: ReturnType<typeof createMembership>;
  readonly onInteraction: ReturnType<typeof createInteractions>;
  readonly known: () => Promise<readonly KnownPlace[]>;
  readonly catchUp: (places: readonly KnownPlace[]) => void;
  readonly joinThread: (thread: string) => void;
  readonly onThreadDeleted: (thread: string) => void;
  /** Called once, when events come and what was missed is on its way. */
  readonly onListening: () => void;
  readonly warn: (message: string, detail: string) => void;
}

/**
 * Sorts the gateway's events. After each fresh session what was said before it is fetched first; what comes live
 * meanwhile waits, but for interactions, which nobody may keep waiting.
 */
export function createIntake(deps: IntakeDeps, before: readonly KnownPlace[]) {
  const { directory, reader, receiver, membership, warn } = deps;
  const joined = createRecent<true>(1000);
  /** Events that came while it was not known yet what is to be caught up. */
  let held: (() => void)[] | undefined;
  let firstPlaces: readonly KnownPlace[] | undefined = before;

  const joinIfAddressed = (event: MessageEvent | undefined): MessageEvent | undefined => {
    const thread = event?.place.thread;
    const toUs = event?.addressed === "mention" || event?.addressed === "reply";
    if (thread !== undefined && toUs && thread !== event?.messageId && !joined.has(thread)) {
      joined.set(thread, true);
      deps.joinThread(thread);
    }
    return event;
  };

  const freshSession = () => {
    held ??= [];
    // At the first start the places were asked for before anything could come.
    const places = firstPlaces ? Promise.resolve(firstPlaces) : deps.known();
    const isFirst = firstPlaces !== undefined;
    firstPlaces = undefined;
    places
      .then(deps.catchUp, (error: unknown) => warn("what was missed could not be told", describe(error)))
      .finally(() => {
        const waiting = held ?? [];
        held = undefined;
        for (const add of waiting) add();
        if (isFirst) deps.onListening();
      });
  };

  const add = (...lane: Parameters<Receiver["add"]>): void => {
    if (held) held.push(() => receiver.add(...lane));
    else receiver.add(...lane);
  };

  const message = (said: SaidMessage): void => {
    if (said.guild_id === undefined) directory.see({ id: said.channel_id, type: ChannelType.DM });
    add(said.channel_id, `message ${said.id}`, async () => joinIfAddressed(await reader.message(said)));
  };

  const deletion = (channel: string, ids: readonly string[]): void => {
    for (const id of ids) add(channel, `deletion ${id}`, () => reader.deletion(id, channel));
  };

  const take = (packet: GatewayDispatchPayload): void => {
    switch (packet.t) {
      case GatewayDispatchEvents.Ready:
        membership.ready(packet.d.guilds.map(({ id }) => id));
        freshSession();
        break;
      case GatewayDispatchEvents.GuildCreate:
        membership.guild(packet.d);
        break;
      case GatewayDispatchEvents.MessageCreate:
        message(packet.d);
        break;
      case GatewayDispatchEvents.MessageUpdate:
        add(packet.d.channel_id, `edit ${packet.d.id}`, () => reader.edit(packet.d));
        break;
      case GatewayDispatchEvents.MessageDelete:
        deletion(packet.d.channel_id, [packet.d.id]);
        break;
      case GatewayDispatchEvents.MessageDeleteBulk:
        deletion(packet.d.channel_id, packet.d.ids);
        break;
      case GatewayDispatchEvents.InteractionCreate:
        deps.onInteraction(packet.d);
        break;
    }
  };

  return (packet: GatewayDispatchPayload): void => {
    try {
      if (packet.t === GatewayDispatchEvents.GuildDelete && !packet.d.unavailable) membership.gone(packet.d.id);
      if (packet.t === GatewayDispatchEvents.ChannelDelete) membership.channelGone(packet.d.id);
      if (packet.t === GatewayDispatchEvents.ThreadDelete) deps.onThreadDeleted(packet.d.id);
      directory.take(packet);
      take(packet);
    } catch (error) {
      // A packet of a shape nobody foresaw must not stop the ones behind it.
      warn(`event ${packet.t} could not be read`, describe(error));
    }
  };
}
