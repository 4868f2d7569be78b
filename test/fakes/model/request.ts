import type { IncomingHttpHeaders } from "node:http";

/** One thing in the conversation that was sent to the model, with its text pulled out. */
export interface InputItem {
  type: string;
  role: string | undefined;
  /** All text of the item: message content, call arguments or tool output. */
  text: string;
  name: string | undefined;
  callId: string | undefined;
}

/** A request as the model received it. */
export interface ModelRequest {
  sequence: number;
  /** The Codex thread. */
  threadId: string;
  turnId: string | undefined;
  model: string;
  headers: IncomingHttpHeaders;
  /** The parsed body, and the raw text of it, to search in. */
  body: Readonly<Record<string, unknown>>;
  text: string;
  input: readonly InputItem[];
  /** What the last user message says, and all user messages since the model spoke last. */
  lastUserText: string;
  /** The outputs of the calls the model made in its last response, by call id. */
  outputs: ReadonlyMap<string, string>;
  /** The output of the last call, if the request ends with one. */
  lastOutput: string | undefined;
  toolNames: readonly string[];
  at: Date;
}

export function readRequest(sequence: number, headers: IncomingHttpHeaders, text: string): ModelRequest {
  const body = asRecord(JSON.parse(text));
  const items = asArray(body.input).map(asRecord);
  const input = asArray(body.input).map(readItem);
  const outputs = input.filter((item) => item.type.endsWith("_output"));
  const last = input.findLast((item) => item.type !== "additional_tools");
  return {
    sequence,
    threadId: asText(headers["thread-id"]) ?? asText(body.prompt_cache_key) ?? "",
    turnId: readTurnId(headers),
    model: asText(body.model) ?? "",
    headers,
    body,
    text,
    input,
    lastUserText: input.findLast((item) => item.role === "user")?.text ?? "",
    outputs: new Map(outputs.map((item) => [item.callId ?? "", item.text])),
    lastOutput: last?.type.endsWith("_output") === true ? last.text : undefined,
    // Models that work by script get their tools as items of the conversation.
    toolNames: [...asArray(body.tools), ...items.flatMap(({ tools }) => asArray(tools))].flatMap(readToolNames),
    at: new Date(),
  };
}

function readItem(value: unknown): InputItem {
  const item = asRecord(value);
  return {
    type: asText(item.type) ?? "message",
    role: asText(item.role),
    text: [textOf(item.content), textOf(item.output), asText(item.arguments), asText(item.input)].join(""),
    name: asText(item.name),
    callId: asText(item.call_id),
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map((piece) => asText(asRecord(piece).text) ?? "")
    .join("");
}

function readTurnId(headers: IncomingHttpHeaders): string | undefined {
  const metadata = asText(headers["x-codex-turn-metadata"]);
  return metadata === undefined ? undefined : asText(asRecord(JSON.parse(metadata)).turn_id);
}

function readToolNames(value: unknown): string[] {
  const tool = asRecord(value);
  const name = asText(tool.name) ?? asText(tool.type) ?? "";
  if (tool.type !== "namespace") return [name];
  return asArray(tool.tools).map((inner) => `${name}.${asText(asRecord(inner).name) ?? ""}`);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
