import type { APIInteraction, APIMessage, APIUser } from "discord.js";
import type { Author } from "../../src/chat/index.ts";
import { displayName } from "./text.ts";

type Member = { readonly nick?: string | null | undefined };
/** A message as the gateway sends it, with the member's name in that server; history has it without. */
export type SaidMessage = APIMessage & { readonly guild_id?: string | undefined; readonly member?: Member | undefined };

export function senderOf(message: SaidMessage): Author {
  const author = authorOf(message.author, message.member);
  return message.webhook_id === undefined ? author : { ...author, isBot: true };
}

export function authorOf(user: APIUser, member?: Member, locale?: string): Author {
  return {
    id: user.id,
    name: displayName({ ...user, member }),
    username: user.username,
    isBot: user.bot === true,
    ...(locale === undefined ? {} : { locale }),
  };
}

/** Who pressed, chose or commanded. */
export function actorOf({ member, user, ...interaction }: APIInteraction): Author | undefined {
  const actor = member?.user ?? user;
  const locale = "locale" in interaction ? interaction.locale : undefined;
  return actor && authorOf(actor, member, locale);
}

/** Whether a message is ours: the bot's, an answer to an interaction, or one of a webhook that we made. */
export function isOurs(
  message: Pick<APIMessage, "author" | "webhook_id" | "application_id">,
  self: { botId: string; applicationId: string },
): boolean {
  if (message.author.id === self.botId) return true;
  return message.webhook_id !== undefined && message.application_id === self.applicationId;
}
