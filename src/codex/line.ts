import { type Log, newId } from "../shared/index.ts";
import type { ServerInfo } from "./connection.ts";
import { CodexError } from "./errors.ts";
import { unreadNotificationMethods } from "./protocol/methods.ts";
import type { InitializeResponse } from "./protocol/types.ts";
import { protocolVersion } from "./protocol/version.ts";
import { makeRequests, type RequestSettings, type Requests } from "./requests.ts";
import type { OpenTransport, Transport } from "./transport.ts";

/** One open and greeted connection; when it ends, the next one is another `Line` with another epoch. */
export interface Line {
  readonly epoch: string;
  readonly transport: Transport;
  readonly requests: Requests;
  readonly server: ServerInfo;
  /** Resolves with the reason when it ended. */
  readonly ended: Promise<string>;
}

export interface LineOptions {
  open: OpenTransport;
  version: string;
  settings: RequestSettings;
  log: Log;
  onMessage(line: Pick<Line, "epoch" | "requests">, text: string): void;
}

const clientName = "shipmate";
const handshakeMs = 20_000;

/** Opens a line and does the handshake. Nothing else may be sent before it, and tools need the experimental API. */
export async function openLine(options: LineOptions, signal: AbortSignal): Promise<Line> {
  const epoch = newId();
  const end = Promise.withResolvers<string>();
  let transport: Transport | undefined;
  const requests = makeRequests((message) => transport?.send(message), options.settings);
  const onClose = (reason: string) => {
    requests.end(new CodexError("disconnected", `The connection to Codex was lost: ${reason}`));
    end.resolve(reason);
  };
  const events = { onMessage: (text: string) => options.onMessage({ epoch, requests }, text), onClose };
  transport = await options.open(events, signal);
  try {
    const server = await greet(transport, requests, options);
    return { epoch, transport, requests, server, ended: end.promise };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function greet(transport: Transport, requests: Requests, options: LineOptions): Promise<ServerInfo> {
  const reply = await requests.send(
    "initialize",
    {
      clientInfo: { name: clientName, title: "Shipmate", version: options.version },
      capabilities: {
        experimentalApi: true,
        requestAttestation: false,
        optOutNotificationMethods: unreadNotificationMethods,
      },
    },
    { timeoutMs: handshakeMs },
  );
  transport.send(JSON.stringify({ method: "initialized" }));
  const server = describe(reply as InitializeResponse);
  if (server.version !== protocolVersion) {
    options.log.warn(
      { version: server.version, expected: protocolVersion },
      `Codex is ${server.version ?? "of an unknown version"}, and Shipmate was made for ${protocolVersion}. Install that version, or expect surprises.`,
    );
  }
  return server;
}

/** The user agent is `shipmate/0.171.0 (Debian …)`: our name, Codex's version. */
function describe({ userAgent, codexHome, platformOs }: InitializeResponse): ServerInfo {
  return { version: /^[^/]+\/(\d+\.\d+\.\d+\S*)/.exec(userAgent)?.[1], codexHome, platformOs };
}
