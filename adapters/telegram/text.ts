import type { Message, MessageEntity } from "grammy/types";
import { isSafeUrl } from "../../src/chat/index.ts";

/** The bot as its messages name it. */
export interface Self {
  readonly id: number;
  readonly username: string;
}

export interface WrittenText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

/** What a person wrote, as text or beneath a file. */
export function writtenText(message: Message): WrittenText {
  return {
    text: message.text ?? message.caption ?? "",
    entities: message.entities ?? message.caption_entities ?? [],
  };
}

export function isOwnMention({ text, entities }: WrittenText, self: Self): boolean {
  return entities.some((entity) => mentions(text, entity, self));
}

/** Names of people, groups and bots other than us. */
export function mentionsSomebodyElse({ text, entities }: WrittenText, self: Self): boolean {
  const names = entities.filter(({ type }) => type === "mention" || type === "text_mention");
  return names.some((entity) => !mentions(text, entity, self));
}

function mentions(text: string, entity: MessageEntity, self: Self): boolean {
  if (entity.type === "text_mention") return entity.user.id === self.id;
  if (entity.type !== "mention") return false;
  return slice(text, entity).toLowerCase() === `@${self.username.toLowerCase()}`;
}

/** A command at the very start: its name in lower case, whom it is for, and what stands behind it. */
export function leadingCommand(written: WrittenText, self: Self) {
  const entity = written.entities.find((one) => one.type === "bot_command" && one.offset === 0);
  if (!entity) return undefined;
  const [name = "", bot] = slice(written.text, entity).slice(1).split("@");
  const forUs = bot === undefined || bot.toLowerCase() === self.username.toLowerCase();
  return { name: name.toLowerCase(), forUs, argument: toMarkdown(written, self, entity.length) };
}

/**
 * The text with code and links as Markdown and without our own name; everything else as it was written.
 * Offsets are UTF-16 units, which is what JavaScript strings count in.
 */
export function toMarkdown({ text, entities }: WrittenText, self: Self, from = 0): string {
  let result = "";
  let at = from;
  for (const entity of [...entities].sort((a, b) => a.offset - b.offset || b.length - a.length)) {
    if (entity.offset < at) continue;
    const written = slice(text, entity);
    const replacement = mentions(text, entity, self) ? "" : asMarkdown(entity, written);
    if (replacement === undefined) continue;
    result += text.slice(at, entity.offset);
    at = entity.offset + entity.length;
    // The name goes together with one of the spaces around it.
    if (replacement === "" && /(?:^|\s)$/.test(result) && /^[ \t]/.test(text.slice(at))) at += 1;
    else if (replacement === "" && /^[,.!?;:]/.test(text.slice(at))) result = result.replace(/[ \t]$/, "");
    result += replacement;
  }
  return (result + text.slice(at)).trim();
}

function asMarkdown(entity: MessageEntity, written: string): string | undefined {
  switch (entity.type) {
    case "code":
      return fenced(written, "`");
    case "pre": {
      const fence = longestRun(written) >= 3 ? "`".repeat(longestRun(written) + 1) : "```";
      return `${fence}${entity.language ?? ""}\n${written.replace(/\n$/, "")}\n${fence}`;
    }
    case "text_link":
      if (!isSafeUrl(entity.url) || /[[\]\n]/.test(written)) return undefined;
      return /[()<>]/.test(entity.url) ? `[${written}](<${entity.url}>)` : `[${written}](${entity.url})`;
    default:
      return undefined;
  }
}

function fenced(code: string, fence: string): string {
  return code.includes("`")
    ? `${"`".repeat(longestRun(code) + 1)} ${code} ${"`".repeat(longestRun(code) + 1)}`
    : fence + code + fence;
}

function longestRun(code: string): number {
  return Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));
}

function slice(text: string, entity: MessageEntity): string {
  return text.slice(entity.offset, entity.offset + entity.length);
}
