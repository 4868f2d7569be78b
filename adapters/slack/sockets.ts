import { setTimeout as delay } from "node:timers/promises";
import { SocketModeClient } from "@slack/socket-mode";
import { WebAPIRateLimitedError } from "@slack/web-api";
import { backoff, type ConnectionState, type RetryTiming } from "../../src/chat/index.ts";
import { clientOptions, silent } from "./client.ts";
import { errorCode } from "./errors.ts";
import { watchSigns } from "./signs.ts";
import { appTokenProblem, words } from "./words.ts";

/** What Slack puts on a socket for us, as `SocketModeClient` hands it over. */
export interface Envelope {
  readonly envelope_id: string;
  readonly type: string;
  readonly body: Record<string, unknown>;
  readonly retry_num?: number | undefined;
  readonly retry_reason?: string | undefined;
  ack(response?: Record<string, unknown>): Promise<void>;
}

/** All in milliseconds. */
export interface SocketTiming extends RetryTiming {
  /** How long a new socket may take to say hello. */
  readonly helloMs: number;
  /** A socket without a ping for so long is a ghost: Slack pings about every ten seconds. */
  readonly silenceMs: number;
  readonly requestMs: number;
  /** How long a stop waits for the sockets to say goodbye. */
  readonly stopMs: number;
}

export interface SocketsDeps {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly timing: SocketTiming;
  readonly onEnvelope: (envelope: Envelope) => void;
  readonly onState: (state: ConnectionState, detail?: string) => void;
  /** No socket listens any more, perhaps for long already where they fell silent; what is returned is called when one does again. */
  readonly onDeaf: (silently: boolean) => () => void;
}

type Line = "opening" | "open" | "failing";

/** Slack renews each socket now and then; with two there is always one that listens. It allows ten. */
const lineCount = 2;

/**
 * Keeps two sockets open until `stop`. Reconnecting is done here, with a client per socket: the SDK's own gives up with an
 * unhandled rejection when `apps.connections.open` answers 500 or a dead token, and waits five seconds after each refresh.
 */
export function openSockets(deps: SocketsDeps) {
  const stopping = new AbortController();
  const lines: Line[] = Array.from({ length: lineCount }, () => "opening");
  const settled = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  let connected = false;
  let onHearing: (() => void) | undefined;

  const running = lines.map((_, index) => keepOpen(index));
  return {
    /** Resolves as soon as it is known whether we can connect. */
    settled: settled.promise,
    /** Resolves when we are connected for the first time. */
    opened: opened.promise,
    stop: async (): Promise<void> => {
      stopping.abort();
      settled.resolve();
      await Promise.race([Promise.all(running), delay(deps.timing.stopMs, undefined, { ref: false })]);
    },
  };

  async function keepOpen(index: number): Promise<void> {
    for (let attempt = 0; !stopping.signal.aborted; ) {
      const ended = await openOnce(deps, stopping.signal, () => change(index, "open"));
      if (stopping.signal.aborted) return;
      attempt = ended.wasOpen ? 0 : attempt + 1;
      change(index, ended.wasOpen ? "opening" : "failing", ended);
      const wait = pause(ended, attempt, deps.timing);
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  function change(index: number, line: Line, ended?: Ended): void {
    lines[index] = line;
    const open = lines.filter((one) => one === "open").length;
    if (open === 0 && connected) onHearing ??= deps.onDeaf(ended?.silently === true);
    if (ended?.problem !== undefined) {
      connected = false;
      deps.onState(ended.problem.state, ended.problem.detail);
    } else if (open === lines.length || (open > 0 && !lines.includes("opening"))) {
      // One that listens is enough where the other cannot be had.
      connected = true;
      onHearing?.();
      onHearing = undefined;
      deps.onState("connected");
      opened.resolve();
    } else if (open === 0) {
      connected = false;
      deps.onState("reconnecting", ended?.wasOpen ? undefined : words.unreachable(deps.apiUrl));
    }
    if (connected || line === "failing") settled.resolve();
  }
}

/** How a socket ended, or why there was none. */
interface Ended {
  readonly wasOpen: boolean;
  /** It gave no signs of life any more. */
  readonly silently?: boolean | undefined;
  readonly retryAfterMs?: number | undefined;
  /** What the owner should know, where it is more than a lost connection. */
  readonly problem?: { readonly state: ConnectionState; readonly detail: string } | undefined;
}

function pause({ wasOpen, problem, retryAfterMs }: Ended, attempt: number, timing: SocketTiming): number {
  if (retryAfterMs !== undefined) return retryAfterMs;
  if (problem !== undefined) return timing.retryMaxMs;
  if (wasOpen) return 0;
  return backoff(timing, attempt - 1);
}

/** Opens one socket and resolves when it is over. Never rejects. */
async function openOnce(deps: SocketsDeps, stopping: AbortSignal, onOpen: () => void): Promise<Ended> {
  const { appToken, apiUrl, timing } = deps;
  const client = new SocketModeClient({
    appToken,
    autoReconnectEnabled: false,
    logger: silent,
    clientPingTimeout: Math.min(5_000, timing.silenceMs),
    serverPingTimeout: timing.silenceMs,
    clientOptions: clientOptions(apiUrl, timing.requestMs),
  });
  const over = Promise.withResolvers<Ended>();
  let wasOpen = false;
  client.on("slack_event", deps.onEnvelope);
  client.on("disconnected", () => over.resolve({ wasOpen }));
  client.on("ws_message", (data: unknown) => {
    if (reasonToGo(data) === "link_disabled") {
      over.resolve({ wasOpen, problem: { state: "misconfigured", detail: words.socketModeOff } });
    }
  });
  const watch = watchSigns(client, timing, () => over.resolve({ wasOpen, silently: true }));
  const abandon = () => over.resolve({ wasOpen });
  stopping.addEventListener("abort", abandon);
  if (stopping.aborted) abandon();

  const starting = client.start().then(
    () => {
      wasOpen = true;
      if (!stopping.aborted) onOpen();
    },
    (error: unknown) => over.resolve({ wasOpen, ...whyNot(error) }),
  );
  const ended = await over.promise;
  watch.stop();
  stopping.removeEventListener("abort", abandon);
  client.removeAllListeners("slack_event");
  // A client that was told to go before it had a socket would open one all the same.
  void starting.then(() => client.disconnect());
  await Promise.race([client.disconnect(), delay(stopping.aborted ? timing.stopMs : 0, undefined, { ref: false })]);
  return ended;
}

function whyNot(error: unknown): Omit<Ended, "wasOpen"> {
  if (error instanceof WebAPIRateLimitedError) {
    const seconds = Math.max(1, error.retryAfter);
    return {
      retryAfterMs: seconds * 1000,
      problem: { state: "rate_limited", detail: words.rateLimited(seconds) },
    };
  }
  const detail = appTokenProblem(errorCode(error));
  return detail === undefined ? {} : { problem: { state: "misconfigured", detail } };
}

function reasonToGo(data: unknown): string | undefined {
  if (typeof data !== "string" || !data.includes('"disconnect"')) return undefined;
  try {
    const message: unknown = JSON.parse(data);
    const isRecord = typeof message === "object" && message !== null;
    return isRecord && "reason" in message && "type" in message && message.type === "disconnect"
      ? String(message.reason)
      : undefined;
  } catch {
    return undefined;
  }
}
