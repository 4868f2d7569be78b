import { z } from "zod";
import { peekToken } from "../attention/index.ts";
import { type Adapter, DownloadError, type InboundEvent, type InboundFile, type MessageEvent } from "../chat/index.ts";
import { allows, type Person } from "../people/index.ts";
import type { InboxDeps } from "./deps.ts";
import { peekReplyForm } from "./reply-forms.store.ts";

/** What a file can be given for: a teammate's instructions, or a skill. */
export type UploadPurpose = "instructions" | "skills";

/** A file that came with a command that takes one, or as a reply to a form that does. */
export interface Upload {
  readonly purpose: UploadPurpose;
  /** What followed the command's name. */
  readonly argument: string;
  /** The payload of the form's button, where it is a reply to one. */
  readonly form: unknown;
  readonly name: string;
  readonly content: Uint8Array | UploadProblem;
}

export type UploadProblem = "too_large" | "unavailable" | "not_here";

/** Larger than anything we would take, and small enough to be had in seconds. */
const mostBytes = 6 * 1024 * 1024;
/** Everybody in the same place waits as long. */
const defaultTimeoutMs = 10_000;

export const uploadForms = { instructions_edit: "instructions", skills_add: "skills" } as const;
const uploadAction = z.enum(["instructions_edit", "skills_add"]);

/**
 * Fetches what is uploaded before the event is taken, for whoever may upload it; undefined where nothing is. The platform
 * offers the event again until it was taken, so that a crash loses nothing; and no transaction waits for a download.
 */
export async function fetchUpload(
  deps: InboxDeps,
  connectionId: string,
  event: InboundEvent,
  timeoutMs = defaultTimeoutMs,
): Promise<Upload | undefined> {
  const [file] = event.kind === "message" && !event.author.isBot ? event.files : [];
  if (event.kind !== "message" || !file || event.forwardedFrom !== undefined) return undefined;
  const adapter = deps.adapters.get(connectionId);
  const command = commandIn(event, adapter?.capabilities.commandPrefix);
  if (!command && !event.quote?.fromUs) return undefined;
  const identity = await deps.people.find(deps.db, connectionId, event.author.id);
  const person = identity?.person;
  if (!person || !allows(person.role, "manager")) return undefined;
  const asked = command ?? (await formOf(deps, connectionId, event, person));
  return asked && { ...asked, name: file.name, content: await download(adapter, file, timeoutMs) };
}

type Asked = Pick<Upload, "purpose" | "argument" | "form">;

/** `/instructions Milo` beneath a file. Where commands share one name, no platform lets a file come with them: there the bare word does. */
function commandIn({ text }: MessageEvent, prefix = "/"): Asked | undefined {
  const pattern = prefix === "/" ? /^\s*\/(instructions|skills)(?:@\w+)?(?:\s+(.*))?\s*$/iu : bareCommand;
  const [, name, argument = ""] = pattern.exec(text) ?? [];
  if (name === undefined) return undefined;
  const purpose = name.toLowerCase() === "skills" ? "skills" : "instructions";
  return { purpose, argument: argument.trim(), form: undefined };
}

const bareCommand = /^\s*(?:\/?shipmate\s+)?\/?(instructions|skills)(?:\s+(\S+))?\s*$/iu;

async function formOf(
  { db, clock }: InboxDeps,
  connectionId: string,
  { place, quote }: MessageEvent,
  person: Person,
): Promise<Asked | undefined> {
  if (!quote) return undefined;
  const hash = await peekReplyForm(db, { connectionId, channel: place.channel, messageId: quote.messageId });
  const peeked = hash === undefined ? undefined : await peekToken(db, hash, { person, now: clock.now() });
  if (peeked?.kind !== "done") return undefined;
  const action = uploadAction.safeParse(peeked.action);
  return action.success ? { purpose: uploadForms[action.data], argument: "", form: peeked.payload } : undefined;
}

async function download(
  adapter: Adapter | undefined,
  file: InboundFile,
  timeoutMs: number,
): Promise<Uint8Array | UploadProblem> {
  if (adapter?.download === undefined) return "not_here";
  if ((file.size ?? 0) > mostBytes) return "too_large";
  const timeout = AbortSignal.timeout(timeoutMs);
  const late = Promise.withResolvers<"unavailable">();
  timeout.addEventListener("abort", () => late.resolve("unavailable"), { once: true });
  // A platform that ignores the signal is not waited for.
  return Promise.race([read(adapter.download(file, timeout)), late.promise]);
}

async function read(opening: Promise<AsyncIterable<Uint8Array>>): Promise<Uint8Array | UploadProblem> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of await opening) {
      size += piece.byteLength;
      if (size > mostBytes) return "too_large";
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    return error instanceof DownloadError && error.kind === "too_large" ? "too_large" : "unavailable";
  }
}

/** The text of a file; undefined where it is none. */
export function textOf(content: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf8", { fatal: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
