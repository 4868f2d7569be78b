/** What the bot and the bare client talk to, in a process of its own: the stand-in app-server, or the real one with a scripted model. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { type CodexServer, createCodexServer, type Endpoint } from "../src/codex/index.ts";
import { silentLog } from "../src/shared/index.ts";
import { startFakeAppServer } from "../test/fakes/app-server/index.ts";
import { fakeModelConfig, say, startFakeModel } from "../test/fakes/model/index.ts";
import { answerCommands } from "./child.ts";
import { partsOf } from "./request-parts.ts";
import { answerText } from "./words.ts";

/** Milliseconds since 1970, finer than a millisecond: processes of one machine agree on it. */
const now = () => performance.timeOrigin + performance.now();
/** When each turn/start arrived since the last look. */
const starts: number[] = [];
const takeStarts = () => starts.splice(0);

const kind = process.env.BENCH_CODEX;
if (kind === "stand-in") await standIn();
else await real();

async function standIn(): Promise<void> {
  const server = await startFakeAppServer({ token: "stand-in-token" });
  server.account.plan = "plus";
  server.use((turn) => {
    starts.push(now());
    turn.say(...answerText.split(/(?<= )/));
  });
  const endpoint: Endpoint = { url: server.url, token: server.token };
  answerCommands({
    endpoint: () => ({ direct: endpoint, timed: endpoint }),
    starts: takeStarts,
    requests: () => [],
  });
}

async function real(): Promise<void> {
  const home = process.cwd();
  const model = await startFakeModel({ script: () => [say(answerText)] });
  const server = createCodexServer({
    home,
    log: silentLog,
    toolNamespaces: ["shipmate"],
    ...fakeModelConfig(model, home),
  });
  await server.start();
  const direct = await server.endpoint();
  const timed = await timedRelay(direct);
  answerCommands({
    endpoint: () => ({ direct, timed, pid: pidOf(server) }),
    starts: takeStarts,
    /** What the model was asked since the last look, in bytes. */
    requests: () => {
      const bytes = model.requests.map(({ text }) => partsOf(text));
      model.reset();
      model.use(() => [say(answerText)]);
      return bytes;
    },
    end: async () => {
      await server.stop();
      await model.close();
    },
  });
}

function pidOf({ state }: CodexServer): number | undefined {
  return state.status === "ready" ? state.pid : undefined;
}

/** Passes everything on and notes when a turn/start goes by: the real app-server does not tell when it got one. */
async function timedRelay(target: Endpoint): Promise<Endpoint> {
  const http = createServer();
  const relay = new WebSocketServer({ server: http, perMessageDeflate: false });
  relay.on("connection", (client) => {
    const upstream = new WebSocket(target.url, {
      headers: target.token === undefined ? {} : { authorization: `Bearer ${target.token}` },
      perMessageDeflate: false,
    });
    const open = once(upstream, "open");
    client.on("message", async (data: RawData) => {
      const text = data.toString();
      if (text.includes('"method":"turn/start"')) starts.push(now());
      await open;
      upstream.send(text);
    });
    upstream.on("message", (data: RawData) => client.send(data.toString()));
    upstream.on("close", () => client.close());
    client.on("close", () => upstream.close());
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return { url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`, token: "relayed" };
}
