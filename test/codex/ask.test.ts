import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { askModel, CodexError } from "../../src/codex/index.ts";
import { addFile, call, failures, gate, say, think, waitFor } from "../fakes/model/index.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene("ws", { thread_unload_delay_secs: 1 });
});
afterEach(() => scene.model.reset());
afterAll(() => scene[Symbol.asyncDispose]());

const question = { instructions: "You name things.", input: "A bookkeeper", timeoutMs: 20_000 };
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const loaded = async () => (await scene.connection.request("thread/loaded/list", {})).data;
const forgotten = () =>
  vi.waitFor(async () => {
    if ((await loaded()).length > 0) throw new Error("a thread is still loaded");
  }, 10_000);

test("the model is asked one thing and told nothing else, and the thread is gone afterwards", async () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  };
  scene.model.enqueue([think("hm"), say("Let me see.", { phase: "commentary" }), say('{"name":"Penny"}')]);
  expect(await askModel(scene.connection, { ...question, outputSchema: schema })).toBe('{"name":"Penny"}');
  const [request] = scene.model.requests;
  expect(request?.input.map(({ role, text }) => [role, text])).toEqual([
    ["developer", "You name things."],
    ["user", "A bookkeeper"],
  ]);
  expect(request?.body.text).toMatchObject({ format: { type: "json_schema", schema } });
  expect(request?.toolNames.join()).not.toMatch(/exec_command|shipmate|web_search|mcp/);
  await forgotten();
});

test("a model that wants to use a tool finds no computer: it writes nothing and sees nothing", async () => {
  const path = join(scene.home, "written-by-the-model.txt");
  const picture = join(scene.home, "picture.png");
  writeFileSync(picture, Buffer.from(onePixel, "base64"));
  scene.model.enqueue(
    [addFile(path, ["hello"]), call(undefined, "exec_command", { cmd: `echo hello > ${path}` })],
    [call(undefined, "view_image", { path: picture })],
    [say("I could not.")],
  );
  expect(await askModel(scene.connection, question)).toBe("I could not.");
  expect(existsSync(path)).toBe(false);
  expect(scene.model.requests.at(-1)?.text).not.toContain("data:image");
});

test("a model that does not answer in time is given up, and its turn is stopped", async () => {
  const held = gate();
  scene.model.enqueue([waitFor(held), say("Too late.")]);
  const late = askModel(scene.connection, { ...question, timeoutMs: 1_000 });
  await expect(late).rejects.toMatchObject({ kind: "timeout" });
  await forgotten();
  held.open();
});

test("whoever asked can give up", async () => {
  const held = gate();
  const changed = new AbortController();
  scene.model.enqueue([waitFor(held), say("Nobody listens.")]);
  const asked = askModel(scene.connection, { ...question, signal: changed.signal });
  await held.reached;
  changed.abort(new Error("changed my mind"));
  await expect(asked).rejects.toThrow("changed my mind");
  await forgotten();
  held.open();
});

test("a turn that fails is an error that says why", async () => {
  scene.model.enqueue([failures.modelNotFound()]);
  const failed = await askModel(scene.connection, question).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(CodexError);
  expect(failed).toMatchObject({ kind: "unavailable" });
});
