/**
 * Telegram: updates by long polling become inbound events, posts become HTML messages with inline keyboards, drafts stream
 * in private chats. The only place that imports grammY; nothing is decided here.
 */
import type { UserFromGetMe } from "grammy/types";
import {
  type Account,
  type Adapter,
  type AdapterDeps,
  type AdapterLog,
  type Address,
  ConnectionError,
  type Interaction,
  onlyChanges,
} from "../../src/chat/index.ts";
import { connectionOptions, createApi, type MovedChats } from "./client.ts";
import { syncCommands } from "./commands.ts";
import { downloadFile } from "./download.ts";
import { describe, isUnauthorized } from "./errors.ts";
import { callbackAnswerLimit, capabilities } from "./limits.ts";
import { splitPost } from "./message.ts";
import { defaultPollingTiming, type Polling, type PollingTiming, startPolling } from "./polling.ts";
import { createReceiver } from "./receive.ts";
import { createSender } from "./send.ts";
import { words } from "./words.ts";

export interface TelegramAdapterOptions {
  readonly token: string;
  /** The Bot API server, without a slash at the end; Telegram's own by default. */
  readonly apiRoot?: string | undefined;
  readonly log?: AdapterLog | undefined;
  /** Waiting times, for tests and slow lines. */
  readonly timing?: Partial<TelegramTiming> | undefined;
}

export interface TelegramTiming extends PollingTiming {
  /** After this long without a response a request counts as lost. */
  readonly requestSeconds: number;
  readonly uploadSeconds: number;
}

/** Makes the adapter for one bot. The token never appears in a receipt, an error or the log. */
export function createTelegramAdapter(options: TelegramAdapterOptions, deps: AdapterDeps): Adapter {
  const { token, log } = options;
  const apiRoot = (options.apiRoot ?? "https://api.telegram.org").replace(/\/+$/, "");
  const timing = { ...defaultPollingTiming, requestSeconds: 20, uploadSeconds: 300, ...options.timing };
  const redact = (text: string) => text.replaceAll(token, "[secret]");
  const warn = (message: string, detail: string) =>
    log?.warn({ platform: "telegram", detail: redact(detail) }, message);
  const connection = connectionOptions(apiRoot);
  const moved: MovedChats = new Map();
  const api = createApi(token, connection, timing.requestSeconds, moved);
  const uploads = createApi(token, connection, timing.uploadSeconds, moved);
  const onState = onlyChanges(deps.onState);
  let me: UserFromGetMe | undefined;
  let polling: Polling | undefined;

  return {
    platform: "telegram",
    capabilities,
    ...createSender({ api, uploads, redact }),
    split: splitPost,

    connect: async () => {
      onState("connecting");
      me = await api.getMe().catch((error: unknown) => {
        if (isUnauthorized(error)) {
          onState("misconfigured", words.invalidToken);
          throw new ConnectionError("invalid_token", words.invalidToken);
        }
        onState("reconnecting", words.unreachable(apiRoot));
        throw new ConnectionError("unreachable", words.unreachable(apiRoot), new Error(redact(describe(error))));
      });
      onState("connected");
      return toAccount(me);
    },

    start: async (sink) => {
      const receiver = createReceiver({ sink, warn, retryMs: timing.retryMs, retryMaxMs: timing.retryMaxMs });
      polling ??= startPolling({
        token,
        connection,
        apiRoot,
        me,
        take: receiver.take,
        onFirstBatch: () => {
          syncCommands(api, deps.state, deps.commands).catch((error: unknown) => {
            warn("the command menu was not updated", describe(error));
          });
        },
        onState,
        warn,
        timing,
      });
    },

    stop: async () => {
      const stopping = polling;
      polling = undefined;
      await stopping?.stop();
      onState("stopped");
    },

    answer: async ({ id }: Interaction, text?: string, stays = false) => {
      const shown = text === undefined ? {} : { text: text.slice(0, callbackAnswerLimit), show_alert: stays };
      // Too late (the query is minutes old) or answered already: the spinner is gone either way.
      await api
        .answerCallbackQuery(id, shown)
        .catch((error: unknown) => warn("a press was not answered", describe(error)));
    },

    download: (file, signal) => downloadFile({ api, token, apiRoot, redact }, file, signal),
    link: messageLink,
  };
}

function toAccount(me: UserFromGetMe): Account {
  return {
    botId: String(me.id),
    name: me.first_name,
    link: `https://t.me/${me.username}`,
    notes: [
      ...(me.can_join_groups ? [] : [words.noGroups]),
      ...(me.can_read_all_group_messages || !me.can_join_groups ? [] : [words.privacyMode]),
    ],
  };
}

/** Members of a supergroup can open its messages by link; private chats and basic groups have no links. */
function messageLink({ channel, thread }: Address, messageId: string): string | undefined {
  const supergroup = /^-100(\d+)$/.exec(channel)?.[1];
  if (supergroup === undefined) return undefined;
  return ["https://t.me/c", supergroup, ...(thread === undefined ? [] : [thread]), messageId].join("/");
}
