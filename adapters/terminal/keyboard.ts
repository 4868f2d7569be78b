import { createInterface, type Interface } from "node:readline/promises";
import { type Readable, Transform } from "node:stream";
import type { Output } from "./screen.ts";

export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(mode: boolean): unknown };

export interface Keyboard {
  readonly editor: Interface;
  close(): void;
}

export interface KeyboardEvents {
  /** One finished line; a pasted text of many lines is one. */
  readonly onLine: (line: string) => void;
  /** Ctrl-C on an empty line. */
  readonly onInterrupt: () => void;
  /** The input ended: end of the pipe, or Ctrl-D. */
  readonly onEnd: () => void;
}

/** How a line end inside a paste looks while it is edited. */
const pastedLineEnd = "⏎";

/** Reads lines, with editing and history on a terminal. */
export function openKeyboard(input: Input, output: Output, { onLine, onInterrupt, onEnd }: KeyboardEvents): Keyboard {
  const tty = input.isTTY === true && output.isTTY === true;
  const source = tty ? pasteAware(input) : input;
  const editor = tty
    ? createInterface({ input: source, output, terminal: true, prompt: "› ", historySize: 200 })
    : createInterface({ input: source, terminal: false });
  let closing = false;
  if (tty) output.write("\u001b[?2004h");
  editor.on("line", (line) => onLine(tty ? line.replaceAll(pastedLineEnd, "\n") : line));
  editor.on("SIGINT", () => {
    // As in a shell: what is being typed goes first.
    if (editor.line === "") return onInterrupt();
    editor.write(null, { ctrl: true, name: "e" });
    editor.write(null, { ctrl: true, name: "u" });
  });
  editor.on("close", () => {
    if (!closing) onEnd();
  });
  return {
    editor,
    close() {
      closing = true;
      editor.close();
      if (source !== input) input.unpipe(source as Transform);
      input.pause();
      if (tty) output.write("\u001b[?2004l\r\u001b[0J");
    },
  };
}

/** Passes keys on, and a bracketed paste as if typed on one line. */
function pasteAware(input: Input): Input {
  const start = "\u001b[200~";
  const end = "\u001b[201~";
  let pasting = false;
  let held = "";
  const filter = new Transform({
    decodeStrings: false,
    transform(chunk: Buffer | string, _encoding, done) {
      let text = held + chunk.toString();
      held = "";
      let out = "";
      for (;;) {
        const marker = pasting ? end : start;
        const at = text.indexOf(marker);
        const piece = at < 0 ? text : text.slice(0, at);
        if (at < 0) held = partOfMarker(piece, marker, pasting);
        const whole = piece.slice(0, piece.length - held.length);
        out += pasting ? whole.replace(/\r\n?|\n/gu, pastedLineEnd).replaceAll("\t", "  ") : whole;
        if (at < 0) break;
        pasting = !pasting;
        text = text.slice(at + marker.length);
      }
      done(null, out);
    },
  });
  input.setEncoding("utf8");
  input.pipe(filter);
  return Object.assign(filter, { isTTY: true, setRawMode: (mode: boolean) => input.setRawMode?.(mode) });
}

/** The end of a chunk that may be the beginning of a marker. A lone escape is a key unless a paste is running. */
function partOfMarker(text: string, marker: string, pasting: boolean): string {
  for (let length = Math.min(marker.length - 1, text.length); length > (pasting ? 0 : 2); length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return marker.slice(0, length);
  }
  return "";
}
