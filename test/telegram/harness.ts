import { createTelegramAdapter, type TelegramTiming } from "../../adapters/telegram/index.ts";
import type { Adapter, AdapterDeps, ConnectionState, InboundEvent, Sink } from "../../src/chat/index.ts";
import { createTelegram, type Telegram, type TelegramOptions } from "../fakes/telegram/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";

export interface Wired extends AsyncDisposable {
  readonly telegram: Telegram;
  readonly adapter: Adapter;
  /** What the sink stored, in order. */
  readonly events: InboundEvent[];
  readonly states: { readonly state: ConnectionState; readonly detail: string | undefined }[];
  readonly warnings: string[];
  /** What the adapter keeps between starts. */
  readonly kept: Map<string, string>;
}

export interface WireOptions extends TelegramOptions {
  readonly commands?: AdapterDeps["commands"];
  readonly timing?: Partial<TelegramTiming>;
  /** Stands before the recording sink; what it rejects is not recorded. */
  readonly before?: Sink;
  readonly kept?: Map<string, string>;
  /** False to leave receiving to the test. */
  readonly start?: boolean;
}

/** The adapter, connected to a fresh stand-in and receiving. */
export async function wire(options: WireOptions = {}): Promise<Wired> {
  const telegram = await createTelegram(options);
  const events: InboundEvent[] = [];
  const states: Wired["states"] = [];
  const warnings: string[] = [];
  const kept = options.kept ?? new Map<string, string>();
  const adapter = createTelegramAdapter(
    {
      token: telegram.token,
      apiRoot: telegram.url,
      timing: { retryMs: 5, retryMaxMs: 20, conflictMs: 20, ...options.timing },
      log: { warn: (data, message) => void warnings.push(`${message}: ${JSON.stringify(data)}`) },
    },
    adapterDeps({
      commands: options.commands ?? [],
      onState: (state, detail) => void states.push({ state, detail }),
      state: {
        load: async (key) => kept.get(key),
        save: async (key, value) => void kept.set(key, value),
      },
    }),
  );
  await adapter.connect();
  if (options.start !== false) {
    await adapter.start(async (event) => {
      await options.before?.(event);
      events.push(event);
    });
  }
  return {
    telegram,
    adapter,
    events,
    states,
    warnings,
    kept,
    [Symbol.asyncDispose]: async () => {
      await adapter.stop();
      await telegram.close();
    },
  };
}
