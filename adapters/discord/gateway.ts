import { setTimeout as delay } from "node:timers/promises";
import {
  Client,
  Events,
  GatewayCloseCodes,
  type GatewayDispatchPayload,
  GatewayIntentBits,
  Options,
  Partials,
} from "discord.js";
import { backoff, type ConnectionState, type RetryTiming } from "../../src/chat/index.ts";
import { describe } from "./errors.ts";
import { words } from "./words.ts";

export interface GatewayDeps extends RetryTiming {
  readonly token: string;
  readonly apiUrl: string;
  /** False where the application may not read messages that do not mention it. */
  readonly messageContent: boolean;
  /** Every event as it comes, in order; must not throw. */
  readonly onPacket: (packet: GatewayDispatchPayload) => void;
  readonly onState: (state: ConnectionState, detail?: string) => void;
  readonly warn: (message: string, detail: string) => void;
}

export interface Gateway {
  /** Resolves once events come, or it is certain that they will not for a while. */
  readonly settled: Promise<void>;
  stop(): Promise<void>;
}

type Outcome =
  | { readonly kind: "closed"; readonly code: number }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "stopped" };

/**
 * Holds discord.js's connection until `stop`. discord.js resumes by itself; what ends it for good (a wrong token, intents
 * that are off) becomes a state with a sentence, and what only failed is tried again.
 */
export function startGateway(deps: GatewayDeps): Gateway {
  const stopping = new AbortController();
  const settled = Promise.withResolvers<void>();
  let client: Client | undefined;
  let messageContent = deps.messageContent;

  const connectOnce = (): Promise<Outcome> => {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    const current = createClient(deps.apiUrl, messageContent);
    forgive(current, (error) => deps.warn("the Discord client could not read an event", describe(error)));
    client = current;
    stopping.signal.addEventListener("abort", () => resolve({ kind: "stopped" }), { once: true });
    current.on(Events.Raw, (packet: GatewayDispatchPayload) => {
      if (stopping.signal.aborted || client !== current) return;
      deps.onPacket(packet);
      if (packet.t !== "READY" && packet.t !== "RESUMED") return;
      deps.onState("connected", messageContent ? undefined : words.noMessageContent);
      settled.resolve();
    });
    // Without a listener, one rejection inside discord.js would end the process.
    current.on(Events.Error, (error) => deps.warn("the Discord client reported an error", describe(error)));
    current.on(Events.ShardError, (error) => deps.warn("the line to Discord reported an error", describe(error)));
    current.on(Events.ShardReconnecting, () => {
      if (!stopping.signal.aborted) deps.onState("reconnecting", words.reconnecting);
    });
    current.on(Events.ShardDisconnect, ({ code }) => resolve({ kind: "closed", code }));
    current.login(deps.token).catch((error: unknown) => resolve({ kind: "failed", error }));
    return promise;
  };

  const end = async () => {
    const ending = client;
    client = undefined;
    await Promise.race([ending?.destroy().catch(() => undefined), delay(3000, undefined, { ref: false })]);
  };

  const run = async () => {
    for (let attempt = 0; !stopping.signal.aborted; attempt += 1) {
      const outcome = await connectOnce();
      await end();
      if (outcome.kind === "stopped") return;
      if (outcome.kind === "closed" && outcome.code === GatewayCloseCodes.DisallowedIntents && messageContent) {
        messageContent = false;
        continue;
      }
      const sentence = lastWord(outcome);
      if (sentence !== undefined) {
        deps.onState("misconfigured", sentence);
        return;
      }
      if (outcome.kind === "failed") deps.warn("Discord could not be reached", describe(outcome.error));
      deps.onState("reconnecting", words.unreachable(deps.apiUrl));
      settled.resolve();
      await delay(backoff(deps, attempt), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run()
    .catch((error: unknown) => deps.warn("the connection ended", describe(error)))
    .finally(settled.resolve);

  return {
    settled: settled.promise,
    stop: async () => {
      stopping.abort();
      await Promise.race([running, delay(4000, undefined, { ref: false })]);
    },
  };
}

/** Why there is no use in trying again; undefined where there is. */
function lastWord(outcome: Outcome): string | undefined {
  if (outcome.kind === "failed") {
    const { error } = outcome;
    const wrongToken = error instanceof Error && "code" in error && error.code === "TokenInvalid";
    return wrongToken ? words.tokenRevoked : undefined;
  }
  if (outcome.kind === "stopped") return undefined;
  switch (outcome.code) {
    case GatewayCloseCodes.AuthenticationFailed:
      return words.tokenRevoked;
    case GatewayCloseCodes.ShardingRequired:
      return words.tooManyServers;
    case GatewayCloseCodes.InvalidIntents:
    case GatewayCloseCodes.DisallowedIntents:
      return words.intentsRefused;
    default:
      return words.closedForGood(outcome.code);
  }
}

/**
 * discord.js builds objects of its own from each event, of which we use none. Over a shape it does not know it throws where
 * nothing catches it, which would end the process.
 */
function forgive(client: Client, onError: (error: unknown) => void): void {
  const manager = client.ws as unknown as { handlePacket(...given: unknown[]): unknown };
  const handle = manager.handlePacket.bind(manager);
  manager.handlePacket = (...given) => {
    try {
      return handle(...given);
    } catch (error) {
      onError(error);
      return false;
    }
  };
}

/** We keep what we need ourselves; discord.js keeps what it cannot do without. */
function createClient(apiUrl: string, messageContent: boolean): Client {
  return new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      ...(messageContent ? [GatewayIntentBits.MessageContent] : []),
    ],
    partials: [Partials.Channel, Partials.Message],
    makeCache: Options.cacheWithLimits({
      ApplicationCommandManager: 0,
      AutoModerationRuleManager: 0,
      BaseGuildEmojiManager: 0,
      DMMessageManager: 0,
      EntitlementManager: 0,
      GuildBanManager: 0,
      GuildEmojiManager: 0,
      GuildInviteManager: 0,
      GuildMemberManager: { maxSize: 0, keepOverLimit: (member) => member.id === member.client.user.id },
      GuildMessageManager: 0,
      GuildScheduledEventManager: 0,
      GuildStickerManager: 0,
      MessageManager: 0,
      PresenceManager: 0,
      ReactionManager: 0,
      ReactionUserManager: 0,
      StageInstanceManager: 0,
      ThreadMemberManager: 0,
      UserManager: { maxSize: 0, keepOverLimit: (user) => user.id === user.client.user?.id },
      VoiceStateManager: 0,
    }),
    sweepers: { ...Options.DefaultSweeperSettings, threads: { interval: 3600, lifetime: 3600 } },
    rest: { api: apiUrl, retries: 0 },
  });
}
