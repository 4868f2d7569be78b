import { cleanText, type Post } from "../../src/chat/index.ts";
import type { NumberedButton } from "./cards.ts";
import { type Page, renderMarkdown } from "./render.ts";
import { wrap } from "./wrap.ts";

/** Outside text as one line without anything that could act on the terminal. */
export function plainLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, " ").trim();
}

/** A post as lines: who speaks, the text, the footer, the buttons with their numbers. */
export function renderPost(post: Post, buttons: readonly NumberedButton[], page: Page): string[] {
  const name = post.persona === undefined ? [] : [page.paint("name", page.paint("bold", plainLine(post.persona.name)))];
  return [...name, ...renderMarkdown(post.text, page), ...footerLines(post, page), ...buttonLines(buttons, page)];
}

/** What a changed post has that it had not before. */
export function changedLines(before: Post, after: Post, buttons: readonly NumberedButton[], page: Page): string[] {
  const old = new Set(renderMarkdown(before.text, page));
  const lines = renderMarkdown(after.text, page).filter((line) => line !== "" && !old.has(line));
  const footer = after.footer === before.footer ? [] : footerLines(after, page);
  const tokens = (post: Post) => (post.buttons ?? []).flat().map((button) => button.token);
  const sameButtons = tokens(before).join() === tokens(after).join();
  return [...lines, ...footer, ...(sameButtons ? [] : buttonLines(buttons, page))];
}

function footerLines(post: Post, page: Page): string[] {
  return post.footer === undefined ? [] : [page.paint("dim", plainLine(post.footer))];
}

function buttonLines(buttons: readonly NumberedButton[], page: Page): string[] {
  if (buttons.length === 0) return [];
  const spans = buttons.flatMap((button, index) => [
    // A label stays on one line.
    { text: index === 0 ? "" : "   ", styles: [] },
    { text: `[${button.number}]\u00A0${plainLine(button.label).replaceAll(" ", "\u00A0")}`, styles: ["bold"] as const },
  ]);
  return wrap(spans, page.width, page.paint).map((line) => line.replaceAll("\u00A0", " "));
}
