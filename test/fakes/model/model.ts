import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Reply } from "./parts.ts";
import { type ModelRequest, readRequest } from "./request.ts";
import { streamReply } from "./stream.ts";

/** Decides what the model answers to a request. `undefined` leaves it to the next in line. */
export type Script = (request: ModelRequest) => Reply | undefined | Promise<Reply | undefined>;

export interface FakeModel extends AsyncDisposable {
  /** For OPENAI_BASE_URL. */
  readonly url: string;
  readonly port: number;
  /** Everything it was asked, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Replies for the next requests, whoever asks. They come before any script. */
  enqueue(...replies: readonly Reply[]): void;
  /** Answers what no queued reply answers. */
  use(script: Script): void;
  /** The first request that fits, also one that came already. Rejects when the model is closed. */
  nextRequest(fits: (request: ModelRequest) => boolean): Promise<ModelRequest>;
  /** Forgets requests, queue and script. */
  reset(): void;
  close(): Promise<void>;
}

export interface FakeModelOptions {
  script?: Script | undefined;
  /** 0, the default, takes any free port. */
  port?: number | undefined;
}

interface Waiter {
  fits: (request: ModelRequest) => boolean;
  resolve: (request: ModelRequest) => void;
  reject: (error: Error) => void;
}

/** Starts a scripted model that speaks the Responses API on loopback: no account, no network, the same answers every time. */
export async function startFakeModel(options: FakeModelOptions = {}): Promise<FakeModel> {
  let script = options.script;
  let queue: Reply[] = [];
  let requests: ModelRequest[] = [];
  let waiters: Waiter[] = [];
  let sequence = 0;

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const text = await readBody(incoming);
    if (incoming.method !== "POST" || incoming.url?.endsWith("/responses") !== true) {
      response.writeHead(404, { "content-type": "application/json" }).end(`{"error":{"message":"Not here."}}`);
      return;
    }
    sequence += 1;
    const request = readRequest(sequence, incoming.headers, text);
    requests.push(request);
    const fitting = waiters.filter(({ fits }) => fits(request));
    waiters = waiters.filter((waiter) => !fitting.includes(waiter));
    for (const { resolve } of fitting) resolve(request);
    const reply = queue.shift() ?? (await script?.(request)) ?? nothingScripted;
    await streamReply(response, reply, request.sequence);
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A mistake in a script must be seen in the test that made it, not hang it.
      if (!response.headersSent) response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `The script failed: ${String(error)}` } }));
    });
  });
  const port = await listen(server, options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    get requests() {
      return requests;
    },
    enqueue: (...replies) => void queue.push(...replies),
    use: (next) => {
      script = next;
    },
    nextRequest: (fits) => {
      const earlier = requests.find(fits);
      if (earlier !== undefined) return Promise.resolve(earlier);
      return new Promise((resolve, reject) => waiters.push({ fits, resolve, reject }));
    },
    reset: () => {
      requests = [];
      queue = [];
      script = undefined;
    },
    close,
    [Symbol.asyncDispose]: close,
  };

  function close(): Promise<void> {
    for (const { reject } of waiters.splice(0)) reject(new Error("The model was closed."));
    return new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

const nothingScripted: Reply = [{ kind: "text", text: "(nothing scripted)", paceMs: 0, phase: undefined }];

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
