import { historyScopeOf, readScopeOf } from "./events.ts";
import { ApiFailure } from "./failure.ts";
import { type Fields, flagField, page, requiredField, textField } from "./fields.ts";
import { messageBody, repliesTo } from "./payload.ts";
import { addChannel, type ChannelRecord, imOf, type MessageRecord, type World } from "./world.ts";

/** A channel the bot may read about; private ones it is not in do not exist for it. */
function readable(world: World, fields: Fields, scopeOf: (channel: ChannelRecord) => string): ChannelRecord {
  const channel = world.channel(requiredField(fields, "channel"));
  if (channel.kind !== "channel" && !channel.members.has(world.bot.id)) throw new ApiFailure("channel_not_found");
  needScope(world, scopeOf(channel));
  return channel;
}

export function needScope(world: World, ...anyOf: readonly string[]): void {
  if (anyOf.some((scope) => world.scopes.has(scope))) return;
  const provided = [...world.scopes].join(",");
  throw new ApiFailure("missing_scope", { fields: { needed: anyOf.join(","), provided } });
}

export function openConversation(world: World, fields: Fields) {
  const given = textField(fields, "channel");
  if (given !== undefined) return { channel: channelBody(world, world.channel(given), flagField(fields, "return_im")) };
  if (!textField(fields, "users")) throw new ApiFailure("users_list_not_supplied");
  const users = requiredField(fields, "users")
    .split(",")
    .map((id) => id.trim());
  if (users.some((id) => !world.users.has(id))) throw new ApiFailure("user_not_found");
  if (users.length > 8) throw new ApiFailure("too_many_users");
  needScope(world, users.length === 1 ? "im:write" : "mpim:write");
  const [first = ""] = users;
  if (users.length === 1 && world.user(first).botId !== undefined) throw new ApiFailure("cannot_dm_bot");
  const before = world.channels.size;
  const channel = users.length === 1 ? imOf(world, first) : groupOf(world, users);
  const known = world.channels.size === before;
  const full = flagField(fields, "return_im") ? channelBody(world, channel, true) : { id: channel.id };
  return { ...(known ? { no_op: true, already_open: true } : {}), channel: full };
}

export function groupOf(world: World, users: readonly string[]): ChannelRecord {
  const members = new Set([...users, world.bot.id]);
  const same = (channel: ChannelRecord) =>
    channel.members.size === members.size && [...members].every((id) => channel.members.has(id));
  const known = [...world.channels.values()].find((channel) => channel.kind === "mpim" && same(channel));
  const name = `mpdm-${[...members].map((id) => world.user(id).name).join("--")}-1`;
  return known ?? addChannel(world, "mpim", name, members);
}

export function conversationInfo(world: World, fields: Fields) {
  const channel = readable(world, fields, readScopeOf);
  const count = flagField(fields, "include_num_members") ? { num_members: channel.members.size } : {};
  return { channel: { ...channelBody(world, channel, true), ...count } };
}

function channelBody(world: World, channel: ChannelRecord, full: boolean) {
  if (!full) return { id: channel.id };
  const { id, kind, created, archived } = channel;
  const common = { id, created, is_archived: archived, is_org_shared: false, context_team_id: world.team.id };
  const [other] = [...channel.members].filter((member) => member !== world.bot.id);
  if (kind === "im") return { ...common, is_im: true, user: other ?? "", is_user_deleted: false, priority: 0 };
  return {
    ...common,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: kind === "channel",
    is_group: kind === "group",
    is_im: false,
    is_mpim: kind === "mpim",
    is_private: kind !== "channel",
    is_general: channel.name === "general",
    is_shared: false,
    is_ext_shared: false,
    is_member: channel.members.has(world.bot.id),
    creator: other ?? "",
    topic: { value: "", creator: "", last_set: 0 },
    purpose: { value: "", creator: "", last_set: 0 },
    previous_names: [],
    unlinked: 0,
  };
}

export function conversationMembers(world: World, fields: Fields) {
  const channel = readable(world, fields, readScopeOf);
  const { items, response_metadata } = page([...channel.members], fields, 1000, 100);
  return { members: items, response_metadata };
}

/** Messages of a channel, newest first; replies only where they were sent to the channel too. */
export function conversationHistory(world: World, fields: Fields) {
  const channel = history(world, fields);
  const all = [...channel.messages.values()].filter((message) => message.threadTs === undefined || message.broadcast);
  const { items, more, response_metadata } = page(inRange(all, fields).reverse(), fields, 999, 100);
  return {
    messages: items.map((message) => withMetadata(world, message, fields)),
    has_more: more,
    pin_count: 0,
    ...(more ? { response_metadata } : {}),
  };
}

/** A thread, oldest first; its root comes first whatever the range. */
export function conversationReplies(world: World, fields: Fields) {
  const channel = history(world, fields);
  const ts = requiredField(fields, "ts");
  const asked = channel.messages.get(ts);
  const rootTs = asked?.threadTs ?? ts;
  const root = channel.messages.get(rootTs);
  const replies = repliesTo(channel, rootTs);
  if (root === undefined && replies.length === 0) throw new ApiFailure("thread_not_found");
  const { items, more, response_metadata } = page(inRange(replies, fields), fields, 1000, 1000);
  const shown = [...(root ? [root] : []), ...items];
  return {
    messages: shown.map((message) => withMetadata(world, message, fields)),
    has_more: more,
    ...(more ? { response_metadata } : {}),
  };
}

function history(world: World, fields: Fields): ChannelRecord {
  const channel = readable(world, fields, historyScopeOf);
  if (!channel.members.has(world.bot.id)) throw new ApiFailure("not_in_channel");
  return channel;
}

function inRange(messages: readonly MessageRecord[], fields: Fields): MessageRecord[] {
  const [oldest, latest] = [tsField(fields, "oldest"), tsField(fields, "latest")];
  const inclusive = flagField(fields, "inclusive");
  return messages.filter(({ ts }) => {
    const at = Number(ts);
    const after = oldest === undefined || at > oldest || (inclusive && at === oldest);
    return after && (latest === undefined || at < latest || (inclusive && at === latest));
  });
}

function tsField(fields: Fields, name: "oldest" | "latest"): number | undefined {
  const value = textField(fields, name);
  if (value === undefined || value === "") return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(value)) throw new ApiFailure(`invalid_ts_${name}`);
  return Number(value);
}

function withMetadata(world: World, message: MessageRecord, fields: Fields) {
  const wanted = flagField(fields, "include_all_metadata") && message.metadata !== undefined;
  return { ...messageBody(world, message), ...(wanted ? { metadata: message.metadata } : {}) };
}
