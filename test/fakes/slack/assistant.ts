import type { SeenPrompt, SeenStatus } from "./api.ts";
import { readAuthor, writableChannel } from "./chat.ts";
import { ApiFailure, refusal } from "./failure.ts";
import { type Fields, nestedField, requiredField, textField } from "./fields.ts";
import type { ChannelRecord, World } from "./world.ts";

/** One line of status in a thread; goes with the app's next message there, or after two minutes. Empty takes it away. */
export function setStatus(world: World, fields: Fields) {
  const channel = writableChannel(world, requiredField(fields, "channel_id"));
  const thread = requiredField(fields, "thread_ts");
  const text = textField(fields, "status");
  if (text === undefined) throw refusal("invalid_arguments", "[ERROR] missing required field: status");
  const loading = (nestedField(fields, "loading_messages") ?? []) as string[];
  if (!Array.isArray(loading) || loading.length > 10) {
    throw refusal("invalid_arguments", "[ERROR] no more than 10 items allowed [json-pointer:/loading_messages]");
  }
  if (!channel.messages.has(thread)) throw new ApiFailure("invalid_thread_ts");
  const { username, icon } = { username: undefined, icon: undefined, ...readAuthor(world, fields) };
  const record = channel.statuses.get(thread) ?? { history: [], now: undefined };
  channel.statuses.set(thread, record);
  record.history.push(text);
  record.now =
    text === ""
      ? undefined
      : {
          text,
          loading,
          name: username,
          icon: icon?.emoji ?? icon?.image_64,
          until: world.now() + world.timing.statusMs,
        };
  world.changed();
  return {};
}

export function statusOf(world: World, channel: ChannelRecord, thread: string): SeenStatus | undefined {
  const now = channel.statuses.get(thread)?.now;
  if (now === undefined || now.until <= world.now()) return undefined;
  const { until: _, ...status } = now;
  return status;
}

const mostPrompts = 4;

export function setSuggestedPrompts(world: World, fields: Fields) {
  const channel = conversation(world, fields);
  const prompts = nestedField(fields, "prompts") as SeenPrompt[] | undefined;
  if (!Array.isArray(prompts) || prompts.length === 0) throw new ApiFailure("invalid_arguments");
  if (prompts.length > mostPrompts) {
    throw refusal("invalid_arguments", `[ERROR] no more than ${mostPrompts} items allowed [json-pointer:/prompts]`);
  }
  for (const { title, message } of prompts) if (!title || !message) throw new ApiFailure("invalid_arguments");
  channel.prompts = prompts.map(({ title, message }) => ({ title, message }));
  world.changed();
  return {};
}

export function setTitle(world: World, fields: Fields) {
  const channel = conversation(world, fields);
  channel.titles.set(requiredField(fields, "thread_ts"), requiredField(fields, "title"));
  world.changed();
  return {};
}

/** Prompts and titles belong to the conversation of a person with an agent. */
function conversation(world: World, fields: Fields): ChannelRecord {
  const channel = writableChannel(world, requiredField(fields, "channel_id"));
  if (!world.agentView || channel.kind !== "im") throw new ApiFailure("channel_not_found");
  return channel;
}
