/** What a scripted model does in one response, piece by piece. */
export type Part =
  | { kind: "text"; text: string; paceMs: number; phase: "commentary" | "final_answer" | undefined }
  | { kind: "reasoning"; text: string }
  | { kind: "call"; namespace: string | undefined; name: string; arguments: string; callId: string | undefined }
  | { kind: "custom"; name: string; input: string; callId: string | undefined }
  | { kind: "wait"; gate: Gate }
  | { kind: "pause"; ms: number }
  /** Ends the response at once in some other way than by completing it. */
  | { kind: "cut" }
  | { kind: "failed"; code: string; message: string }
  | { kind: "incomplete"; reason: string }
  | { kind: "status"; status: number; body: unknown; headers: Readonly<Record<string, string>> };

/** One response of the model. */
export type Reply = readonly Part[];

/** Something a test opens when it is time. `reached` resolves when the model stands in front of it. */
export interface Gate {
  open(): void;
  readonly opened: Promise<void>;
  readonly reached: Promise<void>;
  arrive(): void;
}

export function gate(): Gate {
  const opening = Promise.withResolvers<void>();
  const reaching = Promise.withResolvers<void>();
  return { open: opening.resolve, opened: opening.promise, reached: reaching.promise, arrive: reaching.resolve };
}

/** Says a text, word by word; `paceMs` is the pause between two words. */
export function say(text: string, options: { paceMs?: number; phase?: "commentary" | "final_answer" } = {}): Part {
  return { kind: "text", text, paceMs: options.paceMs ?? 0, phase: options.phase };
}

export function think(text: string): Part {
  return { kind: "reasoning", text };
}

/** Calls one of the client's tools, in a namespace. */
export function call(namespace: string | undefined, name: string, args: unknown = {}, callId?: string): Part {
  return { kind: "call", namespace, name, arguments: JSON.stringify(args), callId };
}

export interface ShellOptions {
  /** Asks to run outside the sandbox. */
  escalated?: boolean;
  justification?: string;
  /** How long Codex waits before it leaves the command in the background. */
  yieldMs?: number;
  callId?: string;
}

/** Runs a shell command. */
export function shell(command: string, options: ShellOptions = {}): Part {
  const args = {
    cmd: command,
    yield_time_ms: options.yieldMs ?? 10_000,
    ...(options.escalated === true
      ? { sandbox_permissions: "require_escalated", justification: options.justification ?? "Because it is needed." }
      : {}),
  };
  return call(undefined, "exec_command", args, options.callId);
}

/** Applies a patch in Codex's own format, with or without its envelope. */
export function patch(body: string, callId?: string): Part {
  const input = body.startsWith("*** Begin Patch") ? body : `*** Begin Patch\n${body.trimEnd()}\n*** End Patch\n`;
  return { kind: "custom", name: "apply_patch", input, callId };
}

/** A patch that adds a file. */
export function addFile(path: string, lines: readonly string[], callId?: string): Part {
  return patch(`*** Add File: ${path}\n${lines.map((line) => `+${line}`).join("\n")}`, callId);
}

/** Stands still until the test opens the gate. */
export function waitFor(gateToOpen: Gate): Part {
  return { kind: "wait", gate: gateToOpen };
}

export function pause(ms: number): Part {
  return { kind: "pause", ms };
}

/** Drops the connection in the middle of the stream. */
export function cut(): Part {
  return { kind: "cut" };
}

export function fail(code: string, message: string): Part {
  return { kind: "failed", code, message };
}

export function incomplete(reason = "max_output_tokens"): Part {
  return { kind: "incomplete", reason };
}

/** Answers with an HTTP error instead of a stream. */
export function status(
  code: number,
  error: Readonly<Record<string, unknown>>,
  headers: Record<string, string> = {},
): Part {
  return { kind: "status", status: code, body: { error }, headers };
}

/** The failures Codex tells apart, as a provider reports them. */
export const failures = {
  keyRejected: () => status(401, { message: "Incorrect API key provided.", code: "invalid_api_key" }),
  modelNotFound: () => status(404, { message: "The model does not exist.", code: "model_not_found" }),
  usageLimit: (resetsAt: Date) =>
    status(429, {
      type: "usage_limit_reached",
      message: "The usage limit has been reached",
      plan_type: "plus",
      resets_at: Math.floor(resetsAt.getTime() / 1000),
    }),
  quota: () => status(429, { type: "insufficient_quota", code: "insufficient_quota", message: "Quota exceeded." }),
  tooManyRequests: () => status(429, { message: "Slow down.", type: "requests" }),
  serverError: () => status(500, { message: "Internal error." }),
  overloaded: () => status(503, { code: "server_is_overloaded", message: "Overloaded." }),
  contextFull: () => fail("context_length_exceeded", "Your input exceeds the context window of this model."),
} as const;
