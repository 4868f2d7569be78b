import { type APIOverwrite, type GatewayGuildCreateDispatchData, PermissionFlagsBits } from "discord.js";

/** What we ask for when we are invited, and nothing more. */
export const neededPermissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.ManageWebhooks;

/** May write there, and be read. */
export const mayWrite = (allowed: bigint) => {
  const needed = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages;
  return (allowed & needed) === needed;
};

type Overwrites = { readonly permission_overwrites?: readonly APIOverwrite[] | undefined };

/**
 * What a bot may do in the channels of a server, by Discord's rules: everyone's permissions and those of its roles, then
 * what the channel takes and gives to everyone, to its roles together, and to the bot itself.
 */
export function permissionsIn(
  guild: GatewayGuildCreateDispatchData,
  botId: string,
): (channel: object) => bigint | undefined {
  const member = guild.members.find(({ user }) => user.id === botId);
  const mine = new Set([guild.id, ...(member?.roles ?? [])]);
  const base = guild.roles.filter(({ id }) => mine.has(id)).reduce((all, role) => all | BigInt(role.permissions), 0n);
  return (channel) => {
    if (!member) return undefined;
    if ((base & PermissionFlagsBits.Administrator) !== 0n || guild.owner_id === botId) return ~0n;
    const overwrites = (channel as Overwrites).permission_overwrites ?? [];
    const steps = [
      overwrites.filter(({ id }) => id === guild.id),
      overwrites.filter(({ id }) => id !== guild.id && mine.has(id)),
      overwrites.filter(({ id }) => id === botId),
    ];
    return steps.reduce((allowed, step) => {
      const deny = step.reduce((all, one) => all | BigInt(one.deny), 0n);
      const allow = step.reduce((all, one) => all | BigInt(one.allow), 0n);
      return (allowed & ~deny) | allow;
    }, base);
  };
}
