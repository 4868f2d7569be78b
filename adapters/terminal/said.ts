import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Author,
  type ButtonEvent,
  cleanText,
  type FormEvent,
  type InboundEvent,
  type InboundFile,
  type InboundPlace,
} from "../../src/chat/index.ts";
import type { Cards } from "./cards.ts";
import { words } from "./words.ts";

export const localId = "local";
export const place: InboundPlace = { channel: "terminal", kind: "dm" };

/** What a line means: something to hand over, a press that opens a form, a sentence only for the person here, or nothing. */
export type Said =
  | { readonly kind: "form"; readonly press: ButtonEvent }
  | { readonly kind: "event"; readonly event: InboundEvent }
  | { readonly kind: "remark"; readonly text: string }
  | { readonly kind: "nothing" };

/** Reads one line as a press, a file, a command or a message. */
export function understand(line: string, author: Author, cards: Cards): Said {
  const text = cleanText(line).trim();
  if (text === "") return { kind: "nothing" };
  const button = /^\d{1,3}$/u.test(text) ? cards.find(Number(text)) : undefined;
  const base = { key: randomUUID(), place, author };
  if (button !== undefined) {
    const { messageId, token } = button;
    const press: ButtonEvent = { ...base, kind: "button", messageId, token, interaction: { id: base.key } };
    return button.opensForm ? { kind: "form", press } : event(press);
  }
  const dropped = fileAt(text);
  if (dropped !== undefined) return event(message(base, "", [dropped]));
  const [, name, argument = ""] = /^\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/iu.exec(text) ?? [];
  if (name === undefined) return event(message(base, text, []));
  if (name.toLowerCase() === "file") return fileCommand(base, argument.trim());
  return event({ ...base, kind: "command", name: name.toLowerCase(), argument, sentAt: new Date() });
}

export function stopCommand(author: Author): InboundEvent {
  return { kind: "command", key: randomUUID(), place, author, name: "stop", argument: "", sentAt: new Date() };
}

const longestValue = 4_000;

/** What a line says as the answer to the form that a press opened; undefined where it is empty. */
export function filledIn(line: string, { place, author, messageId, token }: ButtonEvent): FormEvent | undefined {
  const value = cleanText(line).trim().slice(0, longestValue).toWellFormed();
  const key = randomUUID();
  return value === ""
    ? undefined
    : { kind: "form", key, place, author, messageId, token, value, interaction: { id: key } };
}

type Base = Pick<InboundEvent & { author: Author }, "key" | "place" | "author">;

function fileCommand(base: Base, argument: string): Said {
  if (argument === "") return { kind: "remark", text: words.fileUsage };
  // A path in quotes, or up to the first space that no backslash protects; the rest is the message.
  const [, path = "", text = ""] = /^("[^"]*"|'[^']*'|(?:\\.|[^\s\\])+)\s*([\s\S]*)$/u.exec(argument) ?? [];
  const file = fileAt(path, true) ?? fileAt(argument, true);
  if (file === undefined) return { kind: "remark", text: words.noFile(path) };
  return event(message(base, file.id === pathOf(argument) ? "" : text, [file]));
}

function message(base: Base, text: string, files: readonly InboundFile[]): InboundEvent {
  return { ...base, kind: "message", messageId: base.key, text, sentAt: new Date(), addressed: "direct", files };
}

function event(event: InboundEvent): Said {
  return { kind: "event", event };
}

/** The path as a terminal writes it when a file is dropped: quoted, with backslashes, or a file URL. */
function pathOf(text: string): string {
  const bare = /^(["'])(.*)\1$/u.exec(text)?.[2] ?? text.replace(/\\(.)/gu, "$1");
  if (!bare.startsWith("file://")) return resolve(bare.replace(/^~(?=\/)/u, process.env.HOME ?? "~"));
  try {
    return fileURLToPath(bare);
  } catch {
    return resolve(bare);
  }
}

function fileAt(text: string, relative = false): InboundFile | undefined {
  if (text.includes("\n") || (!relative && !/^["']?(?:\/|~\/|file:\/\/|[A-Z]:\\)/u.test(text))) return undefined;
  const path = pathOf(text);
  const size = sizeOf(path);
  return size === undefined ? undefined : { id: path, name: basename(path), size, kind: kindOf(path) };
}

/** Undefined where there is no such file: the path may be no path at all (far too long, say), or behind a closed door. */
function sizeOf(path: string): number | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

function kindOf(path: string): InboundFile["kind"] {
  return /^\.(?:png|jpe?g|gif|webp)$/iu.test(extname(path)) ? "photo" : "document";
}
