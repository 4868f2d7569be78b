/** Puts text into a style, or leaves it plain where colour is unwanted. */
export type Paint = (style: Style, text: string) => string;
export type Style = "bold" | "dim" | "italic" | "underline" | "strike" | "code" | "name";

const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  code: [36, 39],
  name: [32, 39],
};

export function createPaint(color: boolean): Paint {
  if (!color) return (_style, text) => text;
  return (style, text) => {
    const [on, off] = codes[style];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
