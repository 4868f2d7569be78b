import { findMessage, writableChannel } from "./chat.ts";
import { ApiFailure } from "./failure.ts";
import { type Fields, requiredField } from "./fields.ts";
import type { MessageRecord, World } from "./world.ts";

export function addReaction(world: World, fields: Fields) {
  const { message, name } = target(world, fields);
  if (!/^[\p{Ll}\p{N}_+'-]+(?:::skin-tone-[2-6])?$/u.test(name)) throw new ApiFailure("invalid_name");
  if (!react(world, message, world.bot.id, name)) throw new ApiFailure("already_reacted");
  return {};
}

export function removeReaction(world: World, fields: Fields) {
  const { message, name } = target(world, fields);
  if (!unreact(world, message, world.bot.id, name)) throw new ApiFailure("no_reaction");
  return {};
}

function target(world: World, fields: Fields): { message: MessageRecord; name: string } {
  const name = requiredField(fields, "name").replace(/^:|:$/g, "");
  const channel = writableChannel(world, requiredField(fields, "channel"));
  return { message: findMessage(channel, requiredField(fields, "timestamp")), name };
}

/** False when it was there already. */
export function react(world: World, message: MessageRecord, user: string, name: string): boolean {
  const users = message.reactions.get(name) ?? [];
  if (users.includes(user)) return false;
  message.reactions.set(name, [...users, user]);
  tell(world, "reaction_added", message, user, name);
  return true;
}

/** False when it was not there. */
export function unreact(world: World, message: MessageRecord, user: string, name: string): boolean {
  const users = message.reactions.get(name) ?? [];
  if (!users.includes(user)) return false;
  const left = users.filter((one) => one !== user);
  if (left.length > 0) message.reactions.set(name, left);
  else message.reactions.delete(name);
  tell(world, "reaction_removed", message, user, name);
  return true;
}

function tell(world: World, type: string, message: MessageRecord, user: string, reaction: string): void {
  world.changed();
  if (!world.scopes.has("reactions:read")) return;
  const item = { type: "message", channel: message.channel, ts: message.ts };
  world.send({ type, user, reaction, item_user: message.user, item, event_ts: world.nextTs() });
}
