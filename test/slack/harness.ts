import { createSlackAdapter, type SlackTiming } from "../../adapters/slack/index.ts";
import type { Adapter, AdapterDeps, ConnectionState, InboundEvent, Sink } from "../../src/chat/index.ts";
import { createSlack, type Slack, type SlackOptions } from "../fakes/slack/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";

export interface Wired extends AsyncDisposable {
  readonly slack: Slack;
  readonly adapter: Adapter;
  /** Ada's direct message with us. */
  readonly dm: string;
  /** What the sink stored, in order. */
  readonly events: InboundEvent[];
  readonly states: { readonly state: ConnectionState; readonly detail: string | undefined }[];
  readonly warnings: string[];
  readonly stored: Sink;
}

export interface WireOptions {
  readonly slack?: SlackOptions;
  readonly deps?: Partial<AdapterDeps>;
  readonly clock?: Partial<SlackTiming>;
  /** Stands before the recording sink; what it rejects is not recorded. */
  readonly before?: Sink;
  /** False to leave receiving to the test. */
  readonly start?: boolean;
  /** False to leave signing in to the test. */
  readonly connect?: boolean;
}

/** Short pauses, so that a test does not wait; the pace of retries is not what is tested. */
export const quick: Partial<SlackTiming> = { retryMs: 5, retryMaxMs: 20, stopMs: 1_000, lookMs: 5 };

/** The adapter, connected to a fresh stand-in and receiving. */
export async function wire(options: WireOptions = {}): Promise<Wired> {
  const slack = await createSlack(options.slack);
  const events: InboundEvent[] = [];
  const states: Wired["states"] = [];
  const warnings: string[] = [];
  const adapter = createSlackAdapter(
    {
      botToken: slack.botToken,
      appToken: slack.appToken,
      apiUrl: slack.url,
      timing: { ...quick, ...options.clock },
      log: { warn: (data, message) => void warnings.push(`${message}: ${JSON.stringify(data)}`) },
    },
    adapterDeps({ ...options.deps, onState: (state, detail) => void states.push({ state, detail }) }),
  );
  const stored: Sink = async (event) => {
    await options.before?.(event);
    events.push(event);
  };
  if (options.connect !== false) await adapter.connect();
  if (options.start !== false) await adapter.start(stored);
  return {
    slack,
    adapter,
    dm: slack.dm(slack.ada),
    events,
    states,
    warnings,
    stored,
    [Symbol.asyncDispose]: async () => {
      await adapter.stop();
      await slack.close();
    },
  };
}
