import { cleanText } from "../chat/index.ts";
import { allows, type Person } from "../people/index.ts";
import { newId, redact } from "../shared/index.ts";
import { audit, type Db, type Unit } from "../storage/index.ts";
import * as store from "./instructions.store.ts";

export const longestInstructions = 8_000;

/** A teammate's own instructions as its row holds them. */
export interface OwnInstructions {
  readonly text: string;
  /** What its file last held by our knowledge; null where nobody looked yet. */
  readonly written: string | null;
}

/** Instructions as they are kept: without secrets, marks of ours and odd line ends, at most 8,000 characters. */
export function tidyInstructions(text: string): string {
  const lines = redact(cleanText(text))
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(/<!--(?=\s*shipmate\b)/giu, "<! --");
  return lines.trim().slice(0, longestInstructions).toWellFormed().trim();
}

export type SavedInstructions =
  | { readonly kind: "saved" | "unchanged" }
  /** Somebody else changed them since; `now` is what stands. */
  | { readonly kind: "changed"; readonly now: string }
  | { readonly kind: "refused"; readonly problem: "not_allowed" | "too_long" | "gone" };

export interface InstructionsEdit {
  readonly text: string;
  /** What stood there when the edit began; null overwrites whatever stands. */
  readonly expected: string | null;
}

/** A person's edit. Managers and above; refused where somebody changed the text since the edit began. */
export async function saveInstructions(
  unit: Unit,
  by: Person,
  teammateId: string,
  { text: given, expected }: InstructionsEdit,
): Promise<SavedInstructions> {
  if (!allows(by.role, "manager")) return { kind: "refused", problem: "not_allowed" };
  if (given.trim().length > longestInstructions) return { kind: "refused", problem: "too_long" };
  const before = await lock(unit.db, teammateId);
  if (!before) return { kind: "refused", problem: "gone" };
  const text = tidyInstructions(given);
  if (text === before.text) return { kind: "unchanged" };
  if (expected !== null && expected !== before.text) return { kind: "changed", now: before.text };
  await store.setText(unit.db, teammateId, text);
  await trace(unit, by, teammateId, { from: before.text, to: text });
  return { kind: "saved" };
}

export type TakenChange =
  | { readonly kind: "none" }
  | { readonly kind: "taken"; readonly changeId: string }
  /** A person had changed them meanwhile: theirs stand. */
  | { readonly kind: "overruled"; readonly changeId: string };

/**
 * What stands in a teammate's file counts as its own change, unless it is what we wrote there. Repeating it does nothing.
 * `found` is tidy.
 */
export async function takeOwnChange(
  unit: Unit,
  { teammateId, runId, found, now }: { teammateId: string; runId: string; found: string; now: Date },
): Promise<TakenChange> {
  const row = await lock(unit.db, teammateId);
  if (!row || found === row.written) return { kind: "none" };
  if (found === row.text) {
    await store.setWritten(unit.db, teammateId, found);
    return { kind: "none" };
  }
  const changeId = newId();
  const change = { id: changeId, teammateId, runId, before: row.text, after: found, now };
  const isOverruled = row.text !== (row.written ?? "");
  await store.addChange(unit.db, { ...change, wasDropped: isOverruled });
  // What it wrote counts as seen either way: an overruled text is replaced before the next turn, and not told twice.
  await store.setWritten(unit.db, teammateId, found);
  if (!isOverruled) await store.setText(unit.db, teammateId, found);
  return { kind: isOverruled ? "overruled" : "taken", changeId };
}

/** The first look at a file of an earlier release: what somebody wrote there by hand is kept, after what is known. */
export async function adoptInstructions(unit: Unit, teammateId: string, found: string): Promise<void> {
  const row = await lock(unit.db, teammateId);
  if (!row || row.written !== null) return;
  const parts = found === row.text ? [found] : [row.text, found];
  const text = tidyInstructions(parts.filter((part) => part !== "").join("\n\n"));
  if (text !== row.text) await store.setText(unit.db, teammateId, text);
  await store.setWritten(unit.db, teammateId, found);
}

export interface InstructionChange {
  readonly id: string;
  readonly teammateId: string;
  readonly teammateName: string;
  readonly before: string;
  readonly after: string;
  readonly undoneAt: Date | null;
  /** Who undid it; null too where it never counted, because a person had changed them meanwhile. */
  readonly undoneBy: string | null;
}

export type UndoneChange = "undone" | "already" | "changed_since" | "not_allowed" | "gone";

/** Puts back what stood there before a teammate's own change, while nobody has changed it since. */
export async function undoInstructions(unit: Unit, by: Person, changeId: string, now: Date): Promise<UndoneChange> {
  if (!allows(by.role, "manager")) return "not_allowed";
  const whose = await store.getChange(unit.db, changeId);
  const row = whose && (await lock(unit.db, whose.teammateId));
  // Once more: somebody may have undone it while we waited.
  const change = await store.getChange(unit.db, changeId);
  if (!change || !row) return "gone";
  if (change.undoneAt !== null) return "already";
  if (row.text !== change.after) return "changed_since";
  await store.markUndone(unit.db, changeId, by.id, now);
  await store.setText(unit.db, change.teammateId, change.before);
  await trace(unit, by, change.teammateId, { from: change.after, to: change.before, undoes: changeId });
  return "undone";
}

/** The instructions of one teammate; empty where it is gone. */
export async function instructionsOf(db: Db, teammateId: string): Promise<OwnInstructions> {
  const row = await store.get(db, teammateId);
  return row ? { ...row, text: tidyInstructions(row.text) } : { text: "", written: null };
}

/** An earlier release kept whatever was given: what is untidy would look changed in its file for ever. */
async function lock(db: Db, teammateId: string): Promise<OwnInstructions | undefined> {
  const row = await store.lock(db, teammateId);
  return row && { ...row, text: tidyInstructions(row.text) };
}

export const instructionChange = store.getChange;
export const noteWritten = store.setWritten;

function trace({ db }: Unit, by: Person, teammateId: string, data: object): Promise<void> {
  return audit(db, { personId: by.id, teammateId, action: "instructions_changed", target: teammateId, data });
}
