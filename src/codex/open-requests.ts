import type { Log } from "../shared/index.ts";
import { isRecord, threadIdOf } from "./frames.ts";
import type { ServerRequest, ServerRequestMethod } from "./messages.ts";
import type { RequestId } from "./protocol/types.ts";

export const unsupportedCode = -32601;

/** A server request that was not answered yet. */
export interface OpenRequest {
  readonly request: ServerRequest;
  readonly threadId: string | undefined;
  /** The thread whose handler got it: its own, or for a sub-agent's thread the one that started the sub-agent. */
  readonly ownerId: string | undefined;
  readonly turnId: string | undefined;
}

/** Remembers which requests of Codex are open, and sees to it that each is answered once at most. */
export interface OpenRequests {
  add(incoming: { id: RequestId; method: ServerRequestMethod; params: unknown; epoch: string }): OpenRequest;
  /** Gives up requests that nobody needs to answer any more. */
  drop(fits: (open: OpenRequest) => boolean, reason: Error): void;
  /** Declines requests that nobody will answer any more. */
  decline(fits: (open: OpenRequest) => boolean, reason: string): void;
  count(): number;
}

export function makeOpenRequests(
  log: Log,
  ownerOf: (threadId: string | undefined) => string | undefined,
  reply: (message: Record<string, unknown>) => void,
): OpenRequests {
  const all = new Map<OpenRequest, AbortController>();

  const settle = (open: OpenRequest, message: Record<string, unknown>): boolean => {
    if (!all.delete(open)) return false;
    try {
      reply({ id: open.request.id, ...message });
      return true;
    } catch (error) {
      log.warn({ err: error, method: open.request.method }, "An answer to Codex could not be sent");
      return false;
    }
  };

  return {
    add: ({ id, method, params, epoch }) => {
      const abort = new AbortController();
      const threadId = threadIdOf(params);
      // One object for ten methods: which parameters belong to which method is settled by the generated types.
      const request = {
        method,
        id,
        epoch,
        params,
        signal: abort.signal,
        answer: (result: unknown) => settle(open, { result }),
        refuse: (message: string, code = unsupportedCode) => settle(open, { error: { code, message } }),
      } as ServerRequest;
      const turnId = isRecord(params) && typeof params.turnId === "string" ? params.turnId : undefined;
      const open: OpenRequest = { request, threadId, ownerId: ownerOf(threadId), turnId };
      all.set(open, abort);
      return open;
    },
    drop: (fits, reason) => {
      for (const [open, abort] of [...all]) {
        if (!fits(open)) continue;
        all.delete(open);
        abort.abort(reason);
      }
    },
    decline: (fits, reason) => {
      for (const [open, abort] of [...all]) {
        if (!fits(open)) continue;
        decline(open.request);
        abort.abort(new Error(reason));
      }
    },
    count: () => all.size,
  };
}

/** Says no in the words of each method, so that nothing hangs on a request nobody will answer. */
export function decline(request: ServerRequest): boolean {
  const why = "Nobody handles this conversation now.";
  switch (request.method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return request.answer({ decision: "decline" });
    case "item/tool/call":
      return request.answer({ contentItems: [{ type: "inputText", text: why }], success: false });
    case "mcpServer/elicitation/request":
      return request.answer({ action: "decline", content: null, _meta: null });
    case "applyPatchApproval":
    case "execCommandApproval":
      return request.answer({ decision: { denied: { rejection: why } } });
    case "item/permissions/requestApproval":
    case "item/tool/requestUserInput":
    case "account/chatgptAuthTokens/refresh":
    case "attestation/generate":
      return request.refuse(why);
  }
}
