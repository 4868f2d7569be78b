import {
  type APIAllowedMentions,
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIMessageReference,
  type APIMessageTopLevelComponent,
  MessageFlags,
} from "discord-api-types/v10";
import type { UploadedFile } from "./body.ts";
import { componentProblems } from "./component-rules.ts";
import { fillIn } from "./components.ts";
import { embedProblems } from "./embeds.ts";
import { ApiFailure, badLength, emptyMessage, type Problem, refuse, tooLong } from "./failure.ts";
import { describeFile, keepFile } from "./files.ts";
import { findMentions, type Mentions, mentioningText, readAllowed } from "./mentions.ts";
import { hasFlag } from "./messages.ts";
import type { ChannelRecord, MessageRecord, World } from "./world.ts";

/** The fields of a message that a bot sends or changes, whichever way. */
export interface MessageBody {
  readonly content?: string | null;
  readonly embeds?: APIEmbed[] | null;
  readonly components?: APIMessageTopLevelComponent[] | null;
  readonly allowed_mentions?: APIAllowedMentions | null;
  readonly attachments?: { readonly id: string | number; readonly filename?: string; readonly description?: string }[];
  readonly flags?: number | null;
  readonly nonce?: string | number;
  readonly enforce_nonce?: boolean;
  readonly message_reference?: APIMessageReference & { readonly fail_if_not_exists?: boolean };
  readonly tts?: boolean;
}

export interface Composed {
  readonly fields: Partial<APIMessage>;
  readonly mentions: Mentions;
}

const fileLimit = 10 * 1024 * 1024;
const contentLimit = 2000;

/** Reads a new message within the rules; `flags` are those this way of sending may set. */
export function composeMessage(
  world: World,
  channel: ChannelRecord,
  given: unknown,
  files: readonly UploadedFile[],
  settable: number,
  repliedTo?: MessageRecord,
): Composed {
  const body = readObject(given);
  const flags = (body.flags ?? 0) & settable;
  const v2 = (flags & MessageFlags.IsComponentsV2) !== 0;
  check(body, files, v2, []);
  const content = (body.content ?? "").trim();
  const components = body.components ?? [];
  const empty = v2 ? components.length === 0 : content === "" && !body.embeds?.length && files.length === 0;
  if (empty) throw emptyMessage();
  const attachments = upload(world, channel, body, files);
  const placed = placeMedia(fillIn(components), attachments);
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  const text = mentioningText(content, placed);
  const mentions = findMentions(world, guild, text, repliedTo?.message.author, readAllowed(body.allowed_mentions));
  return {
    fields: {
      content,
      embeds: (body.embeds ?? []).map((embed) => ({ type: "rich" as NonNullable<APIEmbed["type"]>, ...embed })),
      components: placed,
      attachments,
      flags,
      tts: body.tts ?? false,
      ...(body.nonce === undefined ? {} : { nonce: body.nonce }),
    },
    mentions,
  };
}

/** Reads a change to a message; what is not named stays. */
export function composeChange(
  world: World,
  record: MessageRecord,
  given: unknown,
  files: readonly UploadedFile[],
): Partial<APIMessage> {
  const body = readObject(given);
  const { message, channel } = record;
  const asked = (body.flags ?? 0) & (MessageFlags.IsComponentsV2 | MessageFlags.SuppressEmbeds);
  const v2 = hasFlag(message, MessageFlags.IsComponentsV2) || (asked & MessageFlags.IsComponentsV2) !== 0;
  const listed = body.attachments?.map((one) => `${one.id}`);
  const kept = message.attachments.filter((one) => listed?.includes(one.id) ?? true);
  check(body, files, v2, kept);
  const content = v2 ? "" : (body.content === undefined ? message.content : (body.content ?? "")).trim();
  const embeds = body.embeds === undefined ? message.embeds : (body.embeds ?? []);
  const components = body.components === undefined ? (message.components ?? []) : (body.components ?? []);
  const attachments = [...kept, ...upload(world, channel, body, files)];
  const shown = v2 ? components.length > 0 : content !== "" || embeds.length > 0 || attachments.length > 0;
  if (!shown) throw emptyMessage();
  const placed = placeMedia(fillIn(components), attachments);
  const guild = channel.guildId === undefined ? undefined : world.guilds.get(channel.guildId);
  const allowed = readAllowed(body.allowed_mentions);
  const mentions = findMentions(world, guild, mentioningText(content, placed), undefined, allowed);
  return {
    content,
    embeds: v2 ? [] : embeds,
    components: placed,
    attachments,
    // Once set, the flag for Components V2 stays.
    flags: (message.flags ?? 0) | asked,
    mentions: [...mentions.users],
    mention_roles: [...mentions.roles],
    mention_everyone: mentions.everyone,
  };
}

export function readObject(given: unknown): MessageBody {
  if (given === undefined || given === null) return {};
  if (typeof given === "object" && !Array.isArray(given)) return given;
  const message = "Only dictionaries may be used in a DictType";
  throw new ApiFailure(400, 50035, "Invalid Form Body", {
    errors: { _errors: [{ code: "DICT_TYPE_CONVERT", message }] },
  });
}

function check(body: MessageBody, files: readonly UploadedFile[], v2: boolean, kept: readonly APIAttachment[]): void {
  const problems: Problem[] = [];
  const { content, embeds, components, nonce } = body;
  if (content !== undefined && content !== null && typeof content !== "string") {
    problems.push({ path: "content", code: "STRING_TYPE_CONVERT", message: `Could not interpret as string.` });
  } else if ((content?.length ?? 0) > contentLimit) {
    problems.push(tooLong("content", contentLimit));
  }
  if (embeds) problems.push(...embedProblems(embeds));
  const names = [...files.map((file) => file.name), ...kept.map((file) => file.filename)];
  if (components) problems.push(...componentProblems(components, v2, names));
  if (typeof nonce === "string" && nonce.length > 25) problems.push(tooLong("nonce", 25));
  for (const field of ["content", "embeds"] as const) {
    if (!v2 || !body[field]?.length) continue;
    const message = `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
    problems.push({ path: field, code: "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message });
  }
  if (files.length + kept.length > 10) problems.push(badLength("attachments", 0, 10));
  for (const { id } of body.attachments ?? []) {
    if (files.some((file) => file.index === `${id}`) || kept.some((file) => file.id === `${id}`)) continue;
    const message = "The referenced attachment was not found";
    problems.push({ path: "attachments", code: "ATTACHMENT_NOT_FOUND", message });
  }
  refuse(problems);
  if (files.some((file) => file.bytes.length > fileLimit)) throw new ApiFailure(413, 40005, "Request entity too large");
}

function upload(
  world: World,
  channel: ChannelRecord,
  body: MessageBody,
  files: readonly UploadedFile[],
): APIAttachment[] {
  return files.map((file) => {
    const told = body.attachments?.find((one) => `${one.id}` === file.index);
    const kept = keepFile(world, { name: told?.filename ?? file.name, bytes: file.bytes, mime: file.mime });
    return describeFile(world, channel.id, kept, told?.description);
  });
}

/** `attachment://name` in components becomes the address of that file. */
function placeMedia(
  components: APIMessageTopLevelComponent[],
  attachments: readonly APIAttachment[],
): APIMessageTopLevelComponent[] {
  const place = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== "object" || value === null) return value;
    const placed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, place(inner)] as const));
    const { url } = placed;
    const name = typeof url === "string" ? /^attachment:\/\/(.+)$/.exec(url)?.[1] : undefined;
    const file = name === undefined ? undefined : attachments.find((one) => one.filename === name);
    if (!file) return placed;
    const { id, proxy_url, content_type = null } = file;
    return { ...placed, id, url: file.url, proxy_url, attachment_id: id, content_type };
  };
  return place(components) as APIMessageTopLevelComponent[];
}
