import { issueTokens } from "../attention/index.ts";
import type { Button } from "../chat/index.ts";
import { inTransaction, type Unit } from "../storage/index.ts";
import {
  adoptInstructions,
  instructionsOf,
  noteWritten,
  type OwnInstructions,
  type TakenChange,
  takeOwnChange,
} from "../teammates/index.ts";
import type { ActiveRun } from "./active-run.ts";
import { type OwnPart, readOwnPart } from "./agents-file.ts";
import { worksElsewhere } from "./keep-instructions.store.ts";
import type { RunDeps } from "./settings.ts";

type KeepDeps = Pick<RunDeps, "db" | "log" | "clock" | "outbox">;

/**
 * The instructions a turn begins with, by what the row and the file say. What the teammate wrote there after its last
 * turn was looked at (we may have ended in between) counts as a change of that turn.
 */
export async function standingInstructions(
  deps: KeepDeps,
  run: ActiveRun,
  row: OwnInstructions,
  found: OwnPart | undefined,
): Promise<string> {
  const { id } = run.context.teammate;
  if (found === undefined || found.text === row.text || found.text === row.written) return row.text;
  if (row.written === null) {
    if (found.text === "") return row.text;
    await inTransaction(deps.db, deps.log, (unit) => adoptInstructions(unit, id, found.text));
    return (await instructionsOf(deps.db, id)).text;
  }
  // A turn that is at work here may be in the middle of writing: its end is the moment to look.
  if (await worksElsewhere(deps.db, id, run.context.runId)) return found.text;
  await take(deps, run, found);
  return (await instructionsOf(deps.db, id)).text;
}

/** From now on that is what stands in the file by our doing. */
export async function noteStanding(deps: KeepDeps, run: ActiveRun, row: OwnInstructions, own: string): Promise<void> {
  if (own === row.text && row.written !== own) await noteWritten(deps.db, run.context.teammate.id, own);
}

/**
 * At the end of a turn: looks whether the teammate changed its own instructions. What is given back keeps and tells that;
 * it rejects never: the next turn looks again.
 */
export async function lookAtInstructions(deps: KeepDeps, run: ActiveRun): Promise<() => Promise<void>> {
  const { own } = run;
  const found = own && (await readOwnPart(own.folder).catch(() => undefined));
  if (!found || found.text === own.text) return async () => {};
  return async () => {
    try {
      await take(deps, run, found);
    } catch (error) {
      const { runId } = run.context;
      deps.log.error({ err: error, runId }, "changed instructions were not kept; the next turn looks again");
    }
  };
}

async function take(deps: KeepDeps, run: ActiveRun, found: OwnPart): Promise<void> {
  const { runId, teammate } = run.context;
  await inTransaction(deps.db, deps.log, async (unit) => {
    const change = { teammateId: teammate.id, runId, found: found.text, now: deps.clock.now() };
    const taken = await takeOwnChange(unit, change);
    if (taken.kind !== "none") await tell(deps, unit, run, taken, found.wasCut);
  });
}

async function tell(
  deps: KeepDeps,
  unit: Unit,
  run: ActiveRun,
  taken: Exclude<TakenChange, { kind: "none" }>,
  wasCut: boolean,
): Promise<void> {
  const { runId, conversationId, to, teammate } = run.context;
  const words = run.words.instructions;
  const text = taken.kind === "taken" ? words.changed(teammate.name) : words.overruled(teammate.name);
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: {
      text: wasCut ? `${text} ${words.wasCut}` : text,
      buttons: await changeButtons(unit, taken, words),
      notify: false,
    },
    to,
    purpose: "notice",
    lane: `conversation:${conversationId}`,
    dedupKey: `instructions:${taken.changeId}`,
    conversationId,
    runId,
  });
}

/** Two groups of tokens: looking uses nothing up. */
async function changeButtons(
  unit: Unit,
  { kind, changeId }: Exclude<TakenChange, { kind: "none" }>,
  words: ActiveRun["words"]["instructions"],
): Promise<readonly (readonly Button[])[]> {
  const payload = { changeId };
  const view = await issueTokens(unit, { choices: [{ key: "token", action: "instructions_view", payload }] });
  const row = [{ label: words.view, token: view.token }];
  if (kind === "overruled") return [row];
  const undo = await issueTokens(unit, {
    choices: [{ key: "token", action: "instructions_undo", payload }],
    minRole: "manager",
  });
  return [[...row, { label: words.undo, token: undo.token }]];
}
