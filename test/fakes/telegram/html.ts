import type { MessageEntity } from "@grammyjs/types";
import { badRequest } from "./failure.ts";

export interface FormattedText {
  readonly text: string;
  readonly entities: MessageEntity[];
}

interface OpenTag {
  readonly name: string;
  readonly offset: number;
  readonly attributes: ReadonlyMap<string, string>;
}

const entityTypes: Readonly<Record<string, MessageEntity["type"]>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  "tg-spoiler": "spoiler",
  span: "spoiler",
  a: "text_link",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
};

/** Telegram's HTML dialect: a closed list of tags, four named entities, UTF-16 offsets; anything else is a 400. */
export function parseHtml(source: string): FormattedText {
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  let text = "";
  let at = 0;
  while (at < source.length) {
    const character = source[at];
    if (character === "&") {
      const reference = readReference(source, at);
      text += reference.text;
      at += reference.length;
    } else if (character !== "<") {
      text += character;
      at += 1;
    } else if (source[at + 1] === "/") {
      at = closeTag(source, at, open, entities, text.length);
    } else {
      at = openTag(source, at, open, text.length);
    }
  }
  const unclosed = open.at(-1);
  if (unclosed) throw cannotParse(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return trimFormatted({ text, entities: dropNestedInCode(entities) });
}

function openTag(source: string, at: number, open: OpenTag[], offset: number): number {
  const match = /^<([a-zA-Z0-9-]*)((?:\s+[a-zA-Z0-9-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*>/.exec(
    source.slice(at),
  );
  const name = (/^<([^\s>/]*)/.exec(source.slice(at))?.[1] ?? "").toLowerCase();
  if (entityTypes[name] === undefined) {
    throw cannotParse(`Unsupported start tag "${name}" at byte offset ${byteOffset(source, at)}`);
  }
  if (!match) throw cannotParse(`Unclosed start tag "${name}" at byte offset ${byteOffset(source, at)}`);
  const attributes = new Map<string, string>();
  for (const [, key, value] of (match[2] ?? "").matchAll(/([a-zA-Z0-9-]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?/g)) {
    attributes.set((key ?? "").toLowerCase(), decodeReferences((value ?? "").replace(/^["']|["']$/g, "")));
  }
  if (name === "span" && attributes.get("class") !== "tg-spoiler") {
    throw cannotParse(`Tag "span" must have class "tg-spoiler" at byte offset ${byteOffset(source, at)}`);
  }
  open.push({ name, offset, attributes });
  return at + match[0].length;
}

function closeTag(source: string, at: number, open: OpenTag[], entities: MessageEntity[], end: number): number {
  const match = /^<\/([a-zA-Z0-9-]*)\s*>/.exec(source.slice(at));
  const tag = open.pop();
  if (!tag) throw cannotParse(`Unexpected end tag at byte offset ${byteOffset(source, at)}`);
  const name = (match?.[1] ?? "").toLowerCase();
  if (!match || name !== tag.name) {
    throw cannotParse(
      `Unmatched end tag at byte offset ${byteOffset(source, at)}, expected "</${tag.name}>", found "</${name}>"`,
    );
  }
  const entity = toEntity(tag, end);
  if (entity) addEntity(entities, entity);
  return at + match[0].length;
}

function toEntity(tag: OpenTag, end: number): MessageEntity | undefined {
  const span = { offset: tag.offset, length: end - tag.offset };
  if (span.length === 0) return undefined;
  const language = tag.attributes.get("class")?.replace(/^language-/, "");
  switch (tag.name) {
    case "a": {
      const url = tag.attributes.get("href") ?? "";
      // Telegram keeps the text and drops the link when the address is not one.
      return /^(https?|tg|mailto):/i.test(url) ? { type: "text_link", ...span, url } : undefined;
    }
    case "pre":
      return { type: "pre", ...span };
    case "code":
      return language === undefined ? { type: "code", ...span } : { type: "pre", ...span, language };
    case "blockquote":
      return { type: tag.attributes.has("expandable") ? "expandable_blockquote" : "blockquote", ...span };
    default:
      return { type: entityTypes[tag.name] ?? "bold", ...span } as MessageEntity;
  }
}

/** `<pre><code class="language-x">` is one entity, with the language. */
function addEntity(entities: MessageEntity[], entity: MessageEntity): void {
  const previous = entities.at(-1);
  const same = previous && previous.offset === entity.offset && previous.length === entity.length;
  if (entity.type === "pre" && same && (previous.type === "pre" || previous.type === "code")) {
    entities[entities.length - 1] = previous.type === "pre" ? previous : entity;
    return;
  }
  entities.push(entity);
}

/** Inside code nothing else is formatted; Telegram drops it without a word. */
function dropNestedInCode(entities: readonly MessageEntity[]): MessageEntity[] {
  const code = entities.filter((entity) => entity.type === "pre" || entity.type === "code");
  const inside = (entity: MessageEntity) =>
    code.some(
      (block) =>
        block !== entity &&
        entity.offset >= block.offset &&
        entity.offset + entity.length <= block.offset + block.length &&
        (entity.length < block.length || block.type === "pre"),
    );
  return entities.filter((entity) => !inside(entity)).sort((a, b) => a.offset - b.offset || b.length - a.length);
}

/** Telegram cuts white space at both ends; entities move along. */
export function trimFormatted({ text, entities }: FormattedText): FormattedText {
  const start = text.length - text.trimStart().length;
  const trimmed = text.trim();
  const moved = entities.flatMap((entity) => {
    const offset = Math.max(0, entity.offset - start);
    const end = Math.min(trimmed.length, entity.offset - start + entity.length);
    return end > offset ? [{ ...entity, offset, length: end - offset }] : [];
  });
  return { text: trimmed, entities: moved };
}

const namedReferences: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

function readReference(source: string, at: number): { text: string; length: number } {
  const match = /^&(?:#(\d+)|#x([0-9a-fA-F]+)|(lt|gt|amp|quot));/.exec(source.slice(at, at + 12));
  if (!match) return { text: "&", length: 1 };
  const code = match[1] !== undefined ? Number(match[1]) : Number.parseInt(match[2] ?? "", 16);
  const text = match[3] !== undefined ? (namedReferences[match[3]] ?? "") : String.fromCodePoint(code);
  return { text, length: match[0].length };
}

function decodeReferences(source: string): string {
  return source.replace(/&(?:#\d+|#x[0-9a-fA-F]+|lt|gt|amp|quot);/g, (found) => readReference(found, 0).text);
}

function cannotParse(what: string) {
  return badRequest(`can't parse entities: ${what}`);
}

function byteOffset(source: string, at: number): number {
  return Buffer.byteLength(source.slice(0, at));
}
