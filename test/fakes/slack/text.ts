import type {
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextSection,
  RichTextStyleable,
} from "@slack/types";
import type { World } from "./world.ts";

const token = /<(?:@[UW][A-Z0-9]+|#[CG][A-Z0-9]+|![a-z]+(?:\^[^>|]*)?|(?:https?:\/\/|mailto:)[^\s<>|]+)(?:\|[^<>]*)?>/g;

/** What Slack's composer makes of typed characters: `&`, `<` and `>` are escaped, except in what it wrote itself. */
export function escapeTyped(text: string): string {
  const escaped = (part: string) =>
    part
      .replace(/&(?!(?:amp|lt|gt);)/g, "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;");
  let at = 0;
  let out = "";
  for (const match of text.matchAll(token)) {
    out += escaped(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return out + escaped(text.slice(at));
}

export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Names instead of ids, labels instead of links, plain characters instead of escapes. */
export function readableText(world: World, text: string): string {
  return unescaped(
    text.replace(/<([^<>\n]+)>/g, (whole, inner: string) => {
      const [target = "", label] = inner.split("|", 2);
      if (target.startsWith("@")) return `@${nameOf(world, target.slice(1)) ?? label ?? target.slice(1)}`;
      if (target.startsWith("#")) return `#${world.channels.get(target.slice(1))?.name ?? label ?? target.slice(1)}`;
      if (/^!(?:here|channel|everyone)$/.test(target)) return `@${target.slice(1)}`;
      if (target.startsWith("!")) return label ?? whole;
      return /^(?:https?:\/\/|mailto:)/.test(target) ? (label ?? target) : whole;
    }),
  );
}

function nameOf(world: World, id: string): string | undefined {
  return world.users.get(id)?.realName;
}

/** Whom a text notifies: user ids, and `channel`, `here`, `everyone`. */
export function pingsIn(text: string, linksNames = false): string[] {
  const found = [
    ...text.matchAll(/<(?:@([UW][A-Z0-9]+)|!(here|channel|everyone)|!subteam\^([A-Z0-9]+))(?:\|[^<>]*)?>/g),
  ];
  const pings = found.map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  const plain = linksNames
    ? [...text.matchAll(/(?<![\w<])@(here|channel|everyone)\b/g)].map((match) => match[1] ?? "")
    : [];
  return [...pings, ...plain];
}

/** Slack's `rich_text` for a text in its own mark-up, as messages of people carry it. */
export function richText(text: string, blockId: string): RichTextBlock {
  const elements: RichTextBlockElement[] = [];
  for (const [index, part] of text.split(/```\n?([\s\S]*?)\n?```/).entries()) {
    if (part === "") continue;
    if (index % 2 === 1)
      elements.push({ type: "rich_text_preformatted", elements: [{ type: "text", text: unescaped(part) }] });
    else elements.push(...lines(part));
  }
  return { type: "rich_text", block_id: blockId, elements };
}

function lines(text: string): RichTextBlockElement[] {
  const out: RichTextBlockElement[] = [];
  let plain: string[] = [];
  const flush = () => {
    if (plain.length > 0) out.push(section(plain.join("\n")));
    plain = [];
  };
  for (const line of text.split("\n")) {
    if (!line.startsWith("&gt; ")) {
      plain.push(line);
      continue;
    }
    flush();
    out.push({ type: "rich_text_quote", elements: inline(line.slice("&gt; ".length), {}) });
  }
  flush();
  return out;
}

function section(text: string): RichTextSection {
  return { type: "rich_text_section", elements: inline(text, {}) };
}

type Style = NonNullable<RichTextStyleable["style"]>;

const spans =
  /<([^<>\n]+)>|`([^`\n]+)`|(?<![\w*])\*([^*\n]+)\*(?![\w*])|(?<![\w_])_([^_\n]+)_(?![\w_])|(?<![\w~])~([^~\n]+)~(?![\w~])|:([a-z0-9_+-]+):/g;

function inline(text: string, style: Style): RichTextElement[] {
  const styled = Object.keys(style).length > 0 ? { style } : {};
  const out: RichTextElement[] = [];
  const plain = (part: string) => {
    if (part !== "") out.push({ type: "text", text: unescaped(part), ...styled });
  };
  let at = 0;
  for (const match of text.matchAll(spans)) {
    plain(text.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, angle, code, bold, italic, strike, emoji] = match;
    if (angle !== undefined) out.push({ ...angled(angle, whole), ...styled });
    else if (code !== undefined) out.push({ type: "text", text: unescaped(code), style: { ...style, code: true } });
    else if (bold !== undefined) out.push(...inline(bold, { ...style, bold: true }));
    else if (italic !== undefined) out.push(...inline(italic, { ...style, italic: true }));
    else if (strike !== undefined) out.push(...inline(strike, { ...style, strike: true }));
    else out.push({ type: "emoji", name: emoji ?? "", ...styled });
  }
  plain(text.slice(at));
  return out;
}

function angled(inner: string, whole: string): RichTextElement {
  const [target = "", label] = inner.split("|", 2);
  if (target.startsWith("@")) return { type: "user", user_id: target.slice(1) };
  if (target.startsWith("#")) return { type: "channel", channel_id: target.slice(1) };
  const range = /^!(here|channel|everyone)$/.exec(target)?.[1];
  if (range === "here" || range === "channel" || range === "everyone") return { type: "broadcast", range };
  if (/^(?:https?:\/\/|mailto:)/.test(target)) {
    return { type: "link", url: unescaped(target), ...(label === undefined ? {} : { text: unescaped(label) }) };
  }
  return { type: "text", text: whole };
}
