import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { classifyTurnError, type TurnErrorKind } from "../../src/codex/index.ts";
import { cut, failures, incomplete, type Part } from "../fakes/model/index.ts";
import { makeRecorder, openScene, present, type Scene } from "./scene.ts";

/** Codex's own names for errors do not say what people need to know, so each is provoked in the real one. */
describe("why a turn failed", { timeout: 60_000 }, () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await openScene("ws", {
      "model_providers.shipmate.request_max_retries": 0,
      "model_providers.shipmate.stream_max_retries": 0,
    });
  }, 60_000);
  afterAll(() => scene?.[Symbol.asyncDispose]());

  async function failWith(part: Part) {
    scene.model.reset();
    scene.model.use(() => [part]);
    return failedTurn(scene);
  }

  const cases: [string, () => Part, TurnErrorKind][] = [
    ["a plan's used-up limit", () => failures.usageLimit(new Date(Date.now() + 3_600_000)), "usage_limit"],
    ["a used-up quota", failures.quota, "usage_limit"],
    ["a rejected key", failures.keyRejected, "key_rejected"],
    ["a model that does not exist", failures.modelNotFound, "model_not_found"],
    ["too many requests", failures.tooManyRequests, "overloaded"],
    ["a provider's error", failures.serverError, "overloaded"],
    ["a provider at capacity", failures.overloaded, "overloaded"],
    ["a full context", failures.contextFull, "context_full"],
    ["a stream that was cut", cut, "unreachable"],
    ["a response that was too long", incomplete, "other"],
  ];

  test.each(cases)("tells %s", async (_name, part, kind) => {
    const error = await failWith(part());
    expect({ kind: classifyTurnError(error), error }).toMatchObject({ kind });
  });

  test("tells a provider that is not there, and fails instead of waiting for ever", async () => {
    scene.model.reset();
    await scene.model.close();
    expect(classifyTurnError(await failedTurn(scene))).toBe("unreachable");
  });
});

async function failedTurn(scene: Scene) {
  const recorder = makeRecorder();
  const { threadId } = await scene.threads.startThread(scene.settings());
  const attachment = scene.connection.attach(threadId, recorder);
  await scene.threads.startTurn({
    threadId,
    input: [{ type: "text", text: "Hello" }],
    clientUserMessageId: "message",
  });
  const turn = await recorder.turnEnd();
  attachment.detach();
  expect(turn.status).toBe("failed");
  return present(turn.error ?? undefined, "an error");
}

test("a turn that ended without an error object has no known reason", () => {
  expect(classifyTurnError(null)).toBe("other");
  expect(classifyTurnError({ message: "Missing environment variable: `KEY`.", codexErrorInfo: "other" })).toBe(
    "key_rejected",
  );
});
