import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { issueTokens } from "../../attention/index.ts";
import type { Post } from "../../chat/index.ts";
import { allows } from "../../people/index.ts";
import { newId } from "../../shared/index.ts";
import { instructionsOf, type Teammate } from "../../teammates/index.ts";
import { destination, type PersonScene, plain } from "../scene.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;
/** What a phone shows without much scrolling. */
const longestShown = 1_500;
/** What the narrowest form takes. */
export const longestForm = 3_000;

export type InstructionsPost = Pick<Post, "text" | "buttons">;

/** What a teammate is told, with Edit for those who may; a long text goes along as a file. */
export async function instructionsCard(scene: PersonScene, teammate: Teammate): Promise<InstructionsPost> {
  const words = scene.words.instructions;
  const { text } = await instructionsOf(scene.unit.db, teammate.id);
  const isLong = text.length > longestShown;
  if (isLong) await attach(scene, words.fileName(teammate.handle), `${text}\n`);
  const shown = text === "" ? words.none : isLong ? words.inFile : fenced(text, "md");
  const lines = [words.title(plain(teammate.name)), shown, words.around];
  if (!allows(scene.person.role, "manager")) return { text: lines.join("\n\n") };
  const typed = withFile(scene, "instructions", teammate.handle);
  if (text.length > longestForm) return { text: [...lines, words.tooLongToEdit(typed)].join("\n\n") };
  const tokens = await issueTokens(scene.unit, {
    choices: [{ key: "edit", action: "instructions_edit", payload: { teammateId: teammate.id, expected: text } }],
    minRole: "manager",
    expiresAt: expiry(scene),
  });
  const buttons = [[{ label: words.edit, token: tokens.edit, opensForm: true }]];
  return { text: [...lines, words.upload(typed)].join("\n\n"), buttons };
}

export function expiry({ deps }: PersonScene): Date {
  return new Date(deps.clock.now().getTime() + lifetimeMs);
}

/** What people type beneath a file. Where commands share one name no platform lets a file come with them: the bare word does. */
export function withFile(
  { deps, connectionId }: Pick<PersonScene, "deps" | "connectionId">,
  command: string,
  argument = "",
): string {
  const prefix = deps.adapters.get(connectionId)?.capabilities.commandPrefix ?? "/";
  return `${prefix === "/" ? "/" : ""}${command} ${argument}`.trim();
}

/** A text as it is, in a block that it cannot end. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/gu)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A difference where it is short, else a file with all of it. */
export async function shownDifference(scene: PersonScene, text: string): Promise<string> {
  if (text.length <= longestShown) return fenced(text, "diff");
  await attach(scene, scene.words.instructions.differenceFile, `${text}\n`);
  return scene.words.instructions.inFile;
}

/** The file is there before its post is committed; without the post it is only a file nobody asks for. */
async function attach(scene: PersonScene, name: string, text: string): Promise<void> {
  const { deps, unit, place, connectionId, event } = scene;
  const path = join(deps.cardFolder, `${newId()}-${name}`);
  await mkdir(deps.cardFolder, { recursive: true, mode: 0o700 });
  await writeFile(path, text, { mode: 0o600 });
  await deps.outbox.enqueue(unit, {
    op: "upload",
    file: { path, name },
    to: destination(scene),
    purpose: "file",
    lane: `place:${place.id}`,
    dedupKey: `inbox:${connectionId}:${event.key}:file:${name}`,
  });
}
