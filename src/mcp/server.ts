import { z } from "zod";
import { type KeyName, type McpConfig, mcpConfigSchema } from "./config.ts";

export const failureReasons = [
  /** Nobody is at that address. */
  "no_answer",
  /** Somebody is there, and does not speak MCP. */
  "bad_answer",
  "no_program",
  "program_ended",
  "too_slow",
  /** A key stands in Shipmate's environment, and is not there. */
  "no_variable",
  /** Nobody could look: Codex itself was away. */
  "no_codex",
  "other",
] as const;

/** Why a server does not work. */
export const mcpFailureSchema = z.object({
  reason: z.enum(failureReasons),
  /** In the words of whoever failed; redacted. */
  detail: z.string().optional(),
});
export type McpFailure = z.infer<typeof mcpFailureSchema>;

export type McpState = "unknown" | "ready" | "needs_secret" | "needs_sign_in" | "failed";

/** A server that gives teammates more tools. Nothing in it is secret. */
export interface McpServer {
  readonly id: string;
  readonly name: string;
  /** Null: every teammate's. */
  readonly teammateId: string | null;
  readonly config: McpConfig;
  /** Where its program runs; null for an address. */
  readonly folder: string | null;
  /** The places of keys that have none yet. */
  readonly missing: readonly KeyName[];
  /** Keys, or an address with parts that may be secret. */
  readonly holdsSecrets: boolean;
  readonly enabled: boolean;
  readonly state: McpState;
  readonly failure: McpFailure | null;
  /** Names, as of the last test. */
  readonly tools: readonly string[];
  /** Grows with every change. */
  readonly revision: number;
}

/** What a test found. */
export type Tested =
  | { readonly state: "ready"; readonly tools: readonly string[] }
  | { readonly state: "needs_secret" | "needs_sign_in" }
  | { readonly state: "failed"; readonly failure: McpFailure };

export interface McpProposal {
  readonly name: string;
  readonly teammateId: string | null;
  readonly config: McpConfig;
}
export const proposalSchema = z.object({
  name: z.string(),
  teammateId: z.uuid().nullable(),
  config: mcpConfigSchema,
}) satisfies z.ZodType<McpProposal>;

/** How a change ended. */
export const outcomeSchema = z.discriminatedUnion("kind", [
  /** Carried out; how the server is now is in its row. `dropped`: keys that would have gone elsewhere were removed. */
  z.object({ kind: z.literal("done"), serverId: z.uuid(), dropped: z.boolean() }),
  z.object({ kind: z.literal("unreachable"), failure: mcpFailureSchema }),
  z.object({ kind: z.literal("name_taken") }),
  z.object({ kind: z.literal("too_many") }),
  /** Removed, or changed by somebody else meanwhile. */
  z.object({ kind: z.literal("gone") }),
  z.object({ kind: z.literal("sign_in_over") }),
  z.object({ kind: z.literal("denied") }),
]);
export type McpOutcome = z.infer<typeof outcomeSchema>;
