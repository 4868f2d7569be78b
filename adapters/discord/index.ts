/**
 * Discord: gateway events become inbound events, posts become messages in Discord's Markdown with buttons and lists,
 * teammates speak through a webhook. The only place that imports discord.js; nothing is decided here.
 */
import { type Adapter, type AdapterDeps, type Address, onlyChanges, type Sink, within } from "../../src/chat/index.ts";
import { createAboutMessages } from "./about.ts";
import { createAcknowledger } from "./acknowledge.ts";
import { createAnswers } from "./answers.ts";
import { createApi, createRest } from "./api.ts";
import { createCatchUp } from "./catch-up.ts";
import { syncCommands } from "./commands.ts";
import { type Identity, identify, toAccount } from "./connect.ts";
import { createDirectory, isDm } from "./directory.ts";
import { downloadFile } from "./download.ts";
import { describe } from "./errors.ts";
import { createReader } from "./events.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { createHistory } from "./history.ts";
import { createIntake } from "./intake.ts";
import { createInteractions } from "./interactions.ts";
import { capabilities } from "./limits.ts";
import { createMembership } from "./membership.ts";
import { splitPost } from "./message.ts";
import { type DiscordAdapterOptions, defaultTiming } from "./options.ts";
import { createOwnThreads } from "./own-threads.ts";
import { createReactions } from "./reactions.ts";
import { createReceiver, type Receiver } from "./receive.ts";
import { createSender } from "./send.ts";
import { createThreads } from "./threads.ts";
import { createUpload } from "./upload.ts";
import { createWebhooks } from "./webhooks.ts";

export type { DiscordTiming } from "./options.ts";

/** Makes the adapter for one bot. The token never appears in a receipt, an error or the log. */
export function createDiscordAdapter(options: DiscordAdapterOptions, deps: AdapterDeps): Adapter {
  const { token, log, guildIds = [] } = options;
  const apiUrl = (options.apiUrl ?? "https://discord.com/api").replace(/\/+$/, "");
  const timing = { ...defaultTiming, ...options.timing };
  const redact = (text: string) => text.replaceAll(token, "[secret]");
  const warn = (message: string, detail: string) =>
    log?.warn({ platform: "discord", detail: redact(detail) }, redact(message));
  const { patienceMs, requestMs, uploadMs } = timing;
  const rest = createRest({ token, apiUrl, requestMs, patienceMs });
  const uploadRest = createRest({ token, apiUrl, requestMs: uploadMs, patienceMs });
  const [api, uploads] = [createApi(rest), createApi(uploadRest)];
  const onState = onlyChanges(deps.onState);
  let identity: Identity | undefined;
  let running: { readonly receiver: Receiver; gateway?: Gateway } | undefined;

  // An id that nobody has, until Discord told ours: nothing is taken for our own by mistake.
  const self = () => identity ?? { botId: "0", applicationId: "0" };
  const [botId, applicationId] = [() => self().botId, () => self().applicationId];
  const directory = createDirectory(api, botId);
  const threads = createThreads({ api, directory, warn });
  const webhooks = createWebhooks({ api, applicationId, warn, pauseMs: timing.webhookPauseMs });
  const acknowledger = createAcknowledger({ api, applicationId, warn });
  const answers = createAnswers({ api, applicationId, acknowledger, warn });
  const sender = createSender({ api, threads, webhooks, answers, directory, botId, redact });
  const react = createReactions(api, threads);

  /** After a 401 discord.js forgets the token, and one answer by mistake would silence us; so it is tried again, but rarely. */
  let armedAt = 0;
  const arm = (atOnce = false) => {
    if (!atOnce && Date.now() - armedAt < timing.refusedMs) return;
    armedAt = Date.now();
    for (const client of [rest, uploadRest]) client.setToken(token);
  };

  const identified = async () => {
    arm(true);
    identity = await identify({ api, apiUrl, onState, redact });
    return identity;
  };

  const receive = async (sink: Sink) => {
    const { retryMs, retryMaxMs } = timing;
    const receiver = createReceiver({ sink, warn, retryMs, retryMaxMs });
    const current: typeof running = { receiver };
    running = current;
    const known = () => receiver.untilDone("telling the places to catch up", deps.known);
    const before = await known();
    const { messageContent } = identity ?? (await identified());
    const reader = createReader({ api, directory, self, onRoot: threads.noteRoot });
    const about = createAboutMessages({ api, directory, threads, self, warn });
    const emit: Receiver["add"] = (lane, name, read) => receiver.add(`interactions:${lane}`, name, read);
    const onPacket = createIntake(
      {
        directory,
        reader,
        receiver,
        membership: createMembership({ api, directory, deps, receiver }),
        onInteraction: createInteractions({ acknowledger, about, directory, deps, noteRoot: threads.noteRoot, emit }),
        known,
        catchUp: createCatchUp({ api, reader, receiver, warn, retryMs, retryMaxMs }),
        joinThread: (thread) => void threads.join(thread),
        onThreadDeleted: threads.noteDeleted,
        onListening: () =>
          syncCommands({
            api,
            applicationId: applicationId(),
            state: deps.state,
            specs: deps.commands,
            guildIds,
          }).catch((error: unknown) => warn("the commands were not registered", describe(error))),
        warn,
      },
      before,
    );
    if (receiver.signal.aborted) return;
    const gateway = startGateway({ token, apiUrl, messageContent, onPacket, onState, warn, retryMs, retryMaxMs });
    current.gateway = gateway;
    await within(timing.startMs, gateway.settled);
  };

  return {
    platform: "discord",
    capabilities,
    post: (...post) => {
      arm();
      return sender.post(...post);
    },
    edit: sender.edit,
    remove: sender.remove,
    removeByButton: sender.removeByButton,
    split: splitPost,
    upload: createUpload({ api: uploads, threads, directory, redact }),
    openThread: createOwnThreads({ api, directory, botId, redact, post: sender.post }),
    react: (address, messageId, reaction) => sender.receipt(react(address, messageId, reaction)),
    history: createHistory({ api, directory, self }),
    download: (file, signal) => downloadFile(api, redact, file, signal),
    answer: (interaction, text) => answers.answer(interaction, text),

    connect: async () => {
      onState("connecting");
      const account = toAccount(await identified());
      onState("connected");
      return account;
    },

    start: async (sink) => {
      if (running) return;
      await receive(sink).catch((error: unknown) => {
        // Stopped while it waited for the database: that is no failure.
        if (error instanceof Error && error.name === "AbortError") return;
        running = undefined;
        throw error;
      });
    },

    stop: async () => {
      const stopping = running;
      running = undefined;
      await Promise.all([stopping?.receiver.stop(), stopping?.gateway?.stop()]);
      onState("stopped");
    },

    typing: async (address) => {
      // A sign that is missed is no failure, and a late one no use.
      await threads
        .open(address)
        .then(({ channel }) => api.typing(channel))
        .catch(() => undefined);
    },

    link: ({ channel, thread }: Address, messageId: string) => {
      const known = directory.channel(channel);
      const server = known && isDm(known) ? "@me" : known?.guild;
      if (server === undefined) return undefined;
      const where = thread === undefined || messageId === thread ? channel : thread;
      return `https://discord.com/channels/${server}/${where}/${messageId}`;
    },
  };
}
