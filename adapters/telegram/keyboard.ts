import type { ForceReply, InlineKeyboardButton, InlineKeyboardMarkup } from "grammy/types";
import { type Button, clip, isLocalAddress, type Link, type Post, type Select } from "../../src/chat/index.ts";
import { buttonLabelLimit, buttonUrlLimit } from "./limits.ts";
import { words } from "./words.ts";

type Keys = Pick<Post, "buttons" | "selects" | "links">;

/** Opens the reply box of the person who is answered; Telegram has no forms. */
export const asking: { reply_markup: ForceReply } = {
  reply_markup: { force_reply: true, selective: true, input_field_placeholder: words.replyHere },
};

export function hasKeys(post: Keys): boolean {
  return rowsOf(post).length > 0;
}

/** Telegram refuses a whole message for the sake of one address that it does not take. */
export function isKeyUrl({ url }: Link): boolean {
  return url.length <= buttonUrlLimit && !isLocalAddress(url);
}

/** What can be pressed beneath a message: links, what lists offer (a button each), then the buttons. */
export function keyboard(post: Keys): { reply_markup?: InlineKeyboardMarkup } {
  const inline_keyboard = rowsOf(post);
  return inline_keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard } };
}

function rowsOf({ buttons = [], selects = [], links = [] }: Keys): InlineKeyboardButton[][] {
  const options = selects.flatMap((select) => optionRows(select, selects.length > 1));
  const pressed = [...options, ...buttons].map((row) => row.map(toKey));
  return [links.filter(isKeyUrl).map(toLink), ...pressed].filter((row) => row.length > 0);
}

/** Beside each other where they are short. With several lists each button says to which it belongs: Telegram shows no headings. */
function optionRows({ label, options }: Select, named: boolean): Button[][] {
  const keys = options.map((option): Button => {
    const text = named ? `${label}: ${option.label}` : option.label;
    return { label: option.current ? `✓ ${text}` : text, token: option.token };
  });
  const longest = Math.max(0, ...keys.map((key) => key.label.length));
  const columns = longest <= 10 ? 3 : longest <= 18 ? 2 : 1;
  return Array.from({ length: Math.ceil(keys.length / columns) }, (_, row) =>
    keys.slice(row * columns, (row + 1) * columns),
  );
}

function toLink({ label, url }: Link): InlineKeyboardButton {
  return { text: clip(label, buttonLabelLimit), url };
}

function toKey({ label, token, style }: Button): InlineKeyboardButton {
  return { text: clip(label, buttonLabelLimit), callback_data: token, ...(style === undefined ? {} : { style }) };
}
