/** A client of app-server and nothing else: no chat, no database. What it reaches is what Codex itself allows. */
import { createConnection, createThreads, type Endpoint, webSocketTransport } from "../src/codex/index.ts";
import { newId, silentLog } from "../src/shared/index.ts";
import { answerCommands } from "./child.ts";
import { question } from "./words.ts";

const endpoint: Endpoint = { url: process.env.CODEX_URL ?? "", token: process.env.CODEX_TOKEN };
const connection = createConnection({
  open: webSocketTransport(async () => endpoint),
  version: "0.0.0",
  log: silentLog,
});
await connection.ready();
const threads = createThreads(connection);
const ends = new Map<string, () => void>();

async function startThread(): Promise<string> {
  const { threadId } = await threads.startThread({
    cwd: process.cwd(),
    sandbox: "workspace-write",
    approvalPolicy: "on-request",
  });
  connection.attach(threadId, {
    onNotification: ({ method }) => void (method === "turn/completed" && ends.get(threadId)?.()),
    onRequest: () => {},
  });
  return threadId;
}

async function turn(threadId: string): Promise<void> {
  const ended = new Promise<void>((resolve) => ends.set(threadId, resolve));
  await threads.startTurn({ threadId, input: [{ type: "text", text: question }], clientUserMessageId: newId() });
  await ended;
}

let made: readonly string[] = [];

answerCommands({
  /** Makes so many threads, with a first turn in each. */
  async prepare(chats: number): Promise<void> {
    made = await Promise.all(Array.from({ length: chats }, startThread));
    await Promise.all(made.map(turn));
  },
  /** Turns per second: in every thread one after another, as long as told. */
  async turns(ms: number): Promise<number> {
    const startedAt = performance.now();
    let count = 0;
    await Promise.all(
      made.map(async (threadId) => {
        for (; performance.now() - startedAt < ms; count += 1) await turn(threadId);
      }),
    );
    return count / ((performance.now() - startedAt) / 1000);
  },
  end: () => connection.close(),
});
