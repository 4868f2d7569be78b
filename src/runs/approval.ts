import { isAbsolute, relative } from "node:path";
import type { AttentionDetails, Decision } from "../attention/index.ts";
import type { FileUpdateChange, ServerRequest, ServerRequestOf } from "../codex/index.ts";
import { redact } from "../shared/index.ts";
import { bareCommand } from "./timeline-command.ts";

export type ApprovalRequest =
  | ServerRequestOf<"item/commandExecution/requestApproval">
  | ServerRequestOf<"item/fileChange/requestApproval">
  | ServerRequestOf<"item/permissions/requestApproval">;

type Details = Extract<AttentionDetails, { kind: "command" | "file_change" | "permissions" | "request_approval" }>;

export function isApproval(request: ServerRequest): request is ApprovalRequest {
  switch (request.method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
    case "item/permissions/requestApproval":
      return true;
    default:
      return false;
  }
}

/**
 * What recognises a request when Codex sends it again. Its JSON-RPC id starts over with every server process, its item does not;
 * one command may ask several times, once per part.
 */
export function requestKey(request: ApprovalRequest): string {
  const part = "approvalId" in request.params ? (request.params.approvalId ?? "") : "";
  return `${request.method}/${request.params.itemId}/${part}`;
}

/**
 * The command a rule may answer for. Undefined where more is asked than to run it: to type into a program that runs, to
 * reach the network, to have more rights than usual.
 */
export function commandForRules(request: ApprovalRequest): string | undefined {
  if (request.method !== "item/commandExecution/requestApproval") return undefined;
  const { kind, command, networkApprovalContext, additionalPermissions } = request.params;
  // Older servers name no kind.
  if ((kind ?? "command") !== "command" || networkApprovalContext != null || additionalPermissions != null) {
    return undefined;
  }
  return command == null ? undefined : bareCommand(command);
}

/** What the card shows. The request for a patch does not say what it changes: that came with the item before. */
export function approvalDetails(
  request: ApprovalRequest,
  changes: readonly FileUpdateChange[],
  workspace: string,
): Exclude<Details, { kind: "request_approval" }> {
  switch (request.method) {
    case "item/commandExecution/requestApproval": {
      const { command, cwd, reason, proposedExecpolicyAmendment } = request.params;
      return {
        kind: "command",
        command: redact(bareCommand(command ?? "")),
        cwd: cwd ?? "",
        folder: cwd == null ? "" : within(workspace, cwd),
        reason: reason == null ? undefined : redact(reason),
        amendment: proposedExecpolicyAmendment ?? undefined,
        // Codex takes it for every command, whether or not it lists it.
        canApproveForSession: true,
      };
    }
    case "item/fileChange/requestApproval": {
      const { reason, grantRoot } = request.params;
      return {
        kind: "file_change",
        files: changes.map(({ path, kind, diff }) => ({
          path: within(workspace, path),
          change: kind.type,
          diff: redact(diff),
        })),
        reason: reason == null ? undefined : redact(reason),
        grantRoot: grantRoot ?? undefined,
        canApproveForSession: true,
      };
    }
    case "item/permissions/requestApproval": {
      const { permissions, reason } = request.params;
      return { kind: "permissions", permissions, reason: reason === null ? undefined : redact(reason) };
    }
  }
}

/** More rights, or a change outside the teammate's own folder, is for an owner or admin to decide. */
export function riskOf(details: Details, workspace: string): "normal" | "high" {
  switch (details.kind) {
    case "permissions":
      return "high";
    case "file_change":
      return details.grantRoot !== undefined || details.files.some((file) => !inside(workspace, file.path))
        ? "high"
        : "normal";
    case "request_approval":
      return details.reversible ? "normal" : "high";
    case "command":
      return "normal";
  }
}

function inside(folder: string, path: string): boolean {
  if (!isAbsolute(path)) return true;
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}

/** A path as the teammate's own folder knows it, "" for that folder itself; where we live on the disk is of no use to a reader. */
function within(workspace: string, path: string): string {
  return isAbsolute(path) && inside(workspace, path) ? relative(workspace, path) : path;
}

/** Says the decision in the form this kind of request wants. */
export function answerApproval(request: ApprovalRequest, choice: Decision["choice"]): boolean {
  switch (request.method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return request.answer({ decision: verdict(choice) });
    case "item/permissions/requestApproval": {
      const yes = verdict(choice);
      if (yes === "accept") return request.answer({ permissions: granted(request), scope: "turn" });
      if (yes === "acceptForSession") return request.answer({ permissions: granted(request), scope: "session" });
      return request.answer({ permissions: {}, scope: "turn" });
    }
  }
}

function granted({ params }: ServerRequestOf<"item/permissions/requestApproval">) {
  const { network, fileSystem } = params.permissions;
  return { ...(network === null ? {} : { network }), ...(fileSystem === null ? {} : { fileSystem }) };
}

function verdict(choice: Decision["choice"]): "accept" | "acceptForSession" | "decline" | "cancel" {
  switch (choice) {
    case "approve":
    // The rule is ours and answers from now on. Codex would remember it as well, and never hear that it was revoked.
    case "always":
      return "accept";
    case "approve_session":
      return "acceptForSession";
    case "stop":
      return "cancel";
    case "deny":
    case "answer":
    case "skip":
    case "expired":
    case "cancelled":
      return "decline";
  }
}
