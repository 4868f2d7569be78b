import {
  type APIApplication,
  type APIChannel,
  type APIMessage,
  type APIThreadChannel,
  type APIUser,
  type APIWebhook,
  makeURLSearchParams,
  type RawFile,
  REST,
  type RESTPatchAPIChannelMessageJSONBody,
  type RESTPatchAPIWebhookWithTokenMessageJSONBody,
  type RESTPostAPIChannelMessageJSONBody,
  type RESTPostAPIInteractionCallbackJSONBody,
  type RESTPostAPIInteractionCallbackWithResponseResult,
  type RESTPostAPIWebhookWithTokenJSONBody,
  type RESTPutAPIApplicationCommandsJSONBody,
  type RESTPutAPIApplicationGuildCommandsJSONBody,
  Routes,
} from "discord.js";

export interface RestOptions {
  readonly token: string;
  /** Without the version, such as `https://discord.com/api`. */
  readonly apiUrl: string;
  /** After this long without a response a request counts as lost. */
  readonly requestMs: number;
  /** Shorter rate limits are waited out; longer ones are told, so that one busy channel keeps nobody waiting who could wait better elsewhere. */
  readonly patienceMs: number;
}

/** discord.js's REST with one try a call: repeating is the outbox's decision. Also never asks again after 401 and 403, of which Discord allows 10,000 in ten minutes. */
export function createRest({ token, apiUrl, requestMs, patienceMs }: RestOptions): REST {
  return new REST({
    api: apiUrl,
    version: "10",
    retries: 0,
    timeout: requestMs,
    rejectOnRateLimit: ({ retryAfter, timeToReset, sublimitTimeout }) =>
      Math.max(retryAfter, timeToReset, sublimitTimeout) > patienceMs,
  }).setToken(token);
}

export interface Webhook {
  readonly id: string;
  readonly token: string;
}

export interface Page {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The calls this adapter makes, with the types Discord publishes for them. */
export function createApi(rest: REST) {
  const hookRoute = ({ id, token }: Webhook) => Routes.webhook(id, token);
  return {
    me: () => rest.get(Routes.user("@me")) as Promise<APIUser>,
    application: () => rest.get(Routes.currentApplication()) as Promise<APIApplication>,
    user: (id: string) => rest.get(Routes.user(id)) as Promise<APIUser>,
    channel: (id: string) => rest.get(Routes.channel(id)) as Promise<APIChannel>,

    message: (channel: string, id: string, signal?: AbortSignal) =>
      rest.get(Routes.channelMessage(channel, id), signal ? { signal } : {}) as Promise<APIMessage>,
    messages: (channel: string, page: Page, signal?: AbortSignal) =>
      rest.get(Routes.channelMessages(channel), {
        query: makeURLSearchParams({ ...page }),
        ...(signal ? { signal } : {}),
      }) as Promise<APIMessage[]>,
    send: (channel: string, body: RESTPostAPIChannelMessageJSONBody, files: RawFile[] = []) =>
      rest.post(Routes.channelMessages(channel), { body, files }) as Promise<APIMessage>,
    edit: (channel: string, id: string, body: RESTPatchAPIChannelMessageJSONBody) =>
      rest.patch(Routes.channelMessage(channel, id), { body }) as Promise<APIMessage>,
    remove: (channel: string, id: string) => rest.delete(Routes.channelMessage(channel, id)),
    react: (channel: string, id: string, emoji: string) =>
      rest.put(Routes.channelMessageOwnReaction(channel, id, encodeURIComponent(emoji))),
    unreact: (channel: string, id: string, emoji: string) =>
      rest.delete(Routes.channelMessageOwnReaction(channel, id, encodeURIComponent(emoji))),
    typing: (channel: string) => rest.post(Routes.channelTyping(channel)),

    startThread: (channel: string, message: string, name: string) =>
      rest.post(Routes.threads(channel, message), {
        body: { name, auto_archive_duration: 1440 },
      }) as Promise<APIChannel>,
    joinThread: (thread: string) => rest.put(Routes.threadMembers(thread, "@me")),
    startPost: (forum: string, name: string, message: RESTPostAPIChannelMessageJSONBody) =>
      rest.post(Routes.threads(forum), {
        body: { name, auto_archive_duration: 1440, message },
      }) as Promise<APIChannel>,
    activeThreads: (guild: string) =>
      rest.get(Routes.guildActiveThreads(guild)) as Promise<{ readonly threads: readonly APIThreadChannel[] }>,
    renameThread: (thread: string, name: string) =>
      rest.patch(Routes.channel(thread), { body: { name, archived: false } }),
    unarchive: (thread: string) => rest.patch(Routes.channel(thread), { body: { archived: false } }),

    webhooks: (channel: string) => rest.get(Routes.channelWebhooks(channel)) as Promise<APIWebhook[]>,
    makeWebhook: (channel: string, name: string) =>
      rest.post(Routes.channelWebhooks(channel), { body: { name } }) as Promise<APIWebhook>,
    sendAs: (hook: Webhook, thread: string | undefined, body: RESTPostAPIWebhookWithTokenJSONBody) =>
      rest.post(hookRoute(hook), {
        auth: false,
        body,
        query: makeURLSearchParams({ wait: true, with_components: true, thread_id: thread }),
      }) as Promise<APIMessage>,
    editAs: (
      hook: Webhook,
      thread: string | undefined,
      id: string,
      body: RESTPatchAPIWebhookWithTokenMessageJSONBody,
    ) =>
      rest.patch(Routes.webhookMessage(hook.id, hook.token, id), {
        auth: false,
        body,
        query: makeURLSearchParams({ with_components: true, thread_id: thread }),
      }) as Promise<APIMessage>,
    removeAs: (hook: Webhook, thread: string | undefined, id: string) =>
      rest.delete(Routes.webhookMessage(hook.id, hook.token, id), {
        auth: false,
        query: makeURLSearchParams({ thread_id: thread }),
      }),

    original: (hook: Webhook) =>
      rest.get(Routes.webhookMessage(hook.id, hook.token), { auth: false }) as Promise<APIMessage>,
    callback: (id: string, token: string, body: RESTPostAPIInteractionCallbackJSONBody, withResponse = false) =>
      rest.post(Routes.interactionCallback(id, token), {
        auth: false,
        body,
        ...(withResponse ? { query: makeURLSearchParams({ with_response: true }) } : {}),
      }) as Promise<RESTPostAPIInteractionCallbackWithResponseResult | undefined>,

    writeCommands: (application: string, body: RESTPutAPIApplicationCommandsJSONBody) =>
      rest.put(Routes.applicationCommands(application), { body }),
    writeGuildCommands: (application: string, guild: string, body: RESTPutAPIApplicationGuildCommandsJSONBody) =>
      rest.put(Routes.applicationGuildCommands(application, guild), { body }),
  };
}

export type Api = ReturnType<typeof createApi>;
