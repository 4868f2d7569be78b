import { columnsOf } from "../../src/chat/index.ts";
import type { Paint, Style } from "./style.ts";

/** Text in one style; a newline in it starts a new line. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}

/**
 * Breaks spans into lines of at most `width` columns, at spaces and tabs (not at no-break spaces); a word that is
 * longer than a line is left to the terminal.
 */
export function wrap(spans: readonly Span[], width: number, paint: Paint): string[] {
  const lines: string[] = [];
  let line = empty;
  // The spaces before the next word, in their own style; dropped where the line breaks.
  let gap = empty;
  // A word may go on over several spans, such as a bold one in brackets.
  let word = empty;
  const endWord = () => {
    if (word === empty) return;
    if (line.columns + gap.columns + word.columns > width && line.columns > 0) {
      lines.push(line.text);
      line = word;
    } else {
      line = joined(joined(line, gap), word);
    }
    gap = empty;
    word = empty;
  };
  const endLine = () => {
    endWord();
    lines.push(line.text);
    line = empty;
    gap = empty;
  };
  for (const { text, styles } of spans) {
    const styled = (value: string) => styles.reduce((inner, style) => paint(style, inner), value);
    for (const piece of text.match(/\n|[ \t]+|[^ \t\n]+/gu) ?? []) {
      if (piece === "\n") {
        endLine();
      } else if (/^[ \t]/u.test(piece)) {
        endWord();
        gap = line.columns === 0 ? empty : { text: styled(piece), columns: piece.length };
      } else {
        word = joined(word, { text: styled(piece), columns: columnsOf(piece) });
      }
    }
  }
  endWord();
  if (line.text !== "" || lines.length === 0) lines.push(line.text);
  return lines;
}

interface Piece {
  readonly text: string;
  readonly columns: number;
}

const empty: Piece = { text: "", columns: 0 };

function joined(first: Piece, second: Piece): Piece {
  return { text: first.text + second.text, columns: first.columns + second.columns };
}
