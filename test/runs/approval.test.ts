import { expect, it } from "vitest";
import type { ServerRequestOf } from "../../src/codex/index.ts";
import { approvalDetails, commandForRules } from "../../src/runs/approval.ts";

type Asked = ServerRequestOf<"item/commandExecution/requestApproval">;

it("F-30 lets a rule answer for a command as it is, and for nothing that comes with it", () => {
  expect(commandForRules(asking({}))).toBe("npm test");
  expect(commandForRules(asking({ kind: "writeStdin" }))).toBeUndefined();
  expect(
    commandForRules(asking({ networkApprovalContext: { host: "example.com", protocol: "https" } })),
  ).toBeUndefined();
  expect(
    commandForRules(asking({ additionalPermissions: { network: { enabled: true }, fileSystem: null } })),
  ).toBeUndefined();
  expect(commandForRules(asking({ command: null }))).toBeUndefined();
});

it.each([
  ["/home/milo", ""],
  ["/home/milo/site", "site"],
  ["/etc", "/etc"],
  ["/home/milo-too", "/home/milo-too"],
])("says where as the teammate's own folder knows it: %s", (cwd, folder) => {
  expect(approvalDetails(asking({ cwd }), [], "/home/milo")).toMatchObject({ cwd, folder });
});

function asking(changes: Partial<Asked["params"]>): Asked {
  const params: Asked["params"] = {
    kind: "command",
    threadId: "thread",
    turnId: "turn",
    itemId: "item",
    startedAtMs: 0,
    environmentId: "local",
    command: "/bin/bash -lc 'npm test'",
    ...changes,
  };
  return {
    method: "item/commandExecution/requestApproval",
    id: 1,
    epoch: "epoch",
    params,
    signal: new AbortController().signal,
    answer: () => true,
    refuse: () => true,
  };
}
