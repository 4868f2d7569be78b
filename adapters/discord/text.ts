import type { APIMessage, APIMessageSnapshotFields } from "discord.js";
import type { Directory } from "./directory.ts";

/** What a text is read with: who we are, and the names behind its ids. */
export interface Reading {
  readonly botId: string;
  /** The server it was said in; undefined in a direct message. */
  readonly guild: string | undefined;
  readonly directory: Pick<Directory, "channel" | "guild">;
}

type Written = Pick<APIMessage, "content"> & { readonly mentions?: APIMessage["mentions"] | undefined };

const codePattern = /(```[\s\S]*?```|``[\s\S]*?``|`[^`\n]*`)/u;
const userPattern = /<@!?(\d+)>/gu;
const rolePattern = /<@&(\d+)>/gu;

/** What was written, in words: names for ids, without our own name, spoilers open. Code stays as it is. */
export function readText(written: Written, reading: Reading): string {
  const pieces = written.content
    .split(codePattern)
    .map((piece, index) => (index % 2 === 1 ? piece : readPiece(piece, written, reading)));
  return withoutOwnName(pieces.join("")).trim();
}

/** Stands for our own name until the space beside it is taken out with it. From a private range, and taken out of what people write. */
const ownName = "\uE000";

function readPiece(text: string, { mentions = [] }: Written, { botId, guild, directory }: Reading): string {
  const names = new Map(mentions.map((user) => [user.id, displayName(user)]));
  const roles = guild === undefined ? undefined : directory.guild(guild)?.roles;
  return text
    .replaceAll(ownName, "")
    .replace(userPattern, (_, id: string) => (id === botId ? ownName : `@${names.get(id) ?? "somebody"}`))
    .replace(rolePattern, (_, id: string) => (roles?.get(id)?.ours ? ownName : `@${roles?.get(id)?.name ?? "role"}`))
    .replace(/<#(\d+)>/gu, (_, id: string) => `#${directory.channel(id)?.name ?? "channel"}`)
    .replace(/<a?(:\w+:)\d+>/gu, "$1")
    .replace(/<t:(-?\d{1,13})(?::\w)?>/gu, (whole, seconds: string) => readTime(Number(seconds)) ?? whole)
    .replace(/<(\/[^:<>]+):\d+>/gu, "$1")
    .replace(/\|\|([\s\S]+?)\|\|/gu, "$1");
}

function readTime(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** The name goes together with one of the spaces around it. */
function withoutOwnName(text: string): string {
  return text
    .replace(/[ \t]?\uE000(?=[,.!?;:])/gu, "")
    .replace(/(^|\s)\uE000[ \t]?/gu, "$1")
    .replaceAll(ownName, "");
}

/** Whether a text mentions us, by name or by the role that Discord made for us, and whether it mentions somebody else. */
export function mentionsIn(content: string, { botId, guild, directory }: Reading): { us: boolean; others: boolean } {
  const text = content
    .split(codePattern)
    .filter((_, index) => index % 2 === 0)
    .join(" ");
  const roles = guild === undefined ? undefined : directory.guild(guild)?.roles;
  const named = [
    ...[...text.matchAll(userPattern)].map(([, id]) => id === botId),
    ...[...text.matchAll(rolePattern)].map(([, id = ""]) => roles?.get(id)?.ours ?? false),
  ];
  return { us: named.includes(true), others: named.includes(false) };
}

export function displayName(user: {
  readonly username: string;
  readonly global_name?: string | null;
  readonly member?: { readonly nick?: string | null | undefined } | undefined;
}): string {
  return user.member?.nick ?? user.global_name ?? user.username;
}

/** What a message carries that is neither text nor a file, in words. */
export function otherContent(
  message: Partial<Pick<APIMessage, "sticker_items" | "poll">> | APIMessageSnapshotFields,
): string[] {
  const stickers = (message.sticker_items ?? []).map(({ name }) => `Sticker: ${name}`);
  if (!("poll" in message) || !message.poll) return stickers;
  const answers = message.poll.answers.map(({ poll_media: { text, emoji } }) => `- ${text ?? emoji?.name ?? ""}`);
  return [...stickers, [`Poll: ${message.poll.question.text ?? ""}`, ...answers].join("\n")];
}
