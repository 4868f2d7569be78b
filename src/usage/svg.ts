import { cleanText, clip, oneLine } from "../chat/index.ts";

export const colors = {
  paper: "#ffffff",
  ink: "#1c2230",
  quiet: "#667085",
  line: "#e3e6ec",
  wash: "#f1f3f7",
  plan: "#3b6fe0",
  key: "#f08c2e",
} as const;

export function element(name: string, attributes: Readonly<Record<string, string | number>>, ...children: string[]) {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(rounded(value))}"`);
  return children.length === 0
    ? `<${name}${written.join("")}/>`
    : `<${name}${written.join("")}>${children.join("")}</${name}>`;
}

/** Moved down. */
export function group(y: number, svg: string): string {
  return element("g", { transform: `translate(0 ${rounded(y)})` }, svg);
}

interface TextStyle {
  readonly x: number;
  /** The line the letters stand on. */
  readonly y: number;
  readonly size: number;
  readonly bold?: boolean;
  readonly fill?: string;
  readonly anchor?: "middle" | "end";
}

export function text(value: string, { x, y, size, bold, fill = colors.ink, anchor }: TextStyle): string {
  const style = {
    x,
    y,
    fill,
    "font-family": "DejaVu Sans",
    "font-size": size,
    ...(bold ? { "font-weight": 700 } : {}),
    ...(anchor === undefined ? {} : { "text-anchor": anchor }),
  };
  return element("text", style, escapeXml(drawable(value)));
}

/** The start of a name that is too wide, as letters of this font go; pictures in it are left out, since the font has none. */
export function clippedTo(value: string, room: number, size: number): string {
  return clip(drawable(value), Math.floor(room / (size * 0.58)), (part) => columns(part));
}

/** Letters of East Asia are about twice as wide. */
function columns(part: string): number {
  const wide = part.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}MW@%]/gu)?.length ?? 0;
  return part.length + wide * 0.6;
}

function drawable(value: string): string {
  return oneLine(cleanText(value).replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200D|\uFE0F/gu, ""));
}

function rounded(value: string | number): string {
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : value;
}

function escapeXml(value: string): string {
  return value.replace(/[&<>"']/gu, (sign) => `&#${sign.codePointAt(0)};`);
}
