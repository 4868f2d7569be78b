import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

async function summarize(report: object | undefined): Promise<{ line: string; code: number | null }> {
  await mkdir(join(root, ".shipmate-test"), { recursive: true });
  const folder = await mkdtemp(join(root, ".shipmate-test", "ci-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "report.json");
  if (report !== undefined) await writeFile(path, JSON.stringify(report));
  const { stdout, status } = spawnSync(process.execPath, ["scripts/test-summary.ts", path], {
    cwd: root,
    encoding: "utf8",
  });
  return { line: stdout.trim().split("\n").at(-1) ?? "", code: status };
}

const counts = { numPassedTests: 12, numFailedTests: 0, numFailedTestSuites: 0, numPendingTests: 2, numTodoTests: 1 };

test("the last line counts what passed, failed and was skipped", async () => {
  expect(await summarize({ ...counts, success: true })).toEqual({ line: "12 passed, 0 failed, 3 skipped", code: 0 });
});

test("a failed test fails the run", async () => {
  const report = { ...counts, numFailedTests: 2, success: false };
  expect(await summarize(report)).toEqual({ line: "12 passed, 2 failed, 3 skipped", code: 1 });
});

test("a test file that cannot be loaded fails the run, though no test in it failed", async () => {
  const report = { ...counts, numFailedTestSuites: 1, success: false };
  expect(await summarize(report)).toEqual({ line: "12 passed, 1 failed, 3 skipped", code: 1 });
});

test("a run that left no report, or an empty one, has failed", async () => {
  expect(await summarize(undefined)).toEqual({ line: "0 passed, 1 failed, 0 skipped", code: 1 });
  expect((await summarize({ ...counts, numPassedTests: 0, success: true })).code).toBe(1);
});

test("the script is valid for a plain shell and can be executed", () => {
  expect(spawnSync("sh", ["-n", ".ci/run"], { cwd: root }).status).toBe(0);
  expect(spawnSync("test", ["-x", ".ci/run"], { cwd: root }).status).toBe(0);
});
