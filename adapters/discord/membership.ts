import { ChannelType, type GatewayGuildCreateDispatchData } from "discord.js";
import type { AdapterDeps, Author, MembershipEvent } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { authorOf } from "./authors.ts";
import { type Directory, type KnownChannel, placeIn } from "./directory.ts";
import { mayWrite } from "./permissions.ts";
import type { Receiver } from "./receive.ts";

const stateKey = "discord.guilds";
const lane = "servers";

export interface MembershipDeps {
  readonly api: Api;
  readonly directory: Directory;
  readonly deps: Pick<AdapterDeps, "state" | "known">;
  readonly receiver: Receiver;
}

/** Tells servers that are new to us from those that only come back; Discord announces both alike. */
export function createMembership({ api, directory, deps, receiver }: MembershipDeps) {
  let joined: Set<string> | undefined;
  const load = async (): Promise<Set<string> | undefined> => {
    const kept = await deps.state.load(stateKey);
    return kept === undefined ? undefined : new Set(kept.split(" ").filter(Boolean));
  };
  const save = (guilds: ReadonlySet<string>) => deps.state.save(stateKey, [...guilds].join(" "));

  /** Discord does not say who added us; the owner of the server is who would have to know. */
  const ownerOf = async (owner: string): Promise<Author> => {
    const user = await api.user(owner).catch(() => undefined);
    return user ? authorOf(user) : { id: owner, name: owner, isBot: false };
  };

  /** The channel in which a server greets, or the first one in which we may speak. */
  const entrance = ({ id, system_channel_id: system }: GatewayGuildCreateDispatchData): KnownChannel | undefined => {
    const open = directory
      .channelsOf(id)
      .filter(({ type, allowed }) => type === ChannelType.GuildText && (allowed === undefined || mayWrite(allowed)));
    return open.find((channel) => channel.id === system) ?? open[0];
  };

  const added = async (guild: GatewayGuildCreateDispatchData): Promise<MembershipEvent | undefined> => {
    const channel = entrance(guild);
    if (!channel) return undefined;
    const author = await ownerOf(guild.owner_id);
    return {
      kind: "membership",
      key: `guild:${guild.id}:${guild.joined_at}`,
      place: placeIn(channel, directory),
      author,
      change: "added",
    };
  };

  const removed = async (channel: KnownChannel, owner: string, key: string): Promise<MembershipEvent> => {
    return {
      kind: "membership",
      key,
      place: placeIn(channel, directory),
      author: await ownerOf(owner),
      change: "removed",
    };
  };

  /** Those of them that the core knows, as places where something was said. */
  const knownAmong = async (channels: readonly KnownChannel[]): Promise<readonly KnownChannel[]> => {
    const places = new Set((await deps.known()).map(({ channel }) => channel));
    return channels.filter(({ id }) => places.has(id));
  };

  return {
    /** At the very first start every server is one we were in already. */
    ready: (guilds: readonly string[]): void =>
      receiver.inLane(lane, async () => {
        joined ??= await load();
        if (joined) return;
        joined = new Set(guilds);
        await save(joined);
      }),

    guild: (guild: GatewayGuildCreateDispatchData): void =>
      receiver.inLane(lane, async () => {
        if (guild.unavailable || joined?.has(guild.id)) return;
        await receiver.readAndOffer(`server ${guild.id}`, () => added(guild));
        joined = new Set([...(joined ?? []), guild.id]);
        await save(joined);
      }),

    /** Call before the directory forgets them. */
    gone: (guildId: string): void => {
      const channels = directory.channelsOf(guildId);
      const owner = directory.guild(guildId)?.owner ?? guildId;
      const at = Date.now();
      receiver.inLane(lane, async () => {
        for (const channel of await knownAmong(channels)) {
          const key = `guild:${guildId}:${at}:${channel.id}`;
          await receiver.readAndOffer(`server ${guildId}`, () => removed(channel, owner, key));
        }
        joined = new Set([...(joined ?? [])].filter((id) => id !== guildId));
        await save(joined);
      });
    },

    channelGone: (channelId: string): void => {
      const channel = directory.channel(channelId);
      if (channel?.guild === undefined) return;
      const owner = directory.guild(channel.guild)?.owner ?? channel.guild;
      receiver.add(lane, `channel ${channelId}`, async () => {
        const [known] = await knownAmong([channel]);
        return known && removed(known, owner, `${channelId}:deleted`);
      });
    },
  };
}
