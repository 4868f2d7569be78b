import { z } from "zod";
import { redact } from "../shared/index.ts";
import { said, type Tool, type ToolDecision, type ToolResult } from "./tool.ts";

const args = z.strictObject({
  title: z.string().trim().min(1).max(200).describe("What you want to do, in one short line a person understands."),
  details: z
    .string()
    .trim()
    .min(1)
    .max(8_000)
    .describe("Exactly what will happen: what, where, to whom, how much; the full text of anything to be sent."),
  reversible: z
    .boolean()
    .describe("False for what cannot be taken back: payments, sent or published texts, deletions, granted rights."),
});

const waitMs = 10 * 60_000;

export const requestApproval: Tool<typeof args> = {
  name: "request_approval",
  description:
    "Ask a person to approve an action before you take it. Waits up to ten minutes for the decision. One action, or one batch of like ones, for each call.",
  args,
  async run({ title, details, reversible }, context) {
    const { attentionId } = await context.openApproval({
      callId: context.callId,
      title: redact(title),
      details: redact(details),
      reversible,
      // What can't be taken back is for the owner or an admin to decide.
      risk: reversible ? "normal" : "high",
      waitMs,
    });
    const decision = await context.waitForDecision(attentionId, waitMs);
    return decision === null ? stillPending : decisionResult(decision);
  },
};

const stillPending = said(
  "Nobody has decided yet. The request stays open. End your turn now with one sentence that says what you are waiting for; when somebody decides you will be told in a new turn. Don't take the action and don't ask again.",
);

function decisionResult(decision: ToolDecision): ToolResult {
  return said(decisionText(decision), isApproval(decision));
}

function isApproval({ choice }: ToolDecision): boolean {
  return choice === "approve" || choice === "approve_session" || choice === "always";
}

/** A decision in words for the model, in the turn that waited for it. */
function decisionText({ choice, by, note }: ToolDecision): string {
  const who = by === null ? "" : ` by ${quoted(by.displayName)}`;
  switch (choice) {
    case "approve":
      return `Approved${who}. Do exactly what you described and nothing beyond it.${noteText(note)}`;
    case "approve_session":
      return `Approved${who}, also for the rest of this task. Do what you described; anything of another kind needs its own request.${noteText(note)}`;
    case "always":
      return `Approved${who}, and always allowed from now on. Do what you described; anything of another kind needs its own request.${noteText(note)}`;
    case "deny":
      return `Denied${who}. Don't do it, and don't look for a way around it. Go on with what doesn't need it, or end your turn and say what is left.${noteText(note)}`;
    case "stop":
      return `Stopped${who}. Do nothing further and end your turn.${noteText(note)}`;
    case "expired":
      return "Nobody decided in time and the request is closed. Don't do it; say what is left undone.";
    case "cancelled":
      return "The request was withdrawn before anybody decided. Don't do it; say what is left undone.";
  }
}

/** Names and notes are what people typed: quoted, so that they are read as their words. */
function quoted(text: string): string {
  return JSON.stringify(redact(text).replaceAll(/\s+/gu, " ").trim().slice(0, 1_000).toWellFormed());
}

function noteText(note: string | undefined): string {
  return note === undefined || note.trim() === "" ? "" : ` They added: ${quoted(note)}.`;
}
