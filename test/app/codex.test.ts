import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createCodex, providerName } from "../../src/app/codex.ts";
import { createConnection, createThreads, webSocketTransport } from "../../src/codex/index.ts";
import { loadConfig } from "../../src/config.ts";
import { silentLog } from "../../src/shared/index.ts";
import { makeRecorder, newHome, startableServer } from "../codex/scene.ts";
import { startFakeAppServer } from "../fakes/app-server/index.ts";
import { startFakeModel } from "../fakes/model/index.ts";

it("gives a key and a plan different names, since Codex goes on in no thread whose provider is gone", async () => {
  const home = newHome();
  await using model = await startFakeModel();
  const cwd = join(home, "workspace");
  mkdirSync(cwd, { recursive: true });
  const settings = { cwd, sandbox: "danger-full-access", approvalPolicy: "never" } as const;
  let threadId = "";
  try {
    await using withKey = startableServer(home, model);
    await withKey.start();
    {
      await using connection = createConnection({
        open: webSocketTransport((signal) => withKey.endpoint(signal)),
        version: "0.1.0",
        log: silentLog,
      });
      await connection.ready();
      const threads = createThreads(connection);
      threadId = (await threads.startThread(settings)).threadId;
      const recorder = makeRecorder();
      connection.attach(threadId, recorder);
      await threads.startTurn({ threadId, input: [{ type: "text", text: "Hi" }], clientUserMessageId: "hi" });
      await expect
        .poll(async () => (await threads.readTurns(threadId, 1))[0]?.status, { timeout: 10_000 })
        .toBe("completed");
    }
    await withKey.stop();
    await using withPlan = startableServer(home, model, { openai: undefined });
    await withPlan.start();
    await using connection = createConnection({
      open: webSocketTransport((signal) => withPlan.endpoint(signal)),
      version: "0.1.0",
      log: silentLog,
    });
    await connection.ready();
    await expect(createThreads(connection).ensureLoaded(threadId, settings)).rejects.toThrow(/provider/i);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
  const remoteCodex = undefined;
  const key = providerName({ openai: { apiKey: "key", baseUrl: undefined }, remoteCodex });
  const plan = providerName({ openai: { apiKey: undefined, baseUrl: undefined }, remoteCodex });
  expect(key).not.toBe(plan);
});

it("goes on with an app-server elsewhere only where it sees the same data folder", async () => {
  const home = newHome();
  const ready = async (url: string, token: string) => {
    const config = loadConfig({ SHIPMATE_HOME: home, CODEX_URL: url, CODEX_TOKEN: token }, home);
    const codex = createCodex({ config, log: silentLog, version: "0.1.0" });
    await codex.ready().finally(() => codex.close());
  };
  try {
    await using model = await startFakeModel();
    await using real = startableServer(home, model);
    await real.start();
    const here = await real.endpoint();
    await ready(here.url, here.token ?? "");
    await using elsewhere = await startFakeAppServer({ token: "a-token-of-its-own", otherMachine: true });
    await expect(ready(elsewhere.url, "a-token-of-its-own")).rejects.toThrow(/does not see this data folder/);
    expect(readdirSync(home).filter((name) => name.startsWith(".shared"))).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
