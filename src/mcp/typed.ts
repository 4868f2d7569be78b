import { isAbsolute } from "node:path";
import { redact } from "../shared/index.ts";
import { type KeyName, type McpConfig, type McpSecrets, mcpConfigSchema, withKey } from "./config.ts";

export type TypedProblem =
  | "empty"
  | "quote_open"
  | "bad_address"
  | "bad_key_name"
  /** A key's value, or what looks like one, in a place that others may read. */
  | "key_in_clear"
  | "folder_relative"
  | "too_long";

export type Typed =
  | { readonly kind: "config"; readonly config: McpConfig; readonly secrets: McpSecrets }
  | { readonly kind: "problem"; readonly problem: TypedProblem };

/**
 * What somebody writes to say how a server is reached: an address, or a command with its arguments, as in a shell but without one.
 * Before it, `NAME=` announces a key that is given later, `NAME=env:OTHER` one from Shipmate's own environment; `cd FOLDER &&` says where
 * a command runs.
 */
export function readTyped(text: string): Typed {
  const words = splitWords(text);
  if (words === null) return problem("quote_open");
  const { keys, rest } = takeKeys(words);
  const [first] = rest;
  if (first === undefined) return problem("empty");
  if (keys.some(({ value }) => value !== "" && !isReference(value))) return problem("key_in_clear");
  const read = /^https?:\/\//iu.test(first) && rest.length === 1 ? readAddress(first) : readCommand(rest);
  return read.kind === "problem" ? read : addKeys(read, keys);
}

export function isReference(value: string): boolean {
  return /^env:[A-Za-z_][A-Za-z0-9_]*$/u.test(value);
}

export function readAddress(text: string): Typed {
  if (!URL.canParse(text)) return problem("bad_address");
  const whole = new URL(text);
  whole.hash = "";
  const shown = new URL(whole);
  shown.username = "";
  shown.password = "";
  shown.search = "";
  const config = { transport: "http" as const, url: shown.href, headers: [], bearer: false };
  const hides = shown.href !== whole.href;
  return checked(config, hides ? { values: {}, url: whole.href } : { values: {} });
}

function readCommand(words: readonly string[]): Typed {
  const inFolder = words[0] === "cd" && words[2] === "&&" ? words[1] : undefined;
  const [command, ...args] = inFolder === undefined ? words : words.slice(3);
  if (command === undefined) return problem("empty");
  return readProgram({ command, args, cwd: inFolder });
}

/** A program as it was said in parts. */
export function readProgram(given: {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string | undefined;
}): Typed {
  const { command, args, cwd } = given;
  if (cwd !== undefined && !isAbsolute(cwd)) return problem("folder_relative");
  if ([command, ...args].some((each) => redact(each) !== each || keyOption.test(each))) return problem("key_in_clear");
  const place = cwd === undefined ? {} : { cwd };
  return checked({ transport: "stdio", command, args: [...args], ...place, env: [] }, { values: {} });
}

/** An option that takes a key. */
const keyOption = /^--?[a-z-]*(?:token|key|secret|password)(?:=|$)/iu;

function checked(config: McpConfig, secrets: McpSecrets): Typed {
  return mcpConfigSchema.safeParse(config).success ? { kind: "config", config, secrets } : problem("too_long");
}

export interface TypedKey {
  readonly name: KeyName;
  /** "" for one that is given later. */
  readonly value: string;
}

/** Gives keys their places; references among them are taken, too. */
export function addKeys(read: Extract<Typed, { kind: "config" }>, keys: readonly TypedKey[]): Typed {
  let { config } = read;
  let secrets = read.secrets;
  for (const { name, value } of keys) {
    const place = placeOf(config, name);
    config = withKey(config, place);
    if (value === "") continue;
    secrets =
      place === null ? { ...secrets, bearer: value } : { ...secrets, values: { ...secrets.values, [place]: value } };
  }
  return mcpConfigSchema.safeParse(config).success ? { kind: "config", config, secrets } : problem("bad_key_name");
}

/** What people call the usual place of a key over HTTP. */
export function placeOf(config: McpConfig, typed: KeyName): KeyName {
  const isUsual = typed === null || /^(?:authorization|bearer|token|key)$/iu.test(typed);
  return config.transport === "http" && isUsual ? null : typed;
}

function takeKeys(words: readonly string[]): { keys: readonly TypedKey[]; rest: readonly string[] } {
  const end = words.findIndex((word) => !/^[A-Za-z_][A-Za-z0-9_-]*=/u.test(word));
  const given = end === -1 ? words : words.slice(0, end);
  const keys = given.map((word) => {
    const at = word.indexOf("=");
    return { name: word.slice(0, at), value: word.slice(at + 1) };
  });
  return { keys, rest: words.slice(given.length) };
}

/** Words as a shell reads them, with both quotes and the backslash; null where a quote is not closed. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  const letters = [...text.replaceAll(/[“”]/gu, '"').replaceAll(/[‘’]/gu, "'")];
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? "";
    if (letter === "\\" && quote !== "'" && at + 1 < letters.length) {
      at += 1;
      word = (word ?? "") + letters[at];
    } else if (letter === quote) quote = undefined;
    else if (quote === undefined && (letter === '"' || letter === "'")) {
      quote = letter;
      word ??= "";
    } else if (quote === undefined && /\s/u.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + letter;
  }
  if (quote !== undefined) return null;
  return word === undefined ? words : [...words, word];
}

function problem(what: TypedProblem): Typed {
  return { kind: "problem", problem: what };
}
