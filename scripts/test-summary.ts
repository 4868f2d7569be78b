/** Prints "N passed, M failed, K skipped" from the test runner's JSON report; ends with 1 unless something passed and nothing failed. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const schema = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
});

const path = process.argv[2] ?? "";
const report = existsSync(path)
  ? schema.parse(JSON.parse(readFileSync(path, "utf8")))
  : { success: false, numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
const good = report.success && report.numPassedTests > 0;
// A file that could not even be loaded has no failed test in it, and must not pass for that.
const failed = Math.max(report.numFailedTests, good ? 0 : 1);
const skipped = report.numPendingTests + report.numTodoTests;
process.stdout.write(`${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;
