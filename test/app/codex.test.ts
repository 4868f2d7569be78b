import { readdirSync, rmSync } from "node:fs";
import { expect, it } from "vitest";
import { accessSettings, createCodex } from "../../src/app/codex.ts";
import { loadConfig } from "../../src/config.ts";
import { silentLog } from "../../src/shared/index.ts";
import { newHome, startableServer } from "../codex/scene.ts";
import { startFakeAppServer } from "../fakes/app-server/index.ts";
import { startFakeModel } from "../fakes/model/index.ts";

it("gives a remote Codex neither our endpoint nor our key, which has settings of its own", () => {
  const openai = { apiKey: "sk-ours", baseUrl: "https://models.example.com/v1" };
  expect(accessSettings({ openai, remoteCodex: undefined, model: "m" })).toEqual({
    endpoint: openai.baseUrl,
    apiKey: openai.apiKey,
    remote: false,
    model: "m",
  });
  const remoteCodex = { url: "ws://computer:4500", token: "a-token-of-its-own" };
  expect(accessSettings({ openai, remoteCodex, model: undefined })).toMatchObject({
    endpoint: undefined,
    apiKey: undefined,
  });
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
