import { WebSocket } from "ws";
import { CodexError } from "./errors.ts";
import type { OpenTransport, Transport, TransportEvents } from "./transport.ts";

export interface Endpoint {
  url: string;
  token: string | undefined;
}

const mebibyte = 1024 * 1024;
/** app-server drops the connection, without a word, at 16 MiB a frame and 64 MiB a message (0.171.0). */
const frameBytes = 4 * mebibyte;
const messageBytes = 64 * mebibyte;
/** app-server answers a large file in one message of over 100 MiB, and the default of ws is 100. */
const receiveBytes = 512 * mebibyte;
const handshakeMs = 10_000;
const heartbeatMs = 20_000;

/** A WebSocket line. The endpoint is asked for at every attempt, since a restarted server has another port and token. */
export function webSocketTransport(endpoint: (signal: AbortSignal) => Promise<Endpoint>): OpenTransport {
  return async (events, signal) => {
    const { url, token } = await endpoint(signal);
    return open(url, token, events, signal);
  };
}

function open(
  url: string,
  token: string | undefined,
  events: TransportEvents,
  signal: AbortSignal,
): Promise<Transport> {
  return new Promise((resolve, reject) => {
    // No Origin header may be sent: app-server answers any with 403. The ws client sends none by itself.
    const socket = new WebSocket(url, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      maxPayload: receiveBytes,
      handshakeTimeout: handshakeMs,
    });
    const abort = () => socket.terminate();
    signal.addEventListener("abort", abort, { once: true });
    let failure: CodexError | undefined;
    let opened = false;
    socket.on("unexpected-response", (_request, response) => {
      failure = new CodexError("refused", `The app-server refused the connection (HTTP ${response.statusCode}).`, {
        code: response.statusCode,
      });
      socket.terminate();
    });
    socket.on("error", (cause) => {
      failure ??= new CodexError("unavailable", `No app-server answers: ${cause.message}`, { cause });
    });
    socket.on("open", () => {
      opened = true;
      resolve(transportOf(socket));
    });
    socket.on("message", (data) => events.onMessage(data.toString()));
    socket.on("close", (code) => {
      signal.removeEventListener("abort", abort);
      if (opened) events.onClose(failure?.message ?? `The app-server closed the connection (${code}).`);
      else reject(failure ?? new CodexError("unavailable", "The connection to the app-server was given up."));
    });
  });
}

function transportOf(socket: WebSocket): Transport {
  const stopHeartbeat = startHeartbeat(socket);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.once("close", stopHeartbeat);
  return {
    send: (message) => sendInFrames(socket, message),
    close: async () => {
      socket.close();
      // A peer that no longer reads would keep the closing handshake open for half a minute.
      const timer = setTimeout(() => socket.terminate(), 1000);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Notices a peer that vanished without closing, which TCP alone tells only after many minutes. */
function startHeartbeat(socket: WebSocket): () => void {
  let answered = true;
  socket.on("pong", () => {
    answered = true;
  });
  const timer = setInterval(() => {
    if (answered) socket.ping();
    else socket.terminate();
    answered = false;
  }, heartbeatMs);
  timer.unref();
  return () => clearInterval(timer);
}

function sendInFrames(socket: WebSocket, message: string): void {
  // A UTF-16 unit is at most three bytes, so short messages need no counting.
  if (message.length * 3 <= frameBytes) {
    socket.send(message);
    return;
  }
  const bytes = Buffer.from(message, "utf8");
  if (bytes.length > messageBytes) {
    const size = Math.ceil(bytes.length / mebibyte);
    throw new CodexError("refused", `A message of ${size} MiB is too large for Codex, which takes 64 MiB.`);
  }
  for (let start = 0; start < bytes.length; start += frameBytes) {
    const end = start + frameBytes;
    socket.send(bytes.subarray(start, end), { binary: false, fin: end >= bytes.length });
  }
}
