import type { AnyBlock, AnyChunk } from "@slack/types";
import { readBlocksField } from "./blocks.ts";
import { clearStatus, findMessage, readAuthor, readThread, writableChannel } from "./chat.ts";
import { announce, announceChange } from "./events.ts";
import { ApiFailure, refusal } from "./failure.ts";
import { type Fields, nestedField, requiredField, textField } from "./fields.ts";
import { keptBlocks, messageBody } from "./payload.ts";
import { type MessageRecord, putMessage, type World } from "./world.ts";

const markdownLimit = 12_000;

/** An answer that grows: start, append, stop. It dies when nothing is appended for some minutes (vercel/chat#607). */
export function startStream(world: World, fields: Fields) {
  const channel = writableChannel(world, requiredField(fields, "channel"));
  const threadTs = readThread(fields);
  if (threadTs === undefined) throw refusal("invalid_arguments", "[ERROR] missing required field: thread_ts");
  if (channel.kind !== "im") {
    if (textField(fields, "recipient_team_id") === undefined) throw new ApiFailure("missing_recipient_team_id");
    if (textField(fields, "recipient_user_id") === undefined) throw new ApiFailure("missing_recipient_user_id");
  }
  const added = readAdded(world, fields);
  const record = putMessage(world, channel, {
    ...readAuthor(world, fields),
    text: "",
    threadTs,
    stream: { state: "in_progress", lastAt: world.now(), markdown: "", mode: undefined, endedBy: undefined },
  });
  append(world, record, added);
  clearStatus(channel, threadTs);
  announce(world, channel, record);
  return { channel: channel.id, ts: record.ts };
}

export function appendStream(world: World, fields: Fields) {
  const record = running(world, fields);
  const added = readAdded(world, fields);
  if (added.markdown === undefined && added.chunks.length === 0) throw new ApiFailure("no_text");
  append(world, record, added);
  world.changed();
  return { channel: record.channel, ts: record.ts };
}

export function stopStream(world: World, fields: Fields) {
  const record = running(world, fields);
  const blocks = readBlocksField(fields) ?? [];
  const added = readAdded(world, fields);
  announceChange(world, record, () => {
    append(world, record, added);
    record.blocks = [...record.blocks, ...keptBlocks(world, blocks)];
    const metadata = nestedField(fields, "metadata", "invalid_metadata_format") as MessageRecord["metadata"];
    if (metadata) record.metadata = metadata;
    if (record.stream) record.stream.state = "completed";
  });
  return { channel: record.channel, ts: record.ts, message: messageBody(world, record) };
}

/** A stream is ended by Slack, or by the person it is for. */
export function endStream(world: World, record: MessageRecord, by: "slack" | "person" = "slack"): void {
  if (record.stream?.state !== "in_progress") return;
  record.stream.state = "errored";
  record.stream.endedBy = by;
  world.changed();
}

function running(world: World, fields: Fields): MessageRecord {
  const channel = writableChannel(world, requiredField(fields, "channel"));
  const record = findMessage(channel, requiredField(fields, "ts"));
  if (record.botId !== world.bot.botId) throw new ApiFailure("message_not_owned_by_app");
  const idle = record.stream && world.now() - record.stream.lastAt > world.timing.streamIdleMs;
  if (idle) endStream(world, record);
  if (record.stream?.endedBy === "person") throw new ApiFailure("stopped_by_user");
  if (record.stream?.state !== "in_progress") throw new ApiFailure("message_not_in_streaming_state");
  return record;
}

interface Added {
  readonly markdown: string | undefined;
  readonly chunks: readonly AnyChunk[];
}

function readAdded(world: World, fields: Fields): Added {
  const markdown = textField(fields, "markdown_text");
  const chunks = (nestedField(fields, "chunks", "invalid_chunks") ?? []) as AnyChunk[];
  if (!Array.isArray(chunks)) throw new ApiFailure("invalid_chunks");
  if (markdown !== undefined && chunks.length > 0) throw new ApiFailure("markdown_text_conflict");
  if ((markdown ?? "").length > markdownLimit) throw new ApiFailure("msg_too_long");
  for (const chunk of chunks) checkChunk(world, chunk);
  return { markdown, chunks };
}

function checkChunk(_world: World, chunk: AnyChunk): void {
  switch (chunk.type) {
    case "markdown_text":
      if (chunk.text.length > markdownLimit) throw new ApiFailure("msg_too_long");
      return;
    case "task_update":
      if (!chunk.id || !chunk.title || !["pending", "in_progress", "complete", "error"].includes(chunk.status)) {
        throw new ApiFailure("invalid_chunks");
      }
      return;
    case "plan_update":
      if (!chunk.title) throw new ApiFailure("invalid_chunks");
      return;
    case "blocks":
      readBlocksField({ blocks: chunk.blocks });
      return;
    default:
      throw new ApiFailure("invalid_chunks");
  }
}

function append(world: World, record: MessageRecord, { markdown, chunks }: Added): void {
  const stream = record.stream;
  if (!stream) return;
  const mode = chunks.length > 0 ? "chunks" : markdown !== undefined ? "text" : undefined;
  if (mode !== undefined && stream.mode !== undefined && mode !== stream.mode)
    throw new ApiFailure("streaming_mode_mismatch");
  stream.mode ??= mode;
  stream.lastAt = world.now();
  const others = record.blocks.filter((block) => block.type !== "markdown");
  for (const chunk of chunks) {
    if (chunk.type === "markdown_text") stream.markdown += chunk.text;
    else if (chunk.type === "blocks") others.push(...keptBlocks(world, chunk.blocks));
    else if (chunk.type === "task_update")
      putTask(others, { ...chunk, type: "task_card", task_id: chunk.id } as unknown as AnyBlock);
  }
  stream.markdown += markdown ?? "";
  record.text = stream.markdown;
  const said =
    stream.markdown === "" ? [] : keptBlocks(world, [{ type: "markdown", text: stream.markdown } as AnyBlock]);
  record.blocks = [...others, ...said];
}

/** A task is shown once, as it is now. */
function putTask(blocks: AnyBlock[], task: AnyBlock): void {
  const id = (one: AnyBlock) => (one as unknown as { task_id?: string }).task_id;
  const at = blocks.findIndex((block) => block.type === "task_card" && id(block) === id(task));
  if (at === -1) blocks.push(task);
  else blocks[at] = task;
}
