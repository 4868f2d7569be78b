import type { MessageEntity } from "@grammyjs/types";
import { badRequest } from "./failure.ts";
import { type FormattedText, trimFormatted } from "./html.ts";

interface Open {
  readonly mark: string;
  readonly offset: number;
  /** Where it stands in the source, for the refusal. */
  readonly at: number;
}

const marks = ["||", "__", "*", "_", "~"] as const;
const types: Readonly<Record<string, "bold" | "italic" | "underline" | "strikethrough" | "spoiler">> = {
  "*": "bold",
  _: "italic",
  __: "underline",
  "~": "strikethrough",
  "||": "spoiler",
};

/** Telegram's MarkdownV2: a few marks, everything else that looks like one must be escaped; UTF-16 offsets. */
export function parseMarkdownV2(source: string): FormattedText {
  const open: Open[] = [];
  const entities: MessageEntity[] = [];
  let [text, at] = ["", 0];
  let quote: number | undefined;
  const endQuote = () => {
    if (quote !== undefined && text.length > quote) {
      entities.push({ type: "blockquote", offset: quote, length: text.length - quote });
    }
    quote = undefined;
  };
  while (at < source.length) {
    const character = source[at] ?? "";
    const lineStart = at === 0 || source[at - 1] === "\n";
    const mark = marks.find((one) => source.startsWith(one, at));
    if (character === "\\" && at + 1 < source.length) {
      text += source[at + 1];
      at += 2;
    } else if (character === ">" && lineStart) {
      quote ??= text.length;
      at += 1;
    } else if (character === "\n") {
      if (source[at + 1] !== ">") endQuote();
      text += character;
      at += 1;
    } else if (character === "`") {
      const code = readCode(source, at);
      entities.push({ ...code.entity, offset: text.length, length: code.text.length } as MessageEntity);
      text += code.text;
      at = code.end;
    } else if (mark !== undefined) {
      toggle(mark, open, entities, text.length, at);
      at += mark.length;
    } else if (character === "[") {
      open.push({ mark: "[", offset: text.length, at });
      at += 1;
    } else if (character === "]" && open.at(-1)?.mark === "[") {
      at = closeLink(source, at, open, entities, text.length);
    } else if ("[]()~`>#+-=|{}.!".includes(character)) {
      throw cannotParse(`Character '${character}' is reserved and must be escaped with the preceding '\\'`);
    } else {
      text += character;
      at += 1;
    }
  }
  endQuote();
  const unclosed = open.at(-1);
  if (unclosed)
    throw cannotParse(`Can't find end of the entity starting at byte offset ${offset(source, unclosed.at)}`);
  entities.sort((a, b) => a.offset - b.offset || b.length - a.length);
  return trimFormatted({ text, entities });
}

function toggle(mark: string, open: Open[], entities: MessageEntity[], end: number, at: number): void {
  if (open.at(-1)?.mark !== mark) {
    open.push({ mark, offset: end, at });
    return;
  }
  const start = open.pop()?.offset ?? end;
  if (end > start) entities.push({ type: types[mark] ?? "bold", offset: start, length: end - start });
}

function closeLink(source: string, at: number, open: Open[], entities: MessageEntity[], end: number): number {
  const start = open.pop()?.offset ?? end;
  const target = /^\]\(((?:\\.|[^\\)])*)\)/.exec(source.slice(at));
  if (!target) throw cannotParse(`Can't find end of a URL at byte offset ${offset(source, at)}`);
  const url = (target[1] ?? "").replace(/\\(.)/g, "$1");
  if (end > start && /^(https?|tg|mailto):/i.test(url)) {
    entities.push({ type: "text_link", offset: start, length: end - start, url });
  }
  return at + target[0].length;
}

/** In code only the backtick and the backslash are escaped. */
function readCode(source: string, at: number) {
  const block = /^```(?:([^\s`\\]+)\n|\n?)((?:\\[\s\S]|[^\\`]|`(?!``))*)```/.exec(source.slice(at));
  const inline = /^`((?:\\[\s\S]|[^\\`])+)`/.exec(source.slice(at));
  const found = block ?? inline;
  if (!found) throw cannotParse(`Can't find end of the entity starting at byte offset ${offset(source, at)}`);
  const language = block?.[1];
  const text = (block ? (block[2] ?? "") : (inline?.[1] ?? "")).replace(/\\([\s\S])/g, "$1").replace(/\n$/, "");
  const entity = block ? { type: "pre" as const, ...(language ? { language } : {}) } : { type: "code" as const };
  return { text, end: at + found[0].length, entity };
}

function cannotParse(what: string) {
  return badRequest(`can't parse entities: ${what}`);
}

function offset(source: string, at: number): number {
  return Buffer.byteLength(source.slice(0, at));
}
