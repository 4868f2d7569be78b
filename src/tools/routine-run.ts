import { z } from "zod";
import { redact } from "../shared/index.ts";
import { type AnyTool, checked, said, type Tool } from "./tool.ts";

/** What a run of a routine says about its own end. Nothing of it happens before the turn is over. */
export function routineRunTools(): readonly AnyTool[] {
  return [checked(noUpdate), checked(reportFailure)];
}

export const onlyInRoutines = "This works only in a run of a routine, and this is none.";

const none = z.strictObject({});
const longestReason = 500;

const noUpdate: Tool<typeof none> = {
  name: "routine_no_update",
  description:
    "End this run of a routine quietly: call it when you did the work and there is nothing new that anybody needs to know. Nothing is posted then, unless you attached a file or asked somebody something.",
  args: none,
  async run(_args, { routineRun }) {
    if (routineRun === undefined) return notHere;
    routineRun.nothingNew();
    return said(
      routineRun.isTest
        ? "Noted. This is a test run, in which something is always posted: say in one sentence that there is nothing new, and end your turn."
        : "Noted: nothing is posted. End your turn now with [[no-update]].",
    );
  },
};

const failure = z.strictObject({
  reason: z
    .string()
    .trim()
    .min(1)
    .max(longestReason)
    .describe("What went wrong and what would help, in one sentence for people."),
});

const reportFailure: Tool<typeof failure> = {
  name: "routine_report_failure",
  description:
    "Say that you could not do what this routine is for, or only in part. The run counts as failed, and the reason stands above what you write.",
  args: failure,
  async run({ reason }, { routineRun }) {
    if (routineRun === undefined) return notHere;
    routineRun.failed(redact(reason).replaceAll(/\s+/gu, " ").slice(0, longestReason).toWellFormed());
    return said(
      "Noted: the run counts as failed, and the reason is posted. End your turn with what there is to report all the same; do not repeat the reason.",
    );
  },
};

const notHere = said(onlyInRoutines, false);
