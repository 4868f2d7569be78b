import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keyProviderOf } from "../../src/access/provider.ts";
import type { CodexThreads, ThreadSettings } from "../../src/codex/index.ts";
import { makeRecorder, openScene, type Scene } from "../codex/scene.ts";
import { type FakeModel, type ModelRequest, say, startFakeModel } from "../fakes/model/index.ts";

const firstKey = "sk-first-key-0123456789abcdef";
const secondKey = "sk-second-key-0123456789abcdef";

let scene: Scene;
let keyModel: FakeModel;

beforeAll(async () => {
  scene = await openScene("ws");
  keyModel = await startFakeModel();
  scene.model.use(() => [say("The plan answers.")]);
  keyModel.use(() => [say("The key answers.")]);
});

afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await keyModel.close();
});

function withKey(key: string | undefined): Pick<ThreadSettings, "modelProvider" | "config"> {
  const { modelProvider, config } = keyProviderOf({ source: "form" }, key, keyModel.url);
  // The scene's own provider has the name that keys have in the product.
  const renamed = Object.entries(config).map(([name, value]) => [name.replace("shipmate", "key"), value]);
  return { modelProvider: modelProvider?.replace("shipmate", "key"), config: Object.fromEntries(renamed) };
}

async function turn(threads: CodexThreads, threadId: string, text: string): Promise<void> {
  const recorder = makeRecorder();
  const attached = scene.connection.attach(threadId, recorder);
  await threads.startTurn({ threadId, input: [{ type: "text", text }], clientUserMessageId: text });
  expect((await recorder.turnEnd()).status).toBe("completed");
  attached.detach();
}

function last(model: FakeModel): ModelRequest {
  const request = model.requests.at(-1);
  if (request === undefined) throw new Error("it was asked nothing");
  return request;
}

it("lets a key pay for a conversation that the plan began, and the plan go on with it", async () => {
  const { threads } = scene;
  const settings = scene.settings();
  const { threadId } = await threads.startThread(settings);
  await turn(threads, threadId, "Begin.");
  const onKey = await threads.fork(threadId, { ...settings, ...withKey(firstKey) });
  await turn(threads, onKey.threadId, "Go on.");
  expect(last(keyModel).headers.authorization).toBe(`Bearer ${firstKey}`);
  expect(last(keyModel).text).toContain("The plan answers.");
  const onPlan = await threads.fork(onKey.threadId, settings);
  await turn(threads, onPlan.threadId, "And on.");
  expect(last(scene.model).headers.authorization).not.toContain(firstKey);
  expect(last(scene.model).text).toContain("The key answers.");
});

it("takes a thread up again after a restart with another key, and never without the provider", async () => {
  const settings = scene.settings();
  const { threadId } = await scene.threads.startThread({ ...settings, ...withKey(firstKey) });
  await turn(scene.threads, threadId, "Begin.");
  await scene.restart();
  await expect(scene.threads.ensureLoaded(threadId, settings)).rejects.toThrow(/no longer configured/);
  await scene.threads.ensureLoaded(threadId, { ...settings, ...withKey(secondKey) });
  await turn(scene.threads, threadId, "Go on.");
  expect(last(keyModel).headers.authorization).toBe(`Bearer ${secondKey}`);
});

it("keeps the key a thread was loaded with, so another key needs a fork", async () => {
  const settings = scene.settings();
  const { threadId } = await scene.threads.startThread({ ...settings, ...withKey(firstKey) });
  await turn(scene.threads, threadId, "Begin.");
  scene.connection.loadedThreads.delete(threadId);
  await scene.threads.ensureLoaded(threadId, { ...settings, ...withKey(secondKey) });
  await turn(scene.threads, threadId, "Go on.");
  expect(last(keyModel).headers.authorization).toBe(`Bearer ${firstKey}`);
  const fork = await scene.threads.fork(threadId, { ...settings, ...withKey(secondKey) });
  await turn(scene.threads, fork.threadId, "Now?");
  expect(last(keyModel).headers.authorization).toBe(`Bearer ${secondKey}`);
  const identities = [firstKey, secondKey].map((key) => keyProviderOf({ source: "form" }, key).identity);
  expect(new Set(identities).size).toBe(2);
});

it("writes the key into no file of Codex's", async () => {
  const folder = join(scene.home, "codex");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  const holding = (text: string) =>
    files.filter((each) => readFileSync(join(each.parentPath, each.name)).includes(text)).map(({ name }) => name);
  expect(holding("The key answers.").length).toBeGreaterThan(0);
  expect(holding(firstKey)).toEqual([]);
  expect(holding(secondKey)).toEqual([]);
});
