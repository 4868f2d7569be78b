import { createHash } from "node:crypto";
import { type APIUser, type APIWebhook, MessageFlags, WebhookType } from "discord-api-types/v10";
import { channelOf, type Handler, type Request, wrongChannelType } from "./access.ts";
import { refuseArchived } from "./channel-routes.ts";
import { noFlags } from "./channels.ts";
import { lengthProblems } from "./component-rules.ts";
import { isInteractive } from "./components.ts";
import {
  ApiFailure,
  missingPermissions,
  type Problem,
  refuse,
  unknownChannel,
  unknownMessage,
  unknownWebhook,
} from "./failure.ts";
import { changeMessage, putMessage, removeMessages, restMessage } from "./messages.ts";
import { composeChange, composeMessage, type MessageBody } from "./sending.ts";
import type { ChannelRecord, MessageRecord, WebhookRecord, World } from "./world.ts";

const perChannel = 15;
const settable = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;

interface ExecuteBody extends MessageBody {
  readonly username?: string;
  readonly avatar_url?: string;
}

/** Webhooks as the bot manages them. */
export const webhookRoutes: Readonly<Record<string, Handler>> = {
  "POST /channels/:channel/webhooks": (request) => {
    const { world, json } = request;
    const channel = channelOf(request, "ManageWebhooks");
    if (channel.kind !== "text" && channel.kind !== "forum") throw wrongChannelType();
    const { name } = (json ?? {}) as { name?: unknown };
    refuse([...lengthProblems(name, "name", 1, 80), ...nameProblems(name, "name")]);
    if (webhooksOf(world, channel.id).length >= perChannel) {
      throw new ApiFailure(400, 30007, `Maximum number of webhooks reached (${perChannel})`);
    }
    return describeWebhook(world, addWebhook(world, channel, `${name}`, true));
  },
  "GET /channels/:channel/webhooks": (request) => {
    const channel = channelOf(request, "ManageWebhooks");
    return webhooksOf(request.world, channel.id).map((one) => describeWebhook(request.world, one));
  },
  "GET /webhooks/:webhook": ({ world, params }) => describeWebhook(world, managed(world, params.webhook)),
  "DELETE /webhooks/:webhook": ({ world, params }) => {
    world.webhooks.delete(managed(world, params.webhook).webhook.id);
    world.changed();
  },
};

/** What the token of a webhook allows, without signing in. */
export const executeRoutes: Readonly<Record<string, Handler>> = {
  "GET /webhooks/:webhook/:token": (request) => {
    const { user: _, ...webhook } = webhookOf(request).webhook;
    return webhook satisfies APIWebhook;
  },
  "DELETE /webhooks/:webhook/:token": (request) => {
    request.world.webhooks.delete(webhookOf(request).webhook.id);
    request.world.changed();
  },
  "POST /webhooks/:webhook/:token": execute,
  "GET /webhooks/:webhook/:token/messages/:message": (request) => restMessage(request.world, messageBy(request)),
  "PATCH /webhooks/:webhook/:token/messages/:message": (request) => {
    const { world, json, files } = request;
    const record = messageBy(request);
    refuseArchived(record.channel);
    changeMessage(world, record, composeChange(world, record, json, files), true);
    return restMessage(world, record);
  },
  "DELETE /webhooks/:webhook/:token/messages/:message": (request) => {
    const record = messageBy(request);
    refuseArchived(record.channel);
    removeMessages(request.world, [record], false);
  },
};

function execute(request: Request): unknown {
  const { world, query, json, files } = request;
  const found = webhookOf(request);
  const channel = target(world, found, query);
  if (channel.thread?.locked) throw new ApiFailure(400, 160005, "Thread is locked");
  const body = (json ?? {}) as ExecuteBody;
  const name = body.username;
  refuse(name === undefined ? [] : [...lengthProblems(name, "username", 1, 80), ...nameProblems(name, "username")]);
  refuse(avatarProblems(body.avatar_url));
  const { fields, mentions } = composeMessage(world, channel, withoutControls(found, query, body), files, settable);
  const author: APIUser = {
    id: found.webhook.id,
    username: name ?? found.webhook.name,
    // Discord keeps a copy of the picture and names it by its hash.
    avatar: body.avatar_url === undefined ? null : createHash("md5").update(body.avatar_url).digest("hex"),
    discriminator: "0000",
    public_flags: noFlags,
    flags: noFlags,
    bot: true,
    global_name: null,
    primary_guild: null,
  };
  const owner = found.ours ? { application_id: world.applicationId } : {};
  const record = putMessage(world, {
    channel,
    author,
    mentions,
    fromUs: found.ours,
    avatarUrl: body.avatar_url,
    fields: { ...fields, webhook_id: found.webhook.id, ...owner },
  });
  return query.get("wait") === "true" ? restMessage(world, record) : undefined;
}

function target(world: World, { webhook }: WebhookRecord, query: URLSearchParams): ChannelRecord {
  const home = world.channels.get(webhook.channel_id);
  const threadId = query.get("thread_id");
  if (!home) throw unknownWebhook();
  if (threadId === null) {
    if (home.kind !== "forum") return home;
    const message = "Webhooks posted to forum channels must have a thread_name or thread_id";
    throw new ApiFailure(400, 220001, message);
  }
  const thread = world.channels.get(threadId);
  if (thread?.thread?.parentId !== home.id) throw unknownChannel();
  return thread;
}

/** Only an application's own webhooks carry buttons; others need `with_components` even for text displays. */
function withoutControls(found: WebhookRecord, query: URLSearchParams, body: ExecuteBody): ExecuteBody {
  if (found.ours || !body.components) return body;
  if (query.get("with_components") !== "true") return { ...body, components: null };
  const message = "Webhooks not owned by an application cannot send interactive components";
  refuse(
    isInteractive(body.components) ? [{ path: "components", code: "COMPONENT_INTERACTIVE_NOT_ALLOWED", message }] : [],
  );
  return body;
}

function nameProblems(name: unknown, path: string): Problem[] {
  const forbidden = ["discord", "clyde"].filter((word) => `${name}`.toLowerCase().includes(word));
  return forbidden.map((word) => ({
    path,
    code: "USERNAME_INVALID_CONTAINS",
    message: `Username cannot contain "${word}"`,
  }));
}

function avatarProblems(address: string | undefined): Problem[] {
  if (address === undefined || /^https?:\/\/\S+$/.test(address)) return [];
  return [{ path: "avatar_url", code: "URL_TYPE_INVALID_SCHEME", message: `Scheme must be one of ('http', 'https').` }];
}

export function addWebhook(world: World, channel: ChannelRecord, name: string, ours: boolean): WebhookRecord {
  const id = world.newId();
  const token = `webhook-token-${id}`;
  const record: WebhookRecord = {
    ours,
    webhook: {
      id,
      type: WebhookType.Incoming,
      guild_id: channel.guildId ?? null,
      channel_id: channel.id,
      name,
      avatar: null,
      token,
      application_id: ours ? world.applicationId : null,
      ...(ours ? { user: world.bot } : {}),
    },
  };
  world.webhooks.set(id, record);
  world.dispatch({ type: "WEBHOOKS_UPDATE", data: { guild_id: channel.guildId, channel_id: channel.id }, channel });
  return record;
}

/** Tokens of webhooks are shown to everybody who may manage them. */
function describeWebhook(world: World, { webhook }: WebhookRecord): APIWebhook {
  return { ...webhook, url: `${world.origin}/api/webhooks/${webhook.id}/${webhook.token}` };
}

export function webhooksOf(world: World, channelId: string): WebhookRecord[] {
  return [...world.webhooks.values()].filter((one) => one.webhook.channel_id === channelId);
}

function managed(world: World, id: string | undefined): WebhookRecord {
  const record = world.webhooks.get(id ?? "");
  if (!record) throw unknownWebhook();
  if (world.options.manageWebhooks === false) throw missingPermissions();
  return record;
}

function webhookOf({ world, params }: Request): WebhookRecord {
  const record = world.webhooks.get(params.webhook ?? "");
  if (!record) throw unknownWebhook();
  if (record.webhook.token !== params.token) throw new ApiFailure(401, 50027, "Invalid Webhook Token");
  return record;
}

/** A message of this webhook; one in a thread is found only with `thread_id`. */
function messageBy(request: Request): MessageRecord {
  const { world, params, query } = request;
  const { webhook } = webhookOf(request);
  const record = world.messages.get(params.message ?? "");
  const place = query.get("thread_id") ?? webhook.channel_id;
  if (!record || record.message.webhook_id !== webhook.id || record.channel.id !== place) throw unknownMessage();
  return record;
}
