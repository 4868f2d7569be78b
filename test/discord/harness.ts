import { createDiscordAdapter, type DiscordTiming } from "../../adapters/discord/index.ts";
import type { Adapter, AdapterDeps, ConnectionState, InboundEvent, KnownPlace, Sink } from "../../src/chat/index.ts";
import { createDiscord, type Discord, type DiscordOptions } from "../fakes/discord/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";

export interface Wired extends AsyncDisposable {
  readonly discord: Discord;
  readonly adapter: Adapter;
  /** What the sink stored, in order. */
  readonly events: InboundEvent[];
  readonly states: { readonly state: ConnectionState; readonly detail: string | undefined }[];
  readonly warnings: string[];
  /** What the adapter keeps between starts. */
  readonly kept: Map<string, string>;
  /** Where the core says we were; a test changes it. */
  known: readonly KnownPlace[];
  start(): Promise<void>;
}

export interface WireOptions extends DiscordOptions {
  readonly deps?: Partial<AdapterDeps>;
  /** Registers commands in the first server alone. */
  readonly ownCommands?: boolean;
  readonly timing?: Partial<DiscordTiming>;
  /** Stands before the recording sink; what it rejects is not recorded. */
  readonly before?: Sink;
  readonly kept?: Map<string, string>;
  /** False to leave signing in, and so receiving, to the test. */
  readonly connect?: boolean;
  /** False to leave receiving to the test. */
  readonly start?: boolean;
}

export const commands: AdapterDeps["commands"] = [
  {
    name: "ask",
    description: "Ask a teammate",
    menu: true,
    fields: [
      { name: "teammate", description: "Who", required: true, completes: "teammate" },
      { name: "message", description: "What", required: true },
    ],
  },
  { name: "status", description: "What runs", menu: true, fields: [] },
];

/** The adapter, connected to a fresh stand-in and receiving. */
export async function wire(options: WireOptions = {}): Promise<Wired> {
  const discord = await createDiscord(options);
  const events: InboundEvent[] = [];
  const states: Wired["states"] = [];
  const warnings: string[] = [];
  const kept = options.kept ?? new Map<string, string>();
  const adapter = createDiscordAdapter(
    {
      token: discord.token,
      apiUrl: discord.url,
      ...(options.ownCommands ? { guildIds: [discord.guildId] } : {}),
      timing: { retryMs: 5, retryMaxMs: 20, ...options.timing },
      log: { warn: (data, message) => void warnings.push(`${message}: ${JSON.stringify(data)}`) },
    },
    adapterDeps({
      commands,
      onState: (state, detail) => void states.push({ state, detail }),
      state: {
        load: async (key) => kept.get(key),
        save: async (key, value) => void kept.set(key, value),
      },
      known: async () => wired.known,
      ...options.deps,
    }),
  );
  const wired: Wired = {
    discord,
    adapter,
    events,
    states,
    warnings,
    kept,
    known: [],
    start: () =>
      adapter.start(async (event) => {
        await options.before?.(event);
        events.push(event);
      }),
    [Symbol.asyncDispose]: async () => {
      await adapter.stop();
      await discord.close();
    },
  };
  if (options.connect !== false) await adapter.connect();
  if (options.connect !== false && options.start !== false) await wired.start();
  return wired;
}

/** Another process with the same bot: it remembers nothing. */
export async function restarted(discord: Discord): Promise<Adapter> {
  const adapter = createDiscordAdapter({ token: discord.token, apiUrl: discord.url }, adapterDeps());
  await adapter.connect();
  return adapter;
}

/** Ada says our name in the channel; gives the id of her message, on which the thread hangs. */
export function mention(discord: Discord, text: string, channel = discord.general): string {
  return discord.say(discord.ada, channel, `${discord.mention()} ${text}`).id;
}
