import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Reply, say, shell } from "../fakes/model/index.ts";
import { makeRecorder, openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene("ws", { thread_unload_delay_secs: 1 });
});
afterAll(() => scene[Symbol.asyncDispose]());

const nobody = () => false;
const loaded = async () => (await scene.connection.request("thread/loaded/list", {})).data;

async function startedThread(...replies: readonly Reply[]) {
  const settings = scene.settings();
  const { threadId } = await scene.threads.startThread(settings);
  const recorder = makeRecorder();
  const attachment = scene.connection.attach(threadId, recorder);
  const turn = async (text: string) => {
    await scene.threads.startTurn({ threadId, input: [{ type: "text", text }], clientUserMessageId: text });
    return (await recorder.turnEnd()).status;
  };
  scene.model.enqueue(...replies);
  await turn("the word is walnut");
  return { threadId, settings, turn, attachment };
}

test("a thread that is put away leaves Codex's memory, and goes on where it was when it is needed again", async () => {
  const { threadId, settings, turn } = await startedThread([say("Noted.")]);
  expect(await scene.threads.release(threadId, nobody)).toBe(true);
  await vi.waitFor(async () => expect(await loaded()).not.toContain(threadId), 10_000);
  expect(await scene.threads.ensureLoaded(threadId, settings)).toMatchObject({ status: "resumed" });
  scene.model.enqueue([say("Walnut.")]);
  expect(await turn("which word?")).toBe("completed");
  expect(scene.model.requests.at(-1)?.text).toContain("the word is walnut");
});

test("a thread that is wanted in the very moment it is put away is subscribed again, and its turn is heard", async () => {
  const { threadId, settings, turn } = await startedThread([say("Noted.")]);
  const leaving = scene.threads.release(threadId, nobody);
  await vi.waitFor(() => expect(scene.connection.loadedThreads.has(threadId)).toBe(false));
  const again = scene.threads.ensureLoaded(threadId, settings);
  expect(await leaving).toBe(true);
  expect(await again).toMatchObject({ status: "resumed" });
  scene.model.enqueue([say("Walnut.")]);
  expect(await turn("which word?")).toBe("completed");
});

test("a thread stays that somebody took meanwhile, and one whose command still runs", async () => {
  const { threadId } = await startedThread([say("Noted.")]);
  expect(await scene.threads.release(threadId, () => true)).toBe(false);
  expect(scene.connection.loadedThreads.has(threadId)).toBe(true);
  const busy = await startedThread([shell("sleep 60", { yieldMs: 250 })], [say("It runs on.")]);
  expect(await scene.threads.release(busy.threadId, nobody)).toBe(false);
  await scene.connection.request("thread/backgroundTerminals/clean", { threadId: busy.threadId });
  await vi.waitFor(async () => expect(await scene.threads.release(busy.threadId, nobody)).toBe(true), 10_000);
});

test("a thread that is not loaded needs no putting away", async () => {
  expect(await scene.threads.release("01990000-0000-7000-8000-000000000000", nobody)).toBe(false);
});
