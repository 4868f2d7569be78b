import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { threadIdOf } from "../../src/codex/frames.ts";
import type { Params } from "../../src/codex/index.ts";
import { call, fakeModelName, type Reply, say } from "../fakes/model/index.ts";
import { as, makeRecorder, openScene, present, type Scene } from "./scene.ts";

/** What the model is offered, with Codex's own list of models instead of the scripted one. */
let scene: Scene;

beforeAll(async () => {
  scene = await openScene("ws", {}, { modelCatalog: undefined });
}, 60_000);
afterAll(() => scene?.[Symbol.asyncDispose]());

const dynamicTools: NonNullable<Params<"thread/start">["dynamicTools"]> = [
  {
    type: "namespace",
    name: "shipmate",
    description: "What a teammate can do.",
    tools: [{ type: "function", name: "look_up", description: "Looks something up.", inputSchema: { type: "object" } }],
  },
];

async function runTurn(model: string) {
  scene.model.reset();
  const recorder = makeRecorder((request) =>
    as(request, "item/tool/call").answer({ contentItems: [{ type: "inputText", text: "seen" }], success: true }),
  );
  const { threadId } = await scene.threads.startThread(scene.settings({ model, dynamicTools }));
  scene.connection.attach(threadId, recorder);
  scene.model.enqueue([call("shipmate", "look_up", {})], [say("Done.")]);
  await scene.threads.startTurn({ threadId, input: [{ type: "text", text: "Go" }], clientUserMessageId: "go" });
  expect(await recorder.turnEnd()).toMatchObject({ status: "completed" });
  return { recorder, first: present(scene.model.requests[0], "a request"), last: scene.model.requests.at(-1) };
}

test("a model with direct tools gets a lean list", { timeout: 60_000 }, async () => {
  const { first } = await runTurn(fakeModelName);
  expect([...first.toolNames].sort()).toEqual([
    "apply_patch",
    "exec_command",
    "request_permissions",
    "shipmate.look_up",
    "update_plan",
    "view_image",
    "write_stdin",
  ]);
});

test("a model that works by script calls our tools directly all the same", { timeout: 60_000 }, async () => {
  const { recorder, first, last } = await runTurn("gpt-6.1-sol");
  expect(first.toolNames).toContain("functions.exec");
  expect(first.toolNames).toContain("shipmate.look_up");
  const request = as(await recorder.request(), "item/tool/call");
  expect(request.params).toMatchObject({ namespace: "shipmate", tool: "look_up" });
  expect(request.params.callId).toMatch(/^call_/);
  expect(last?.lastOutput).toContain("seen");
});

test("what a sub-agent asks goes to the thread that started it", { timeout: 60_000 }, async () => {
  scene.model.reset();
  const recorder = makeRecorder((request) =>
    as(request, "item/commandExecution/requestApproval").answer({ decision: "accept" }),
  );
  const seenOfSubagent: string[] = [];
  const settings = scene.settings({ model: "gpt-6.1-sol", approvalPolicy: "untrusted" });
  const { threadId } = await scene.threads.startThread(settings);
  scene.connection.attach(threadId, {
    ...recorder,
    onSubagentNotification: ({ method }) => void seenOfSubagent.push(method),
  });
  const script = "text(JSON.stringify(await tools.exec_command({ cmd: 'touch by-helper.txt' })));";
  const parent = [
    [call("collaboration", "spawn_agent", { task_name: "helper", message: "Touch a file." })],
    [call("collaboration", "wait_agent", { timeout_ms: 10_000 })],
  ];
  const helper: Reply[] = [[{ kind: "custom", name: "exec", input: script, callId: undefined }]];
  scene.model.use((request) => (request.threadId === threadId ? parent : helper).shift() ?? [say("Done.")]);
  await scene.threads.startTurn({ threadId, input: [{ type: "text", text: "Go" }], clientUserMessageId: "go" });
  expect(await recorder.turnEnd()).toMatchObject({ status: "completed" });
  const request = await recorder.request();
  expect(threadIdOf(request.params)).not.toBe(threadId);
  expect(existsSync(join(settings.cwd, "by-helper.txt"))).toBe(true);
  expect(seenOfSubagent).toContain("turn/started");
  expect(recorder.notifications.every(({ params }) => threadIdOf(params) === threadId)).toBe(true);
});
