import type { Button as ButtonElement, KnownBlock, PlainTextElement, PlainTextOption } from "@slack/types";
import {
  type Button,
  type Link,
  linksAsTextLength,
  oneLine,
  type Post,
  parseMarkdown,
  type Select,
  splitMarkdown,
  toParts,
  toPlainText,
  withLinksAsText,
} from "../../src/chat/index.ts";
import {
  blocksPerMessage,
  buttonLabelLimit,
  buttonUrlLimit,
  elementsPerBlock,
  fallbackLimit,
  footerLimit,
  markdownLimit,
  messageLimit,
  optionLabelLimit,
  placeholderLimit,
} from "./limits.ts";
import {
  clipped,
  escapedLength,
  escapeText,
  measureMarkdown,
  nameLine,
  nameOnly,
  plainPieces,
  renderMarkdown,
} from "./render.ts";
import { words } from "./words.ts";

/** One message: its blocks, and what notifications say. */
export interface Rendered {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** What a press on one of our elements means, by the start of its `action_id`. */
export const actionIds = { press: "press", form: "form", choose: "choose", open: "open" } as const;

/** `named`: the name of who speaks stands in the text, since the platform may not show it. */
export function renderPost(whole: Post, named: boolean): Rendered {
  const post = withLinksAsText(whole, isButtonUrl);
  const document = parseMarkdown(post.text);
  const markdown = [
    named && post.persona && !post.persona.unwritten ? nameLine(post.persona.name) : "",
    renderMarkdown(document),
  ];
  const text = markdown.filter((part) => part !== "").join("\n\n");
  return {
    text: fallback(toPlainText(document), post),
    blocks: [...(text.trim() === "" ? [] : [{ type: "markdown", text } as const]), ...extras(post)],
  };
}

/** The same words without mark-up, for when Slack cannot read ours. */
export function renderPlain(whole: Post, named: boolean): Rendered {
  const post = withLinksAsText(whole, isButtonUrl);
  const pieces = [...(named ? nameOnly(post) : []), ...plainPieces(post.text)];
  return {
    text: fallback(pieces.join("\n"), post),
    blocks: [...pieces.map((text) => ({ type: "section", text: plain(text) }) as const), ...extras(post)],
  };
}

function fallback(text: string, { footer }: Post): string {
  const words = text.trim() === "" ? (footer ?? "…") : text;
  return escapeText(clipped(words, fallbackLimit));
}

/** Links, lists, buttons and the dim line: what stands beneath the words. */
export function extras({ footer, links, selects, buttons }: Post): KnownBlock[] {
  const opened = inBlocks((links ?? []).filter(isButtonUrl).map(linkElement));
  const lists = (selects ?? []).filter(({ options }) => options.length > 0).map(selectBlock);
  const rows = (buttons ?? []).flatMap((row, index) => buttonBlocks(row, index));
  const foot: KnownBlock[] =
    footer === undefined || oneLine(footer) === ""
      ? []
      : [{ type: "context", elements: [plain(clipped(oneLine(footer), footerLimit))] }];
  return [...opened, ...lists, ...rows].slice(0, blocksPerMessage - 10).concat(foot);
}

function buttonBlocks(row: readonly Button[], rowIndex: number): KnownBlock[] {
  return inBlocks(row.map((button, index) => buttonElement(button, `${rowIndex}.${index}`)));
}

function inBlocks(elements: readonly ButtonElement[]): KnownBlock[] {
  const blocks: KnownBlock[] = [];
  for (let at = 0; at < elements.length; at += elementsPerBlock) {
    blocks.push({ type: "actions", elements: elements.slice(at, at + elementsPerBlock) });
  }
  return blocks;
}

function isButtonUrl({ url }: Link): boolean {
  return url.length <= buttonUrlLimit;
}

/** Slack tells us of a press on it all the same; without a value it means nothing. */
function linkElement({ label, url }: Link, index: number): ButtonElement {
  return {
    type: "button",
    text: plain(clipped(label, buttonLabelLimit)),
    url,
    action_id: `${actionIds.open}:${index}`,
  };
}

function buttonElement({ label, token, style, opensForm }: Button, place: string): ButtonElement {
  return {
    type: "button",
    text: plain(clipped(label, buttonLabelLimit)),
    value: token,
    action_id: `${opensForm ? actionIds.form : actionIds.press}:${place}`,
    ...(style === undefined ? {} : { style }),
  };
}

function selectBlock({ label, options }: Select, index: number): KnownBlock {
  const entries = options.slice(0, 100).map(
    (option): PlainTextOption => ({
      text: plain(clipped(option.label, optionLabelLimit)),
      value: option.token,
      ...(option.description ? { description: plain(clipped(option.description, optionLabelLimit)) } : {}),
    }),
  );
  const current = entries[options.findIndex((option) => option.current === true)];
  return {
    type: "section",
    text: plain(clipped(label, placeholderLimit) || words.choose),
    accessory: {
      type: "static_select",
      placeholder: plain(words.choose),
      action_id: `${actionIds.choose}:${index}`,
      options: entries,
      ...(current ? { initial_option: current } : {}),
    },
  };
}

/** Without `emoji: false` Slack would make pictures of `:words:` between colons. */
export function plain(text: string): PlainTextElement {
  return { type: "plain_text", text, emoji: false };
}

/** The persona and the reply go to the first part, footer, links, lists and buttons to the last; one sound for all. */
export function splitPost(post: Post): readonly Post[] {
  const { text } = post;
  const limit =
    Math.min(markdownLimit, messageLimit - extrasLength(post)) -
    personaLength(post) -
    linksAsTextLength(post, isButtonUrl);
  const parts = surelyFits(text, limit) ? [text] : splitMarkdown(text, { limit, measure: measureMarkdown });
  return toParts(post, parts, "each");
}

function personaLength({ persona }: Post): number {
  return persona && !persona.unwritten ? escapedLength(nameLine(persona.name)) + 2 : 0;
}

function extrasLength(post: Post): number {
  const labels = [
    ...(post.links ?? []).filter(isButtonUrl).flatMap(({ label, url }) => [label, url]),
    ...(post.buttons ?? []).flat().map(({ label }) => clipped(label, buttonLabelLimit)),
    ...(post.selects ?? []).flatMap(({ label, options }) => [
      label,
      words.choose,
      ...options.flatMap((option) => [option.label, option.description ?? ""]),
    ]),
    clipped(post.footer ?? "", footerLimit),
  ];
  return labels.reduce((total, label) => total + escapedLength(label), 0);
}

/** Without parsing: escapes and Markdown's own at most double a text and add some characters a line. */
function surelyFits(text: string, limit: number): boolean {
  return 5 * text.length + 8 * text.split("\n").length <= limit;
}
