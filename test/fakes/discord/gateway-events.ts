import { type APIMessage, GatewayIntentBits } from "discord-api-types/v10";
import { botPermissions, canView } from "./channels.ts";
import { redact } from "./messages.ts";
import type { ChannelRecord, GatewayEvent, World } from "./world.ts";

/** Intents that need a toggle in the developer portal; nobody here has the first two. */
const neverGranted = GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences;
const allIntents = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === "number")
  .reduce((sum, bit) => sum | bit, 0);

/** The code that closes the gateway on an IDENTIFY with these intents: 4013 for unknown ones, 4014 for those not granted. */
export function refusedIntents(world: World, intents: unknown): 4013 | 4014 | undefined {
  if (typeof intents !== "number" || (intents & ~allIntents) !== 0 || intents < 0) return 4013;
  const content = world.options.messageContentIntent === false ? GatewayIntentBits.MessageContent : 0;
  return (intents & (neverGranted | content)) === 0 ? undefined : 4014;
}

/** The intent that an event needs; undefined for those that always come, such as interactions. */
function neededIntent(type: string, channel: ChannelRecord | undefined): number | undefined {
  const inDm = channel?.kind === "dm";
  if (type.startsWith("MESSAGE_REACTION")) {
    return inDm ? GatewayIntentBits.DirectMessageReactions : GatewayIntentBits.GuildMessageReactions;
  }
  if (type.startsWith("MESSAGE_")) return inDm ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
  if (type.startsWith("TYPING")) {
    return inDm ? GatewayIntentBits.DirectMessageTyping : GatewayIntentBits.GuildMessageTyping;
  }
  if (type.startsWith("GUILD_MEMBER")) return GatewayIntentBits.GuildMembers;
  if (type === "WEBHOOKS_UPDATE") return GatewayIntentBits.GuildWebhooks;
  return /^(GUILD|CHANNEL|THREAD)_/.test(type) ? GatewayIntentBits.Guilds : undefined;
}

/** Bots hear of all channels of their guilds; of messages and threads only where they may look. Interactions always reach them. */
function reaches(world: World, type: string, channel: ChannelRecord): boolean {
  if (type.startsWith("MESSAGE") || type.startsWith("THREAD")) return canView(botPermissions(world, channel));
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  return guild === undefined || guild.joined;
}

/** What a session with these intents gets of an event; undefined for nothing. */
export function forSession(world: World, event: GatewayEvent, intents: number): unknown {
  const { type, channel, data } = event;
  const needed = neededIntent(type, channel);
  if (needed !== undefined && (intents & needed) === 0) return undefined;
  if (channel && !reaches(world, type, channel)) return undefined;
  const sees = (intents & GatewayIntentBits.MessageContent) !== 0;
  const isMessage = type === "MESSAGE_CREATE" || type === "MESSAGE_UPDATE";
  return isMessage && !sees ? redact(world, channel, data as APIMessage) : data;
}
