import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Part, Reply } from "./parts.ts";

/** Writes one scripted reply as the Responses API streams it. */
export async function streamReply(response: ServerResponse, reply: Reply, sequence: number): Promise<void> {
  const [first] = reply;
  if (first?.kind === "status") {
    response.writeHead(first.status, { "content-type": "application/json", ...first.headers });
    response.end(JSON.stringify(first.body));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const id = `resp_${sequence}`;
  send(response, { type: "response.created", response: { id } });
  let outputCharacters = 0;
  for (const [index, part] of reply.entries()) {
    if (response.destroyed) return;
    const ended = await sendPart(response, part, `${sequence}_${index}`, index, id);
    if (ended) return;
    outputCharacters += sizeOf(part);
  }
  send(response, { type: "response.completed", response: { id, usage: usage(sequence, outputCharacters) } });
  response.end();
}

/** Sends one part; true when it ended the response. */
async function sendPart(
  response: ServerResponse,
  part: Part,
  id: string,
  index: number,
  responseId: string,
): Promise<boolean> {
  switch (part.kind) {
    case "text":
      await sendText(response, part, id, index);
      return false;
    case "reasoning":
      sendReasoning(response, part.text, id, index);
      return false;
    case "call":
      sendItem(response, index, {
        type: "function_call",
        id: `fc_${id}`,
        call_id: part.callId ?? `call_${id}`,
        name: part.name,
        arguments: part.arguments,
        ...(part.namespace === undefined ? {} : { namespace: part.namespace }),
      });
      return false;
    case "custom":
      sendItem(response, index, {
        type: "custom_tool_call",
        id: `ctc_${id}`,
        call_id: part.callId ?? `call_${id}`,
        name: part.name,
        input: part.input,
      });
      return false;
    case "wait":
      part.gate.arrive();
      await Promise.race([part.gate.opened, closed(response)]);
      return response.destroyed;
    case "pause":
      await Promise.race([sleep(part.ms), closed(response)]);
      return response.destroyed;
    case "cut":
      response.socket?.destroy();
      return true;
    case "failed":
      send(response, {
        type: "response.failed",
        response: { id: responseId, error: { code: part.code, message: part.message } },
      });
      response.end();
      return true;
    case "incomplete":
      send(response, {
        type: "response.incomplete",
        response: { id: responseId, incomplete_details: { reason: part.reason } },
      });
      response.end();
      return true;
    case "status":
      throw new Error("An HTTP status must be the first part of a reply.");
  }
}

async function sendText(
  response: ServerResponse,
  part: Extract<Part, { kind: "text" }>,
  id: string,
  index: number,
): Promise<void> {
  const itemId = `msg_${id}`;
  const phase = part.phase === undefined ? {} : { phase: part.phase };
  const item = { type: "message", role: "assistant", id: itemId, ...phase };
  send(response, { type: "response.output_item.added", output_index: index, item: { ...item, content: [] } });
  for (const delta of part.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [part.text]) {
    if (response.destroyed) return;
    send(response, {
      type: "response.output_text.delta",
      item_id: itemId,
      output_index: index,
      content_index: 0,
      delta,
    });
    if (part.paceMs > 0) await Promise.race([sleep(part.paceMs), closed(response)]);
  }
  const content = [{ type: "output_text", text: part.text, annotations: [] }];
  send(response, { type: "response.output_item.done", output_index: index, item: { ...item, content } });
}

function sendReasoning(response: ServerResponse, text: string, id: string, index: number): void {
  const item = { type: "reasoning", id: `rs_${id}` };
  send(response, { type: "response.output_item.added", output_index: index, item: { ...item, summary: [] } });
  send(response, {
    type: "response.reasoning_summary_part.added",
    item_id: item.id,
    output_index: index,
    summary_index: 0,
  });
  send(response, {
    type: "response.reasoning_summary_text.delta",
    item_id: item.id,
    output_index: index,
    summary_index: 0,
    delta: text,
  });
  const summary = [{ type: "summary_text", text }];
  const done = { ...item, summary, encrypted_content: "scripted" };
  send(response, { type: "response.output_item.done", output_index: index, item: done });
}

function sendItem(response: ServerResponse, index: number, item: object): void {
  send(response, { type: "response.output_item.added", output_index: index, item });
  send(response, { type: "response.output_item.done", output_index: index, item });
}

function send(response: ServerResponse, event: { readonly type: string; readonly [key: string]: unknown }): void {
  if (!response.destroyed) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

const closings = new WeakMap<ServerResponse, Promise<void>>();

/** One listener a response, however many words it says. */
function closed(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const known = closings.get(response) ?? new Promise((resolve) => response.once("close", () => resolve()));
  closings.set(response, known);
  return known;
}

function sizeOf(part: Part): number {
  switch (part.kind) {
    case "text":
    case "reasoning":
      return part.text.length;
    case "call":
      return part.arguments.length;
    case "custom":
      return part.input.length;
    default:
      return 0;
  }
}

function usage(sequence: number, characters: number): object {
  const input = 1000 + sequence;
  const output = Math.ceil(characters / 4);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}
