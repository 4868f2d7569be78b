import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CodexError, type ThreadHandler } from "../../src/codex/index.ts";
import { as, makeRecorder, openScene, present, type Recorder, type Scene } from "../codex/scene.ts";
import { addFile, call, failures, gate, patch, say, shell, think, waitFor } from "../fakes/model/index.ts";

const tools = [
  {
    type: "namespace" as const,
    name: "shipmate",
    description: "What a teammate can do.",
    tools: [
      {
        type: "function" as const,
        name: "look_up",
        description: "Looks something up.",
        inputSchema: { type: "object", properties: { what: { type: "string" } } },
      },
    ],
  },
];

let messages = 0;
const nextMessage = () => `message-${++messages}`;

describe.each(["ws", "stdio"] as const)("Codex over %s", { timeout: 60_000 }, (transport) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene(transport);
  }, 60_000);
  afterAll(() => scene?.[Symbol.asyncDispose]());

  async function newThread(
    handler: ThreadHandler,
    changes: Parameters<Scene["settings"]>[0] = {},
  ): Promise<{ threadId: string; cwd: string; settings: ReturnType<Scene["settings"]> }> {
    scene.model.reset();
    const settings = scene.settings(changes);
    const { threadId } = await scene.threads.startThread(settings);
    scene.connection.attach(threadId, handler);
    return { threadId, cwd: settings.cwd, settings };
  }

  const start = (threadId: string, text = "Hello", clientUserMessageId = nextMessage()) =>
    scene.threads.startTurn({ threadId, input: [{ type: "text", text }], clientUserMessageId });

  const startedTurns = (recorder: Recorder) =>
    recorder.notifications.flatMap((one) => (one.method === "turn/started" ? [one.params.turn.id] : []));

  const kinds = (recorder: Recorder) => recorder.notifications.map(({ method }) => method);

  test("greets the pinned version", () => {
    expect(scene.connection.state).toMatchObject({ status: "ready", server: { version: "0.171.0" } });
  });

  test("streams an answer and ends the turn last", async () => {
    const recorder = makeRecorder();
    const { threadId } = await newThread(recorder);
    scene.model.enqueue([think("Let me see."), say("Good morning Ada")]);
    const { turnId, merged } = await start(threadId);
    const turn = await recorder.turnEnd();
    expect(merged).toBe(false);
    expect(turn).toMatchObject({ id: turnId, status: "completed" });
    const deltas = recorder.notifications.flatMap((one) =>
      one.method === "item/agentMessage/delta" ? [one.params.delta] : [],
    );
    expect(deltas).toEqual(["Good", " morning", " Ada"]);
    expect(kinds(recorder)).toContain("item/reasoning/summaryTextDelta");
    expect(kinds(recorder)).toContain("thread/tokenUsage/updated");
    expect(kinds(recorder).at(-1)).toBe("turn/completed");
    expect(recorder.notifications.every(({ emittedAtMs }) => typeof emittedAtMs === "number")).toBe(true);
  });

  test("offers our namespace to the model and brings back the tool's answer", async () => {
    const recorder = makeRecorder((request) =>
      as(request, "item/tool/call").answer({
        contentItems: [{ type: "inputText", text: "the number is 42" }],
        success: true,
      }),
    );
    const { threadId } = await newThread(recorder, { dynamicTools: tools });
    scene.model.enqueue([call("shipmate", "look_up", { what: "the number" })], [say("It is 42.")]);
    await start(threadId);
    await recorder.turnEnd();
    const request = as(await recorder.request(), "item/tool/call");
    expect(request.params).toMatchObject({
      namespace: "shipmate",
      tool: "look_up",
      arguments: { what: "the number" },
    });
    expect(scene.model.requests[0]?.toolNames).toContain("shipmate.look_up");
    expect(scene.model.requests[1]?.lastOutput).toContain("the number is 42");
  });

  test("runs a command after it was accepted, and not after it was declined", async () => {
    const recorder = makeRecorder();
    const { threadId, cwd } = await newThread(recorder, { approvalPolicy: "untrusted" });
    scene.model.enqueue([shell("touch yes.txt")], [shell("touch no.txt")], [say("Done.")]);
    await start(threadId);
    const first = as(await recorder.request(0), "item/commandExecution/requestApproval");
    expect(first.params.command).toContain("touch yes.txt");
    expect(first.answer({ decision: "accept" })).toBe(true);
    const second = as(await recorder.request(1), "item/commandExecution/requestApproval");
    expect(second.answer({ decision: "decline" })).toBe(true);
    expect(await recorder.turnEnd()).toMatchObject({ status: "completed" });
    expect(existsSync(join(cwd, "yes.txt"))).toBe(true);
    expect(existsSync(join(cwd, "no.txt"))).toBe(false);
    expect(first.answer({ decision: "accept" })).toBe(false);
  });

  test("shows the diff of a file change before the approval, which names only the item", async () => {
    const recorder = makeRecorder();
    const { threadId, cwd } = await newThread(recorder, { approvalPolicy: "untrusted" });
    scene.model.enqueue([addFile("notes.md", ["hello"])], [say("Written.")]);
    await start(threadId);
    const request = as(await recorder.request(), "item/fileChange/requestApproval");
    const change = recorder.notifications.flatMap((one) =>
      one.method === "item/started" && one.params.item.type === "fileChange" ? [one.params.item] : [],
    )[0];
    expect(change?.id).toBe(request.params.itemId);
    expect(change?.changes[0]).toMatchObject({ kind: { type: "add" }, diff: "hello\n" });
    request.answer({ decision: "accept" });
    await recorder.turnEnd();
    expect(existsSync(join(cwd, "notes.md"))).toBe(true);
  });

  test("leaves a file as it was when its change was declined", async () => {
    const recorder = makeRecorder((request) =>
      as(request, "item/fileChange/requestApproval").answer({ decision: "decline" }),
    );
    const { threadId, cwd } = await newThread(recorder, { approvalPolicy: "untrusted" });
    writeFileSync(join(cwd, "plan.md"), "ship on Monday\n");
    scene.model.enqueue([patch("*** Update File: plan.md\n@@\n-ship on Monday\n+ship today")], [say("As you wish.")]);
    await start(threadId);
    expect(await recorder.turnEnd()).toMatchObject({ status: "completed" });
    expect(recorder.requests).toHaveLength(1);
    expect(readFileSync(join(cwd, "plan.md"), "utf8")).toBe("ship on Monday\n");
    expect(scene.model.requests.at(-1)?.lastOutput).toContain("rejected by user");
  });

  test("steers a running turn, and says why when it cannot", async () => {
    const recorder = makeRecorder();
    const { threadId } = await newThread(recorder);
    const door = gate();
    scene.model.enqueue([say("Working on it."), waitFor(door)], [say("Changed course.")]);
    const { turnId } = await start(threadId);
    await door.reached;
    const input = [{ type: "text" as const, text: "Use the blue one" }];
    const steer = (expectedTurnId: string) =>
      scene.threads.steer({ threadId, input, expectedTurnId, clientUserMessageId: nextMessage() });
    expect(await steer("01a22d44-5840-78d2-9fef-309b6798c57f")).toEqual({
      status: "wrong_turn",
      activeTurnId: turnId,
    });
    expect(await steer(turnId)).toEqual({ status: "accepted", turnId });
    door.open();
    await recorder.turnEnd();
    expect(scene.model.requests.at(-1)?.lastUserText).toContain("Use the blue one");
    expect(await steer(turnId)).toEqual({ status: "no_active_turn" });
  });

  test("tells when a turn was merged into the one that ran", async () => {
    const recorder = makeRecorder();
    const { threadId } = await newThread(recorder);
    const door = gate();
    scene.model.enqueue([say("Working."), waitFor(door)]);
    scene.model.use(() => [say("Both done.")]);
    const first = await start(threadId, "one");
    await door.reached;
    const second = await start(threadId, "two");
    expect(first.merged).toBe(false);
    expect(second).toEqual({ turnId: first.turnId, merged: true });
    door.open();
    await recorder.turnEnd();
    expect((await start(threadId, "three")).merged).toBe(false);
    await recorder.turnEnd();
  });

  test("interrupts a turn with the command it left running, and may be told twice", async () => {
    const recorder = makeRecorder();
    const { threadId, cwd } = await newThread(recorder);
    scene.model.enqueue([shell("echo started > here; sleep 600; echo over > there", { yieldMs: 30_000 })]);
    const { turnId } = await start(threadId);
    await vi.waitFor(() => expect(existsSync(join(cwd, "here"))).toBe(true), 20_000);
    expect(await scene.threads.interrupt(threadId, turnId)).toEqual({ status: "interrupted" });
    expect(await recorder.turnEnd()).toMatchObject({ id: turnId, status: "interrupted" });
    expect(await scene.threads.interrupt(threadId, turnId)).toEqual({ status: "not_active" });
    await vi.waitFor(async () => {
      const left = await scene.connection.request("thread/backgroundTerminals/list", { threadId });
      expect(left.data).toEqual([]);
    }, 20_000);
  });

  test("releases a tool call whose turn was interrupted", async () => {
    const recorder = makeRecorder();
    const { threadId } = await newThread(recorder, { dynamicTools: tools });
    scene.model.enqueue([call("shipmate", "look_up", {})]);
    const { turnId } = await start(threadId);
    const request = as(await recorder.request(), "item/tool/call");
    expect(request.signal.aborted).toBe(false);
    await scene.threads.interrupt(threadId, turnId);
    await recorder.turnEnd();
    expect(request.signal.aborted).toBe(true);
    expect(request.answer({ contentItems: [], success: true })).toBe(false);
  });

  test("finds a turn again by its message, with the answer and not the comments", async () => {
    const recorder = makeRecorder();
    const { threadId } = await newThread(recorder);
    scene.model.enqueue(
      [say("I will look.", { phase: "commentary" }), shell("echo hi")],
      [say("All good.", { phase: "final_answer" })],
    );
    const clientUserMessageId = nextMessage();
    const { turnId } = await start(threadId, "Check it", clientUserMessageId);
    await recorder.turnEnd();
    const found = await scene.threads.findTurn(threadId, { clientUserMessageId });
    expect(found).toMatchObject({ turnId, status: "completed", finalText: "All good." });
    expect(found?.items.map(({ type }) => type)).toContain("commandExecution");
    expect(await scene.threads.findTurn(threadId, { turnId })).toEqual(found);
    expect(await scene.threads.findTurn(threadId, { clientUserMessageId: "nobody" })).toBeUndefined();
  });

  test("cannot steer a thread that compacts its history, nor start a turn in it, and says so", async () => {
    const recorder = makeRecorder();
    const { threadId } = await newThread(recorder);
    scene.model.enqueue([say("A long story.")]);
    await start(threadId);
    await recorder.turnEnd();
    const door = gate();
    scene.model.enqueue([waitFor(door), say("Summary.")]);
    await scene.threads.compact(threadId);
    await door.reached;
    const expectedTurnId = await vi.waitFor(() => present(startedTurns(recorder)[1], "the compaction"), 20_000);
    const input = [{ type: "text" as const, text: "Hurry" }];
    const steered = await scene.threads.steer({ threadId, input, expectedTurnId, clientUserMessageId: nextMessage() });
    expect(steered).toEqual({ status: "not_steerable" });
    await expect(start(threadId)).rejects.toMatchObject({ kind: "unavailable" });
    door.open();
    expect(await recorder.turnEnd()).toMatchObject({ id: expectedTurnId, status: "completed" });
    scene.model.enqueue([say("Now.")]);
    await start(threadId);
    expect(await recorder.turnEnd()).toMatchObject({ status: "completed" });
  });

  test("takes an archived thread out of the archive when it is needed again", async () => {
    const recorder = makeRecorder();
    const { threadId, settings } = await newThread(recorder);
    scene.model.enqueue([say("One.")], [say("Two.")]);
    await start(threadId);
    await recorder.turnEnd();
    await scene.threads.archive(threadId);
    expect(await scene.threads.ensureLoaded(threadId, settings)).toMatchObject({ status: "resumed" });
    await start(threadId);
    expect(await recorder.turnEnd()).toMatchObject({ status: "completed" });
  });

  test("has no turns in a thread that never ran", async () => {
    const { threadId } = await newThread(makeRecorder());
    expect(await scene.threads.readTurns(threadId)).toEqual([]);
  });

  test("forks a thread with its history and its tools", async () => {
    const recorder = makeRecorder();
    const { threadId, settings } = await newThread(recorder, { dynamicTools: tools });
    scene.model.enqueue([say("Remember: teal.")]);
    const { turnId } = await start(threadId);
    await recorder.turnEnd();
    const fork = await scene.threads.fork(threadId, settings, turnId);
    const forked = makeRecorder();
    scene.connection.attach(fork.threadId, forked);
    scene.model.enqueue([say("Teal.")]);
    await start(fork.threadId, "Which colour?");
    await forked.turnEnd();
    const request = present(scene.model.requests.at(-1), "a request");
    expect(request.text).toContain("Remember: teal.");
    expect(request.toolNames).toContain("shipmate.look_up");
  });

  test("reports a failed turn with what the provider said, and takes the next turn", async () => {
    const recorder = makeRecorder();
    const { threadId } = await newThread(recorder);
    scene.model.enqueue([failures.modelNotFound()], [say("Now it works.")]);
    await start(threadId);
    expect(await recorder.turnEnd()).toMatchObject({ status: "failed", error: { codexErrorInfo: "modelNotFound" } });
    await start(threadId);
    expect(await recorder.turnEnd()).toMatchObject({ status: "completed" });
  });

  test("declines at once what is asked for a thread nobody handles", async () => {
    scene.model.reset();
    const settings = scene.settings({ approvalPolicy: "untrusted", dynamicTools: tools });
    const { threadId } = await scene.threads.startThread(settings);
    const before = scene.connection.counts().strays;
    scene.model.enqueue([call("shipmate", "look_up", {})], [shell("touch stray.txt")], [say("Nobody home.")]);
    const { turnId } = await start(threadId);
    await vi.waitFor(async () => {
      expect(await scene.threads.findTurn(threadId, { turnId })).toMatchObject({ status: "completed" });
    }, 20_000);
    expect(scene.connection.counts().strays).toBe(before + 2);
    expect(existsSync(join(settings.cwd, "stray.txt"))).toBe(false);
  });

  test("declines what is open when its handler lets go", async () => {
    scene.model.reset();
    const settings = scene.settings({ approvalPolicy: "untrusted" });
    const { threadId } = await scene.threads.startThread(settings);
    const recorder = makeRecorder();
    const attachment = scene.connection.attach(threadId, recorder);
    scene.model.enqueue([shell("touch let-go.txt")], [say("Fine.")]);
    const { turnId } = await start(threadId);
    const request = await recorder.request();
    attachment.detach();
    expect(request.signal.aborted).toBe(true);
    await vi.waitFor(async () => {
      expect(await scene.threads.findTurn(threadId, { turnId })).toMatchObject({ status: "completed" });
    }, 20_000);
    expect(existsSync(join(settings.cwd, "let-go.txt"))).toBe(false);
  });

  test("gives up on a reply at once when told to", async () => {
    const { threadId } = await newThread(makeRecorder());
    const stop = new AbortController();
    const stopped = scene.connection.request("thread/read", { threadId }, { signal: stop.signal });
    stop.abort(new Error("no longer needed"));
    await expect(stopped).rejects.toThrow("no longer needed");
    expect(scene.connection.counts().inFlight).toBe(0);
  });

  test("carries a message of several frames, and refuses one that is too large without losing the line", async () => {
    const path = join(scene.home, "large.bin");
    const { epoch } = scene.connection;
    const large = Buffer.alloc(20 * 1024 * 1024, 7).toString("base64");
    await scene.connection.request("fs/writeFile", { path, dataBase64: large });
    const { dataBase64 } = await scene.connection.request("fs/readFile", { path });
    expect(dataBase64 === large).toBe(true);
    if (transport === "ws") {
      const tooLarge = "A".repeat(65 * 1024 * 1024);
      const refused = scene.connection.request("fs/writeFile", { path, dataBase64: tooLarge });
      await expect(refused).rejects.toMatchObject({ kind: "refused", message: expect.stringContaining("64 MiB") });
    }
    expect(scene.connection.epoch).toBe(epoch);
  });

  test("knows a thread that does not exist from one that is only not loaded", async () => {
    const unknown = "01a22d44-5840-78d2-9fef-309b6798c57f";
    expect(await scene.threads.ensureLoaded(unknown, scene.settings())).toMatchObject({ status: "missing" });
    const started = start(unknown);
    await expect(started).rejects.toBeInstanceOf(CodexError);
    await expect(started).rejects.toMatchObject({ kind: "thread_missing" });
  });

  // Over stdio the line and the process are one: there is nothing to join again.
  const testOnWs = transport === "ws" ? test : () => {};
  testOnWs("joins a running turn again after the line was cut, with its open approval", async () => {
    const recorder = makeRecorder();
    const { threadId, cwd, settings } = await newThread(recorder, { approvalPolicy: "untrusted" });
    scene.model.enqueue([shell("touch late.txt")], [say("Done.")]);
    const { turnId } = await start(threadId);
    const before = as(await recorder.request(0), "item/commandExecution/requestApproval");
    await scene.cutLine();
    await vi.waitFor(() => expect(recorder.reconnects).toHaveLength(1), 20_000);
    expect(before.signal.aborted).toBe(true);
    expect(await scene.threads.ensureLoaded(threadId, settings)).toMatchObject({ status: "rejoined", turnId });
    const again = as(await recorder.request(1), "item/commandExecution/requestApproval");
    expect([again.id, again.params.itemId]).toEqual([before.id, before.params.itemId]);
    again.answer({ decision: "accept" });
    expect(await recorder.turnEnd()).toMatchObject({ id: turnId, status: "completed" });
    expect(existsSync(join(cwd, "late.txt"))).toBe(true);
  });

  test("resumes a thread after a restart, with its tools and with settings sent again", async () => {
    const recorder = makeRecorder((request) =>
      as(request, "item/tool/call").answer({ contentItems: [{ type: "inputText", text: "found" }], success: true }),
    );
    const { threadId, settings } = await newThread(recorder, {
      dynamicTools: tools,
      config: { "tools.update_plan.enabled": false },
    });
    scene.model.enqueue([say("Before.")]);
    await start(threadId);
    await recorder.turnEnd();
    expect(scene.model.requests.at(-1)?.toolNames).not.toContain("update_plan");
    expect(await scene.threads.ensureLoaded(threadId, settings)).toEqual({ status: "reused" });

    await scene.restart();
    expect(recorder.disconnects).toBe(1);
    expect(recorder.reconnects).toEqual([scene.connection.epoch]);
    expect(await scene.threads.readTurns(threadId)).toMatchObject([{ finalText: "Before." }]);
    expect(await scene.threads.ensureLoaded(threadId, settings)).toMatchObject({ status: "resumed", threadId });
    scene.model.enqueue([call("shipmate", "look_up", {})], [say("After.")]);
    await start(threadId);
    await recorder.turnEnd();
    const request = present(scene.model.requests.at(-1), "a request");
    expect(request.text).toContain("Before.");
    expect(request.lastOutput).toContain("found");
    expect(request.toolNames).not.toContain("update_plan");
    expect(request.toolNames).toContain("shipmate.look_up");
  });

  test("shows a turn that died with the server as interrupted", async () => {
    const recorder = makeRecorder();
    const { threadId, settings } = await newThread(recorder);
    const door = gate();
    scene.model.enqueue([say("Half of"), waitFor(door)]);
    const { turnId } = await start(threadId);
    await door.reached;
    await scene.restart();
    expect(await scene.threads.ensureLoaded(threadId, settings)).toMatchObject({ status: "resumed" });
    expect(await scene.threads.findTurn(threadId, { turnId })).toMatchObject({ status: "interrupted" });
  });
});
