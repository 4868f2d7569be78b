/**
 * Slack: envelopes on two Socket Mode connections become inbound events, posts become `markdown` blocks with buttons and
 * lists, progress is the native status line. The only place that imports Slack's SDKs; nothing is decided here.
 */
import {
  type Adapter,
  type AdapterDeps,
  type AdapterLog,
  type Address,
  ConnectionError,
  delivered,
  type Interaction,
  oneLine,
  onlyChanges,
  plainDocument,
  type Receipt,
  toMarkdown,
} from "../../src/chat/index.ts";
import { createClient, createRedact } from "./client.ts";
import { checkAppToken, type SignedIn, signIn, toAccount } from "./connect.ts";
import { createDirectory } from "./directory.ts";
import { createDownload } from "./download.ts";
import { describe, toFailure } from "./errors.ts";
import { history } from "./history.ts";
import { createHome } from "./home.ts";
import { capabilities, statusLimit } from "./limits.ts";
import { splitPost } from "./message.ts";
import { originOf } from "./origin.ts";
import { createPrivately } from "./privately.ts";
import { createReactions } from "./reactions.ts";
import { type Receiving, type ReceivingTiming, startReceiving } from "./receive.ts";
import { clipped } from "./render.ts";
import { createSender } from "./send.ts";
import { uploadFile } from "./upload.ts";
import { botTokenProblem } from "./words.ts";

export interface SlackAdapterOptions {
  /** `xoxb-…`: speaks. */
  readonly botToken: string;
  /** `xapp-…`: listens. */
  readonly appToken: string;
  /** Where the Web API is; Slack's own by default. */
  readonly apiUrl?: string | undefined;
  readonly log?: AdapterLog | undefined;
  /** Waiting times, for tests and slow lines. */
  readonly timing?: Partial<SlackTiming> | undefined;
}

export interface SlackTiming extends ReceivingTiming {
  readonly uploadMs: number;
  readonly lookMs: number;
}

const defaultTiming: SlackTiming = {
  retryMs: 500,
  retryMaxMs: 30_000,
  helloMs: 15_000,
  silenceMs: 45_000,
  requestMs: 20_000,
  stopMs: 3_000,
  interactiveAckMs: 2_000,
  formMs: 2_000,
  // What lies in both sockets at once is read within a turn of the event loop or two; people are slower than that.
  settleMs: 5,
  uploadMs: 300_000,
  lookMs: 500,
};

/** Makes the adapter for one bot in one workspace. The tokens never appear in a receipt, an error or the log. */
export function createSlackAdapter(options: SlackAdapterOptions, deps: AdapterDeps): Adapter {
  const { botToken, appToken, log } = options;
  const apiUrl = `${(options.apiUrl ?? "https://slack.com/api").replace(/\/+$/u, "")}/`;
  const timing = { ...defaultTiming, ...options.timing };
  const now = Date.now;
  const redact = createRedact(botToken, appToken);
  const warn = (message: string, detail: string) => log?.warn({ platform: "slack", detail: redact(detail) }, message);
  const client = createClient(botToken, apiUrl, timing.requestMs);
  const appClient = createClient(appToken, apiUrl, timing.requestMs);
  const connecting = { client, appClient, apiUrl, redact };
  const onState = onlyChanges(deps.onState);
  const directory = createDirectory(client);
  const privately = createPrivately({ client, redact, warn, now, requestMs: timing.requestMs });
  let me: SignedIn | undefined;
  let receiving: Receiving | undefined;
  const customizes = () => me?.scopes?.includes("chat:write.customize") === true;
  const sender = createSender({ client, privately, redact, customizes, now });
  const signedIn = async (): Promise<SignedIn> => {
    me ??= await signIn(connecting);
    return me;
  };

  return {
    platform: "slack",
    capabilities,
    ...sender,
    ...createHome(client, redact),
    split: splitPost,
    post: async (...sending) => {
      const receipt = await sender.post(...sending);
      // The sockets live on the other token and would not notice.
      const problem = receipt.outcome === "failed" ? botTokenProblem(receipt.error.detail) : undefined;
      if (problem !== undefined) onState("misconfigured", problem);
      return receipt;
    },
    react: createReactions(client, redact),
    openThread: ({ channel, thread }, title, key, again) => {
      // Any message can have a thread beneath it: this one says what stands there.
      const root = { text: threadTitle(title), notify: false };
      return thread === undefined ? sender.post({ channel }, root, key, again) : sender.edit({ channel }, thread, root);
    },
    upload: (address, file) => uploadFile({ client, redact, ...timing }, address, file),
    download: createDownload({ client, botToken, apiUrl, redact }),

    connect: async () => {
      onState("connecting");
      try {
        // Asked anew: permissions may have changed since.
        me = await signIn(connecting);
        await checkAppToken(connecting);
        return toAccount(me, appToken);
      } catch (error) {
        const misconfigured = error instanceof ConnectionError && error.kind === "invalid_token";
        onState(misconfigured ? "misconfigured" : "reconnecting", describeForOwner(error));
        throw error;
      }
    },

    start: async (sink) => {
      receiving ??= startReceiving(
        {
          appToken,
          botToken,
          apiUrl,
          client,
          directory,
          sender,
          privately,
          deps,
          onState,
          warn,
          now,
          timing,
          signedIn,
        },
        sink,
      );
      await receiving.started;
    },

    stop: async () => {
      const stopping = receiving;
      receiving = undefined;
      await stopping?.stop();
      onState("stopped");
    },

    status: async ({ channel, thread }: Address, line: string | null): Promise<Receipt> => {
      // A status line stands in a thread; without one there is nowhere to show it.
      if (thread === undefined) return delivered("");
      return client.assistant.threads.setStatus({ channel_id: channel, thread_ts: thread, ...statusOf(line) }).then(
        () => delivered(thread),
        (error: unknown) => toFailure(error, redact),
      );
    },

    answer: async (interaction: Interaction, text?: string) => {
      const origin = originOf(interaction);
      // Slack shows no spinner once the press is acknowledged.
      if (text !== undefined && origin) await privately.tell(origin, text);
    },

    history: async (address, before, limit, signal) => {
      const { self } = await signedIn();
      return history(client, { self, directory }, address, before, limit, signal);
    },

    link: ({ channel, thread }, messageId) => {
      if (me === undefined || !/^\d+\.\d+$/u.test(messageId)) return undefined;
      const message = `${me.self.url.replace(/\/+$/u, "")}/archives/${channel}/p${messageId.replace(".", "")}`;
      return thread === undefined || thread === messageId ? message : `${message}?thread_ts=${thread}&cid=${channel}`;
    },
  };
}

function threadTitle(title: string): string {
  return `🗓 **${toMarkdown(plainDocument(oneLine(title))).trim()}**`;
}

/** The line stands behind our name; where Slack shows loading messages, by itself. An empty one takes it away. */
function statusOf(line: string | null): { status: string; loading_messages?: string[] } {
  if (line === null || line.trim() === "") return { status: "" };
  const status = clipped(oneLine(line), statusLimit);
  const alone = status.replace(/^is /u, "");
  return { status, loading_messages: [alone.charAt(0).toUpperCase() + alone.slice(1)] };
}

function describeForOwner(error: unknown): string {
  return error instanceof ConnectionError ? error.message : describe(error);
}
