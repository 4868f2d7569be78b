import type { MessageEntity } from "@grammyjs/types";

const found: readonly { readonly type: "mention" | "bot_command" | "url"; readonly pattern: RegExp }[] = [
  { type: "mention", pattern: /(?<![\w@/])@[A-Za-z]\w{3,31}\b/g },
  { type: "bot_command", pattern: /(?<![\w/@])\/[A-Za-z0-9_]{1,32}(?:@[A-Za-z]\w{3,31})?(?![\w/])/g },
  { type: "url", pattern: /https?:\/\/[^\s<>"]+/g },
];

/** What Telegram marks in a text by itself; nothing inside what is marked already. Offsets are UTF-16 units, as in JavaScript. */
export function detectEntities(text: string, given: readonly MessageEntity[]): MessageEntity[] {
  const taken = [...given];
  for (const { type, pattern } of found) {
    for (const match of text.matchAll(pattern)) {
      const span = { offset: match.index, length: match[0].length };
      if (!taken.some((entity) => blocks(entity, span))) taken.push({ type, ...span });
    }
  }
  return taken.sort((a, b) => a.offset - b.offset || b.length - a.length);
}

function blocks(entity: MessageEntity, span: { offset: number; length: number }): boolean {
  const overlaps = span.offset < entity.offset + entity.length && entity.offset < span.offset + span.length;
  return overlaps && !["bold", "italic", "underline", "strikethrough", "spoiler", "blockquote"].includes(entity.type);
}
