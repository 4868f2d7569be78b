import { cleanText, type Form, oneLine, type Post, type Select } from "../../src/chat/index.ts";
import type { NumberedButton } from "./cards.ts";
import { type Page, renderMarkdown } from "./render.ts";
import { words } from "./words.ts";
import { wrap } from "./wrap.ts";

/** Outside text as one line without anything that could act on the terminal. */
export function plainLine(text: string): string {
  return oneLine(cleanText(text));
}

/** A post as lines: who speaks, the text, the footer, what can be chosen and pressed with its numbers. */
export function renderPost(post: Post, keys: readonly NumberedButton[], page: Page): string[] {
  const name = post.persona === undefined ? [] : [page.paint("name", page.paint("bold", plainLine(post.persona.name)))];
  return [
    ...name,
    ...renderMarkdown(post.text, page),
    ...footerLines(post, page),
    ...linkLines(post),
    ...keyLines(post, keys, page),
  ];
}

/** What a changed post has that it had not before. */
export function changedLines(before: Post, after: Post, keys: readonly NumberedButton[], page: Page): string[] {
  const old = new Set(renderMarkdown(before.text, page));
  const lines = renderMarkdown(after.text, page).filter((line) => line !== "" && !old.has(line));
  const footer = after.footer === before.footer ? [] : footerLines(after, page);
  const shown = (post: Post) => JSON.stringify([post.selects ?? [], post.buttons ?? []]);
  const links = JSON.stringify(before.links) === JSON.stringify(after.links) ? [] : linkLines(after);
  return [...lines, ...footer, ...links, ...(shown(before) === shown(after) ? [] : keyLines(after, keys, page))];
}

/** A form as lines; the next line that is typed goes into it. */
export function formLines({ title, label, value }: Form, { paint, width }: Page): string[] {
  const present = cleanText(value ?? "").trim();
  const oneLine = !present.includes("\n");
  const now = present !== "" && oneLine ? ` (${words.formNow(present)})` : "";
  return [
    "",
    paint("bold", plainLine(title)),
    ...wrap([{ text: `${plainLine(label)}${now}`, styles: [] }], width, paint),
    ...(oneLine ? [] : present.split("\n").map((line) => `  ${paint("dim", line)}`)),
    paint("dim", words.formHint),
  ];
}

function footerLines(post: Post, page: Page): string[] {
  return post.footer === undefined ? [] : [page.paint("dim", plainLine(post.footer))];
}

/** Never wrapped: an address that is cut cannot be opened or copied. */
function linkLines({ links = [] }: Post): string[] {
  return links.map(({ label, url }) => `${plainLine(label)}: ${plainLine(url)}`);
}

function keyLines({ selects = [], buttons = [] }: Post, keys: readonly NumberedButton[], page: Page): string[] {
  const numbers = new Map(keys.map(({ token, number }) => [token, number]));
  const numbered = (token: string, label: string) => `[${numbers.get(token)}]\u00A0${plainLine(label)}`;
  const lists = selects.flatMap((select) => listLines(select, numbered, page));
  const pressed = buttons.flat().map(({ token, label }) => numbered(token, label));
  if (pressed.length === 0) return lists;
  const spans = pressed.flatMap((text, index) => [
    // A label stays on one line.
    { text: index === 0 ? "" : "   ", styles: [] },
    { text: text.replaceAll(" ", "\u00A0"), styles: ["bold"] as const },
  ]);
  return [...lists, ...wrap(spans, page.width, page.paint).map((line) => line.replaceAll("\u00A0", " "))];
}

function listLines(
  { label, options }: Select,
  numbered: (token: string, label: string) => string,
  { paint }: Page,
): string[] {
  const lines = options.map(({ token, label: name, description, current }) => {
    const more = description === undefined ? "" : `  ${paint("dim", plainLine(description))}`;
    const mark = current ? ` ${paint("name", "✓")}` : "";
    return `${paint("bold", numbered(token, name).replaceAll("\u00A0", " "))}${mark}${more}`;
  });
  return [`${plainLine(label)}:`, ...lines];
}
