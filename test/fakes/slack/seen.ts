import type { AnyBlock } from "@slack/types";
import type { SeenAuthor, SeenEphemeral, SeenFile, SeenMessage, SeenView } from "./api.ts";
import { pingsOf } from "./events.ts";
import { buttonsOf, inputsOf, type Loose, labelOf, readBlocks, selectsOf, shownText } from "./flatten.ts";
import type { MessageRecord, ViewRecord, World } from "./world.ts";

export function seeMessage(world: World, record: MessageRecord): SeenMessage {
  const blocks = [...record.blocks, ...record.attachments.flatMap((one) => (one.blocks ?? []) as AnyBlock[])];
  return {
    channel: record.channel,
    ts: record.ts,
    threadTs: record.threadTs,
    author: seeAuthor(world, record),
    text: shownText(world, record),
    source: record.text,
    subtype: record.subtype,
    buttons: buttonsOf(blocks),
    selects: selectsOf(blocks),
    files: record.files.flatMap((id) => seeFile(world, id)),
    blocks: record.blocks,
    metadata: record.metadata,
    reactions: [...record.reactions].map(([name, users]) => ({ name, users: [...users] })),
    edited: record.edited !== undefined,
    edits: [...record.earlier],
    pings: pingsOf(record),
    broadcast: record.broadcast,
    streaming: record.stream?.state,
  };
}

export function seeEphemeral(world: World, record: MessageRecord): SeenEphemeral {
  return { ...seeMessage(world, record), to: record.to ?? "" };
}

function seeAuthor(world: World, record: MessageRecord): SeenAuthor {
  return {
    id: record.user,
    name: record.username ?? world.users.get(record.user)?.realName ?? record.user,
    icon: record.icon?.emoji ?? record.icon?.image_64,
    bot: record.botId !== undefined,
  };
}

function seeFile(world: World, id: string): SeenFile[] {
  const file = world.files.get(id);
  if (!file) return [];
  return [{ id, name: file.name, title: file.title, mime: file.mime, bytes: file.bytes ?? Buffer.alloc(0) }];
}

export function seeView(world: World, record: ViewRecord): SeenView {
  const view = record.view as unknown as Loose;
  const blocks = record.view.blocks;
  return {
    surface: view.type === "home" ? "home" : "modal",
    userId: record.userId,
    id: record.id,
    title: labelOf(view.title),
    submit: view.submit === undefined ? undefined : labelOf(view.submit),
    callbackId: String(view.callback_id ?? ""),
    privateMetadata: String(view.private_metadata ?? ""),
    text: readBlocks(world, blocks),
    inputs: inputsOf(blocks),
    buttons: buttonsOf(blocks),
    selects: selectsOf(blocks),
    blocks,
    errors: record.errors,
  };
}
