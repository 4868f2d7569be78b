import { z } from "zod";
import { redact } from "../shared/index.ts";
import { questionSchema } from "./question.ts";
import type { AttentionDetails } from "./types.ts";

const command = z.object({
  kind: z.literal("command"),
  command: z.string(),
  cwd: z.string(),
  folder: z.string().optional(),
  reason: z.string().optional(),
  amendment: z.array(z.string()).optional(),
  canApproveForSession: z.boolean(),
});

const fileChange = z.object({
  kind: z.literal("file_change"),
  files: z.array(z.object({ path: z.string(), change: z.enum(["add", "update", "delete"]), diff: z.string() })),
  reason: z.string().optional(),
  grantRoot: z.string().optional(),
  canApproveForSession: z.boolean(),
});

const permissions = z.object({
  kind: z.literal("permissions"),
  permissions: z.unknown(),
  reason: z.string().optional(),
});

const action = z.object({
  kind: z.literal("request_approval"),
  title: z.string(),
  details: z.string(),
  reversible: z.boolean(),
});

const mcpTool = z.object({
  kind: z.literal("mcp_tool"),
  server: z.string(),
  tool: z.string(),
  parameters: z.array(z.object({ name: z.string(), value: z.string() })),
  canApproveForSession: z.boolean(),
  canAlwaysApprove: z.boolean(),
});

const link = z.object({ kind: z.literal("link"), server: z.string(), message: z.string(), url: z.string() });

const question = z.object({
  kind: z.literal("question"),
  questions: z.array(questionSchema).min(1),
  server: z.object({ name: z.string(), message: z.string() }).optional(),
});

const schema = z.discriminatedUnion("kind", [command, fileChange, permissions, action, mcpTool, link, question]);

/** Reads what `attention.details` holds. */
export function readDetails(value: unknown): AttentionDetails {
  return schema.parse(value);
}

/** Details as they are stored and shown: without secrets. A prefix with a secret in it is not offered: it could not be stored as it is. */
export function redactDetails(details: AttentionDetails): AttentionDetails {
  const clean = readDetails(redactDeep(details));
  if (clean.kind !== "command" || details.kind !== "command" || clean.amendment === undefined) return clean;
  const intact = clean.amendment.every((word, index) => word === details.amendment?.[index]);
  return intact ? clean : { ...clean, amendment: undefined };
}

function redactDeep(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(redactDeep);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactDeep(each)]));
}
