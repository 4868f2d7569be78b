/** A process that owns an app-server with a running command, for a test to kill: `node owner.ts HOME MODEL_URL`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createCodexServer, createConnection, createThreads, webSocketTransport } from "../../src/codex/index.ts";
import { silentLog } from "../../src/shared/index.ts";
import { fakeModelConfig } from "../fakes/model/index.ts";

const [home = "", url = ""] = process.argv.slice(2);
const server = createCodexServer({ home, log: silentLog, toolNamespaces: [], ...fakeModelConfig({ url }, home) });
await server.start();
const connection = createConnection({
  open: webSocketTransport((signal) => server.endpoint(signal)),
  version: "0.1.0",
  log: silentLog,
});
await connection.ready();
const cwd = join(home, "workspace");
mkdirSync(cwd, { recursive: true });
const threads = createThreads(connection);
const { threadId } = await threads.startThread({ cwd, sandbox: "danger-full-access", approvalPolicy: "never" });
await threads.startTurn({ threadId, input: [{ type: "text", text: "Run" }], clientUserMessageId: "run" });
if (server.state.status === "ready") process.stdout.write(`${server.state.pid}\n`);
