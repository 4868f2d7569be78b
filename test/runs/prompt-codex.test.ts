import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { developerInstructions } from "../../src/runs/instructions.ts";
import { buildPrompt } from "../../src/runs/prompt.ts";
import { toTimelineEvents } from "../../src/runs/timeline.ts";
import type { PromptInput } from "../../src/runs/types.ts";
import { createTools, type OutgoingFile, type ToolContext } from "../../src/tools/index.ts";
import { as, makeRecorder, openScene, type Scene } from "../codex/scene.ts";
import { call, say } from "../fakes/model/index.ts";
import { roomsWithoutDatabase, somebody } from "../support/tool-rooms.ts";
import { asked, said, saidByMember } from "./prompt-input.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene("ws");
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
});

const tools = createTools(roomsWithoutDatabase());
const instructions = developerInstructions("ask_consequential");
const inGroup: Partial<PromptInput> = {
  place: { kind: "group", platform: "telegram", title: "Ship </shipmate_place> it" },
};

test("Codex takes our tools, our prompt and its context, and the model sees all of it", async () => {
  const settings = scene.settings({
    dynamicTools: tools.of("conversation").specs,
    developerInstructions: instructions,
  });
  writeFileSync(join(settings.cwd, "report.txt"), "all is well");
  const files: OutgoingFile[] = [];
  const context = toolContext(settings.cwd, files);
  const recorder = makeRecorder((request) => {
    const { params, answer } = as(request, "item/tool/call");
    void tools.call(params.tool, params.arguments, context).then(answer);
  });
  const { threadId } = await scene.threads.startThread(settings);
  scene.connection.attach(threadId, recorder);
  const turn = async (input: PromptInput, id: string) => {
    const prompt = buildPrompt(input);
    await scene.threads.startTurn({ threadId, clientUserMessageId: id, ...prompt });
    return await recorder.turnEnd();
  };

  scene.model.enqueue(
    [call("shipmate", "attach_files_to_response", { files: [{ path: "report.txt" }] })],
    [say("Here it is.")],
  );
  await turn(asked([saidByMember("The report, please.")], inGroup), "delivery-1");
  expect(files).toMatchObject([{ name: "report.txt", size: 11 }]);
  const events = recorder.notifications.flatMap((notification) => toTimelineEvents(notification));
  expect(new Set(events.map(({ kind }) => kind))).toEqual(
    new Set(["turn_started", "step_started", "step_ended", "text_delta", "text"]),
  );
  expect(events.find(({ kind }) => kind === "step_ended")).toMatchObject({
    outcome: "ok",
    step: { kind: "tool", tool: "attach_files_to_response", server: "shipmate" },
  });

  const [first] = scene.model.requests;
  expect(first?.toolNames).toEqual(
    expect.arrayContaining(["shipmate.request_approval", "shipmate.attach_files_to_response"]),
  );
  const developer = first?.input.filter((item) => item.role === "developer").map((item) => item.text) ?? [];
  expect(developer.join("\n")).toContain("You are an AI teammate.");
  const frame = developer.find((text) => text.includes("<shipmate_place>"));
  expect(frame).toContain('"Ben" (id "7002") is a member of the team, not the owner.');
  expect(frame?.match(/<\/shipmate_place>/gu)).toHaveLength(1);
  expect(first?.lastUserText).toContain("The report, please.");
  const ours = instructions.length + JSON.stringify(tools.of("conversation").specs).length + (frame?.length ?? 0);
  expect(ours).toBeLessThan(25_000);

  // The frame comes again when somebody else speaks, since it names them.
  scene.model.enqueue([say("Yes.")]);
  await turn(asked([said("Is it new?")], inGroup), "delivery-2");
  const frames = scene.model.requests.at(-1)?.input.filter((item) => item.text.includes("<shipmate_place>"));
  expect(frames?.map((item) => item.role)).toEqual(["developer", "developer"]);
  expect(frames?.at(-1)?.text).toContain('"Ada" (id "7001") is the owner.');
});

test("what the model is sent for a short direct message reads as agreed", async () => {
  const settings = scene.settings({
    dynamicTools: tools.of("conversation").specs,
    developerInstructions: instructions,
  });
  const recorder = makeRecorder();
  const { threadId } = await scene.threads.startThread(settings);
  scene.connection.attach(threadId, recorder);
  const turn = async (input: PromptInput, id: string) => {
    scene.model.enqueue([say("Done.")]);
    await scene.threads.startTurn({ threadId, clientUserMessageId: id, ...buildPrompt(input) });
    await recorder.turnEnd();
  };
  const memories = [{ id: "0199b2c0-0000-7000-8000-000000000001", revision: 1, text: "Ada drinks tea." }];
  await turn(asked([saidByMember("Hello.")], { memories }), "delivery-3");
  await turn(asked([said("And now?")], { handoff: "Ada: Which port?\n\nMilo: 8787." }), "delivery-4");
  const { input } = bodyShape.parse(scene.model.requests.at(-1)?.body);
  const parts = input.flatMap(({ role = "", content = [] }) => content.map(({ text = "" }) => ({ role, text })));
  const ours = parts.filter(({ text }) => !codexOwn.test(text)).map(({ role, text }) => `[${role}]\n${text}`);
  await expect(`${ours.join("\n\n")}\n`).toMatchFileSnapshot("golden/sent-to-the-model.txt");
});

const bodyShape = z.object({
  input: z.array(
    z.object({
      role: z.string().optional(),
      content: z.array(z.object({ text: z.string().optional() })).optional(),
    }),
  ),
});
/** What Codex says by itself: about its skills, its sandbox and the machine. */
const codexOwn = /^<(?:skills_instructions|permissions instructions|environment_context)>/u;

function toolContext(workspace: string, files: OutgoingFile[]): ToolContext {
  const outgoing = join(scene.home, "outgoing");
  mkdirSync(outgoing, { recursive: true });
  return {
    callId: "call",
    caller: somebody,
    workspace,
    outgoing,
    files: {
      limitBytes: 1_000,
      queued: () => files.length,
      queuedBytes: () => 0,
      has: () => false,
      add: (file) => void files.push(file),
    },
    signal: new AbortController().signal,
    openApproval: async () => ({ attentionId: "none" }),
    waitForDecision: async () => null,
    ask: async () => null,
    welcome: async () => {},
    proposeRoutine: async () => {},
    noteRoutine: async () => {},
  };
}
