import type { Interface } from "node:readline/promises";
import type { Writable } from "node:stream";
import { columnsOf } from "../../src/chat/index.ts";

/** What a terminal has beyond a stream; a pipe has none of it. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };

/**
 * The one writer of the output. On a terminal the bottom of the screen is ours: a preview that is redrawn in place, and
 * beneath it the line being typed. What is printed goes above both and stays. On a pipe text is only appended.
 */
export interface Screen {
  readonly width: () => number;
  print(lines: readonly string[]): void;
  /** Shows a preview above the line being typed, or takes it away. */
  preview(lines: readonly string[]): void;
  /** The line editor to draw beneath everything, or none. */
  attach(editor: Interface | undefined): void;
}

export function createScreen(output: Output): Screen {
  const tty = output.isTTY === true;
  let editor: Interface | undefined;
  let previewed: readonly string[] = [];

  const width = () => Math.max(20, Math.min(output.columns ?? 80, 100));
  const rowsOf = (line: string) => Math.max(1, Math.ceil(columnsOf(withoutStyles(line)) / (output.columns ?? 80)));

  function wipe(): string {
    const rows = previewed.reduce((total, line) => total + rowsOf(line), 0) + (editor?.getCursorPos().rows ?? 0);
    return `\r${rows > 0 ? `\u001b[${rows}A` : ""}\u001b[0J`;
  }

  function draw(above: readonly string[], preview: readonly string[]): void {
    // One write, so that a terminal never shows the state in between.
    const text = wipe() + [...above, ...preview].map((line) => `${line}\n`).join("");
    previewed = preview;
    output.write(text);
    if (editor === undefined) return;
    // The editor believes to be as many rows below its prompt as it was; it is on its first row again.
    (editor as Interface & { prevRows?: number }).prevRows = 0;
    editor.prompt(true);
  }

  return {
    width,
    print(lines) {
      if (tty) draw(lines, previewed);
      else output.write(lines.map((line) => `${line}\n`).join(""));
    },
    preview(lines) {
      if (!tty) return;
      const room = Math.max(3, (output.rows ?? 24) - 4);
      draw([], fitting(lines, room, rowsOf));
    },
    attach(next) {
      editor = next;
      if (tty && next !== undefined) draw([], previewed);
    },
  };
}

/** The last lines that fit: what scrolled off the screen could not be redrawn. */
function fitting(lines: readonly string[], room: number, rowsOf: (line: string) => number): string[] {
  const kept: string[] = [];
  let rows = 0;
  for (const line of lines.toReversed()) {
    rows += rowsOf(line);
    if (rows > room) break;
    kept.unshift(line);
  }
  return kept;
}

function withoutStyles(line: string): string {
  return line.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "gu"), "");
}
