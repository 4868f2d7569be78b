import type { AnyBlock, KnownBlock, RichTextBlock } from "@slack/types";
import type { SeenButton, SeenInput, SeenSelect } from "./api.ts";
import { pingsIn, readableText, unescaped } from "./text.ts";
import type { MessageRecord, World } from "./world.ts";

/** A block as it came over the wire: read with care, whatever its type says. */
export type Loose = Readonly<Record<string, unknown>>;

export const list = (value: unknown): readonly Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);

/** All that a person reads of a message. */
export function shownText(world: World, { blocks, text, attachments }: MessageRecord): string {
  const said = blocks.length > 0 ? readBlocks(world, blocks) : readableText(world, text);
  const below = attachments.map(({ blocks: inside, text: plain, title, fallback }) =>
    inside
      ? readBlocks(world, inside)
      : readableText(world, [title, plain ?? fallback].filter((part) => part).join("\n")),
  );
  return [said, ...below].filter((part) => part !== "").join("\n");
}

/** All that a person reads in blocks, one under another. Markdown stays as it was sent. */
export function readBlocks(world: World, blocks: readonly AnyBlock[]): string {
  return blocks
    .map((block) => readBlock(world, block as KnownBlock))
    .filter((text) => text !== "")
    .join("\n");
}

function readBlock(world: World, block: KnownBlock): string {
  const text = (value: unknown) => readText(world, value);
  switch (block.type) {
    case "section":
      return [text(block.text), ...(block.fields ?? []).map(text)].filter((part) => part !== "").join("\n");
    case "header":
    case "alert":
      return text(block.text);
    case "context":
      return block.elements.map((element) => (element.type === "image" ? element.alt_text : text(element))).join(" ");
    case "markdown":
      return readableText(world, block.text);
    case "rich_text":
      return readRichText(world, block);
    case "table":
    case "data_table":
      return [
        ...("caption" in block ? [block.caption] : []),
        ...block.rows.map((row) => row.map((cell) => readCell(world, cell as unknown as Loose)).join(" | ")),
      ].join("\n");
    case "input":
      return text(block.label);
    case "image":
    case "video":
      return block.alt_text;
    case "task_card":
      return [block.title, ...[block.details, block.output].map((part) => (part ? readRichText(world, part) : ""))]
        .filter((part) => part !== "")
        .join("\n");
    case "plan":
      return [block.title, readBlocks(world, (block.tasks ?? []) as AnyBlock[])]
        .filter((part) => part !== "")
        .join("\n");
    case "card":
      return [block.title, block.subtitle, block.body]
        .map(text)
        .filter((part) => part !== "")
        .join("\n");
    case "container":
      return [text(block.title), text(block.subtitle), readBlocks(world, block.child_blocks)]
        .filter((part) => part !== "")
        .join("\n");
    case "carousel":
      return readBlocks(world, block.elements);
    default:
      return "";
  }
}

function readText(world: World, value: unknown): string {
  const { type, text } = (value ?? {}) as { type?: string; text?: string };
  if (typeof text !== "string") return "";
  return type === "mrkdwn" ? readableText(world, text) : unescaped(text);
}

function readCell(world: World, cell: Loose): string {
  return cell.type === "rich_text" ? readRichText(world, cell as unknown as RichTextBlock) : String(cell.text ?? "");
}

function readRichText(world: World, block: RichTextBlock): string {
  return block.elements
    .map((part) => readRichPart(world, part as unknown as Loose))
    .join("\n")
    .replace(/\n+$/u, "");
}

function readRichPart(world: World, part: Loose): string {
  const elements = list(part.elements);
  if (part.type === "rich_text_list") return elements.map((item) => `• ${readRichPart(world, item)}`).join("\n");
  return elements.map((element) => readRichElement(world, element)).join("");
}

function readRichElement(world: World, element: Loose): string {
  switch (element.type) {
    case "user":
      return readableText(world, `<@${element.user_id}>`);
    case "channel":
      return readableText(world, `<#${element.channel_id}>`);
    case "broadcast":
      return `@${element.range}`;
    case "emoji":
      return `:${element.name}:`;
    case "link":
      return String(element.text ?? element.url);
    case "date":
      return String(element.fallback ?? element.timestamp);
    default:
      return String(element.text ?? "");
  }
}

/** Whom blocks notify. Code in Markdown notifies nobody; escaped mark-up neither. */
export function pingsInBlocks(blocks: unknown): string[] {
  if (Array.isArray(blocks)) return blocks.flatMap(pingsInBlocks);
  if (typeof blocks !== "object" || blocks === null) return [];
  const { type, text, ...rest } = blocks as Loose;
  if (type === "user") return [String(rest.user_id)];
  if (type === "broadcast") return [String(rest.range)];
  if (type === "markdown") return pingsIn(String(text).replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ""));
  if (type === "mrkdwn") return pingsIn(String(text));
  return [...(typeof text === "object" ? pingsInBlocks(text) : []), ...Object.values(rest).flatMap(pingsInBlocks)];
}

interface Found {
  readonly block: Loose;
  readonly element: Loose;
}

/** Every element a person can act on, with the block it stands in. */
export function elementsOf(blocks: readonly AnyBlock[]): Found[] {
  return blocks.flatMap((one): Found[] => {
    const block = one as unknown as Loose;
    const inside = [...list(block.elements), ...list(block.actions), block.accessory, block.element].filter(
      (element): element is Loose => typeof element === "object" && element !== null,
    );
    const nested = [...list(block.child_blocks), ...(block.type === "carousel" ? list(block.elements) : [])];
    return [...inside.map((element) => ({ block, element })), ...elementsOf(nested as unknown as AnyBlock[])];
  });
}

export function buttonsOf(blocks: readonly AnyBlock[]): SeenButton[] {
  return elementsOf(blocks)
    .filter(({ element }) => element.type === "button")
    .map(({ block, element }) => ({
      label: labelOf(element.text),
      actionId: String(element.action_id ?? ""),
      blockId: String(block.block_id ?? ""),
      value: element.value as string | undefined,
      style: element.style as string | undefined,
      url: element.url as string | undefined,
    }));
}

export function selectsOf(blocks: readonly AnyBlock[]): SeenSelect[] {
  return elementsOf(blocks)
    .filter(({ element }) => ["static_select", "overflow", "radio_buttons"].includes(String(element.type)))
    .map(({ block, element }) => ({
      label: labelOf(element.placeholder) || labelOf(block.text) || labelOf(block.label),
      actionId: String(element.action_id ?? ""),
      blockId: String(block.block_id ?? ""),
      options: optionsOf(element).map((option) => ({
        label: labelOf(option.text),
        value: String(option.value),
        description: option.description === undefined ? undefined : labelOf(option.description),
      })),
      initial: element.initial_option === undefined ? undefined : labelOf((element.initial_option as Loose).text),
    }));
}

export function optionsOf(element: Loose): readonly Loose[] {
  return [...list(element.options), ...list(element.option_groups).flatMap((group) => list(group.options))];
}

export function inputsOf(blocks: readonly AnyBlock[]): SeenInput[] {
  return elementsOf(blocks)
    .filter(({ block }) => block.type === "input")
    .map(({ block, element }) => ({
      label: labelOf(block.label),
      blockId: String(block.block_id ?? ""),
      actionId: String(element.action_id ?? ""),
      initial: element.initial_value as string | undefined,
      multiline: element.multiline === true,
      optional: block.optional === true,
    }));
}

export function labelOf(value: unknown): string {
  const text = (value as Loose | undefined)?.text;
  return typeof text === "string" ? unescaped(text) : "";
}
