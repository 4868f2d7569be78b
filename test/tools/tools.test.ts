import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type ApprovalRequest,
  createTools,
  type OutgoingFile,
  type ToolContext,
  type ToolDecision,
  type ToolResult,
} from "../../src/tools/index.ts";
import { roomsWithoutDatabase, somebody } from "../support/tool-rooms.ts";

const tools = createTools(roomsWithoutDatabase());
const text = ({ contentItems }: ToolResult) =>
  contentItems.map((item) => (item.type === "inputText" ? item.text : "")).join();

let scratch: string;
let workspace: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "tools-"));
  workspace = join(scratch, "workspace");
  await mkdir(workspace);
});
afterEach(async () => {
  await rm(scratch, { recursive: true });
});

interface Asked {
  readonly requests: ApprovalRequest[];
  readonly waits: number[];
  readonly files: OutgoingFile[];
  readonly context: ToolContext;
}

function asked(decision: ToolDecision | null = null, more: Partial<ToolContext> = {}): Asked {
  const [requests, waits, files]: [ApprovalRequest[], number[], OutgoingFile[]] = [[], [], []];
  const context: ToolContext = {
    callId: "call-1",
    caller: somebody,
    workspace,
    outgoing: join(scratch, "outgoing"),
    files: {
      limitBytes: 1_000,
      queued: () => files.length,
      queuedBytes: () => files.reduce((sum, file) => sum + file.size, 0),
      has: (key) => files.some((file) => file.key === key),
      add: (file) => void files.push(file),
    },
    signal: new AbortController().signal,
    openApproval: async (request) => {
      requests.push(request);
      return { attentionId: "attention-1" };
    },
    waitForDecision: async (_id, ms) => {
      waits.push(ms);
      return decision;
    },
    ask: async () => null,
    welcome: async () => {},
    proposeRoutine: async () => {},
    noteRoutine: async () => {},
    ...more,
  };
  return { requests, waits, files, context };
}

const request = { title: "Send the newsletter", details: "To 1,200 readers: Hello.", reversible: false };

describe("the tools", () => {
  test("are one namespace with valid schemas, closed to unknown arguments", () => {
    const [namespace] = tools.of("conversation").specs;
    if (namespace?.type !== "namespace") throw new Error("no namespace");
    expect(namespace.name).toBe("shipmate");
    expect(namespace.tools.map(({ name }) => name)).toEqual([
      "request_approval",
      "attach_files_to_response",
      "ask_user",
      "remember",
      "forget",
      "search_memories",
      "history_search",
      "history_read",
      "create_agent",
      "update_profile",
      "update_agents",
      "list_models",
      "read_agent",
      "list_agents",
      "manage_skill",
      "manage_mcp_server",
      "create_routine",
      "update_routine",
      "list_routines",
      "delete_routine",
      "test_routine",
      "create_webhook_routine",
      "update_webhook_routine",
    ]);
    for (const { name, inputSchema } of namespace.tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/u);
      const validate = new Ajv({ strict: false }).compile(inputSchema as object);
      expect(validate({ nonsense: true })).toBe(false);
    }
    expect(JSON.stringify(tools.of("conversation").specs).length).toBeLessThan(15_000);
  });

  test("of a routine's run perform it and settle nothing else; each of the two kinds says no to what belongs to the other", async () => {
    const [namespace] = tools.of("routine").specs;
    const names = namespace?.type === "namespace" ? namespace.tools.map(({ name }) => name) : [];
    expect(names).toEqual([
      "request_approval",
      "attach_files_to_response",
      "ask_user",
      "remember",
      "forget",
      "search_memories",
      "history_search",
      "history_read",
      "manage_skill",
      "routine_no_update",
      "routine_report_failure",
    ]);
    expect(tools.of("routine").fingerprint).not.toBe(tools.of("conversation").fingerprint);
    const { context } = asked();
    const outside = await tools.call("routine_no_update", {}, context);
    expect([outside.success, text(outside)]).toEqual([false, expect.stringContaining("only in a run of a routine")]);
    const within = { ...context, caller: { ...context.caller, trigger: "routine" } };
    for (const name of ["create_agent", "manage_mcp_server", "create_routine", "test_routine"]) {
      const result = await tools.call(name, {}, within);
      expect([result.success, text(result)]).toEqual([false, expect.stringContaining("does not work in a run of a")]);
    }
  });

  test("have the same fingerprint in every process", () => {
    expect(createTools(roomsWithoutDatabase()).of("conversation").fingerprint).toBe(
      tools.of("conversation").fingerprint,
    );
    expect(tools.of("conversation").fingerprint).toMatch(/^[0-9a-f]{64}$/u);
  });

  test.each([
    [{}, "title"],
    [{ ...request, reversible: "no" }, "reversible"],
    [{ ...request, extra: 1 }, "extra"],
    ["not an object", "object"],
    [null, "object"],
  ])("wrong arguments are told in words and ask nobody: %j", async (args, part) => {
    const { context, requests } = asked();
    const result = await tools.call("request_approval", args, context);
    expect(result.success).toBe(false);
    expect(text(result)).toContain(part);
    expect(requests).toEqual([]);
  });

  test("a tool that does not exist, or that breaks, is a result and no crash", async () => {
    expect((await tools.call("rm_rf", {}, asked().context)).success).toBe(false);
    const broken = asked(null, {
      openApproval: async () => {
        throw new Error("password=hunter2hunter2");
      },
    });
    const result = await tools.call("request_approval", request, broken.context);
    expect(result.success).toBe(false);
    expect(text(result)).not.toContain("hunter2");
  });
});

describe("request_approval", () => {
  test.each([
    [false, "high"],
    [true, "normal"],
  ] as const)("reversible %s is a %s risk", async (reversible, risk) => {
    const { context, requests } = asked();
    await tools.call("request_approval", { ...request, reversible }, context);
    expect(requests).toMatchObject([{ callId: "call-1", title: request.title, reversible, risk, waitMs: 600_000 }]);
  });

  test.each([
    [{ choice: "approve", by: { displayName: "Ada" } }, true, 'Approved by "Ada". Do exactly'],
    [{ choice: "approve_session", by: { displayName: "Ada" } }, true, "rest of this task"],
    [{ choice: "always", by: { displayName: "Ada" } }, true, "always allowed"],
    [{ choice: "deny", by: { displayName: "Ada" }, note: "Not on\nFridays" }, false, 'They added: "Not on Fridays".'],
    [{ choice: "stop", by: null }, false, "end your turn"],
    [{ choice: "expired", by: null }, false, "Nobody decided in time"],
    [{ choice: "cancelled", by: null }, false, "withdrawn"],
  ] as const)("tells the model what %j means", async (decision, success, words) => {
    const result = await tools.call("request_approval", request, asked(decision).context);
    expect(result.success).toBe(success);
    expect(text(result)).toContain(words);
  });

  test("waits ten minutes, then has the model end its turn", async () => {
    const { context, waits } = asked(null);
    const result = await tools.call("request_approval", request, context);
    expect(waits).toEqual([600_000]);
    expect(text(result)).toContain("End your turn now");
  });

  test("says that the turn is over when nobody waits any more", async () => {
    const over = new AbortController();
    const { context } = asked(null, {
      signal: over.signal,
      waitForDecision: async () => {
        over.abort();
        throw new Error("aborted");
      },
    });
    expect(text(await tools.call("request_approval", request, context))).toContain("turn was over");
  });

  test("F-66 shows nobody a secret", async () => {
    const { context, requests } = asked();
    const key = `sk-${"a".repeat(30)}`;
    await tools.call("request_approval", { ...request, title: `Use ${key}`, details: `Key: ${key}` }, context);
    expect(JSON.stringify(requests)).not.toContain("sk-");
  });
});

describe("attach_files_to_response", () => {
  const sendAll = (files: readonly { path: string; caption?: string }[], context: ToolContext) =>
    tools.call("attach_files_to_response", { files }, context);
  const send = (path: string, context: ToolContext, caption?: string) =>
    sendAll([{ path, ...(caption === undefined ? {} : { caption }) }], context);

  test.each(["out/report.pdf", "./out/../out/report.pdf", "absolute"])("queues a copy of %s", async (given) => {
    await mkdir(join(workspace, "out"));
    await writeFile(join(workspace, "out", "report.pdf"), "as it is now");
    const { context, files } = asked();
    const result = await send(
      given === "absolute" ? join(workspace, "out", "report.pdf") : given,
      context,
      "The report",
    );
    expect(result.success).toBe(true);
    expect(files).toMatchObject([{ key: "call-1#0", name: "report.pdf", size: 12, caption: "The report" }]);
    await writeFile(join(workspace, "out", "report.pdf"), "changed later");
    expect(await readFile(files[0]?.path ?? "", "utf8")).toBe("as it is now");
  });

  test.each(["../secret.txt", "link.txt", "folder-link/secret.txt", "/etc/passwd"])(
    "%s is outside the workspace and is not sent",
    async (path) => {
      await writeFile(join(scratch, "secret.txt"), "precious");
      await symlink(join(scratch, "secret.txt"), join(workspace, "link.txt"));
      await symlink(scratch, join(workspace, "folder-link"));
      const { context, files } = asked();
      const result = await send(path, context);
      expect(result.success).toBe(false);
      expect(text(result)).toContain("outside your workspace");
      expect(files).toEqual([]);
    },
  );

  test("a link inside the workspace to a file inside it is fine", async () => {
    await writeFile(join(workspace, "a.txt"), "fine");
    await symlink("a.txt", join(workspace, "latest.txt"));
    const { context, files } = asked();
    await send("latest.txt", context);
    expect(files).toMatchObject([{ name: "latest.txt", size: 4 }]);
  });

  test.each([
    ["nowhere.txt", "no such file"],
    ["folder", "not a file"],
    [".", "outside your workspace"],
    ["empty.txt", "empty"],
    ["large.bin", "0 MB"],
  ])("%s is refused with the reason", async (path, reason) => {
    await mkdir(join(workspace, "folder"));
    await writeFile(join(workspace, "empty.txt"), "");
    await writeFile(join(workspace, "large.bin"), "x".repeat(1_001));
    const { context, files } = asked();
    const result = await send(path, context);
    expect(result.success).toBe(false);
    expect(text(result)).toContain(reason);
    expect(files).toEqual([]);
  });

  test("what can be attached is, and what cannot is named with its reason", async () => {
    await writeFile(join(workspace, "a.txt"), "a");
    await writeFile(join(workspace, "empty.txt"), "");
    await writeFile(join(workspace, "b.txt"), "b");
    const { context, files } = asked();
    const paths = ["a.txt", "nowhere.txt", "empty.txt", "b.txt"];
    const result = await sendAll(
      paths.map((path) => ({ path })),
      context,
    );
    expect(result.success).toBe(true);
    expect(files.map(({ name }) => name)).toEqual(["a.txt", "b.txt"]);
    expect(text(result)).toBe(
      [
        'Attached: "a.txt", "b.txt". You need not mention their paths.',
        "Not attached:",
        '- "nowhere.txt": there is no such file. Check the path.',
        '- "empty.txt": the file is empty.',
      ].join("\n"),
    );
  });

  test("an eleventh file of a turn is left out, in one call or in several side by side", async () => {
    await writeFile(join(workspace, "a.txt"), "a");
    const { context, files } = asked();
    const six = Array.from({ length: 6 }, () => ({ path: "a.txt" }));
    const results = await Promise.all([sendAll(six, context), sendAll(six, { ...context, callId: "call-2" })]);
    expect(files).toHaveLength(10);
    expect(
      results
        .map(text)
        .join()
        .match(/10 files are already waiting/gu),
    ).toHaveLength(2);
    expect(await readdir(join(scratch, "outgoing"))).toHaveLength(10);
  });

  test("more than a place could take together is left out", async () => {
    await writeFile(join(workspace, "a.txt"), "a");
    const full = asked();
    const files = { ...full.context.files, queuedBytes: () => 250 * 1024 * 1024 };
    expect(text(await send("a.txt", { ...full.context, files }))).toContain("250 MB");
    expect(full.files).toEqual([]);
    expect(await readdir(scratch)).toEqual(["workspace"]);
  });

  test("a call that comes again attaches nothing twice", async () => {
    await writeFile(join(workspace, "a.txt"), "a");
    await writeFile(join(workspace, "b.txt"), "b");
    const { context, files } = asked();
    const both = [{ path: "a.txt" }, { path: "b.txt" }];
    await sendAll(both, context);
    const again = await sendAll(both, context);
    expect(text(again)).toContain('Attached: "a.txt", "b.txt"');
    expect(files).toHaveLength(2);
  });
});
