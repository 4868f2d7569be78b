import type { Payer } from "../access/index.ts";
import { issueTokens } from "../attention/index.ts";
import type { Persona, Post, Reaction } from "../chat/index.ts";
import type { Destination } from "../outbox/index.ts";
import type { Unit } from "../storage/index.ts";
import { personaOf } from "../teammates/index.ts";
import { type ActiveRun, replyTo } from "./active-run.ts";
import type { RunDelivery } from "./deliveries.store.ts";
import { closeLiveViewRow, stopButtonHash } from "./live-view.store.ts";
import { cancelHeldButton, payButtons } from "./model-trouble.ts";
import type { RoutineEnd } from "./routine-words.ts";
import { requesterOf } from "./run-context.store.ts";
import type { RunDeps } from "./settings.ts";

/** What is said at the end of a run. */
export interface Said {
  readonly kind: "answer" | "notice";
  readonly text: string;
  /** The teammate's own words in it. */
  readonly spoken: string;
  readonly reaction: Extract<Reaction, "done" | "failed" | "stopped">;
  /** Stands in the footer besides name, duration and model. */
  readonly note: string | null;
  readonly retry: boolean;
  readonly errorCode?: string | undefined;
  /** The message stays in line until then. */
  readonly heldUntil?: Date | undefined;
  /** It goes on by itself, so nobody hears of this end. */
  readonly unsaid?: boolean | undefined;
  /** Whose limit it met, or who was turned away: others may pay instead. */
  readonly limitOf?: Payer | undefined;
  readonly forOwner?: { readonly to: Destination; readonly text: string } | undefined;
  /** Of a routine's run: what becomes of it, where it is not simply posted. */
  readonly routine?: RoutineEnd | undefined;
}

/**
 * Puts the answer, its files and its reactions into the outbox; gives the id of the answer's last part.
 * The keys derive from the run, so an end that is repeated after a crash cannot answer twice.
 */
export async function postAnswer(deps: RunDeps, unit: Unit, run: ActiveRun, said: Said): Promise<string | undefined> {
  const { runId, conversationId, to } = run.context;
  const common = { to, lane: `conversation:${conversationId}`, conversationId, runId };
  const { postIds } = await deps.outbox.enqueue(unit, {
    ...common,
    op: "post",
    post: {
      text: said.text,
      persona: persona(run, said),
      footer: footer(deps, run, said),
      buttons: await noticeButtons(unit, run, said),
      replyTo: replyTo(run),
      notify: notifies(run, said),
    },
    purpose: said.kind,
    speaker: personaOf(run.context.teammate),
    dedupKey: `answer:${runId}`,
  });
  for (const [index, file] of run.files.entries()) {
    await deps.outbox.enqueue(unit, {
      ...common,
      op: "upload",
      file: { path: file.path, name: file.name, caption: file.caption },
      purpose: "file",
      dedupKey: `file:${runId}:${index}`,
    });
  }
  await react(deps, unit, run, run.deliveries, said.reaction);
  await tellOwner(deps, unit, run, said);
  return postIds.at(-1);
}

/** What the owner has to know of it besides, wherever it happened. */
export async function tellOwner(deps: RunDeps, unit: Unit, run: ActiveRun, { forOwner }: Said): Promise<void> {
  if (forOwner === undefined) return;
  const { runId } = run.context;
  await deps.outbox.enqueue(unit, {
    op: "post",
    post: { text: forOwner.text, notify: true },
    to: forOwner.to,
    purpose: "notice",
    lane: `owner:${forOwner.to.address.channel}`,
    dedupKey: `owner:${runId}`,
    runId,
  });
}

/** A failure is always heard; an answer where its teammate is to be heard. */
export function notifies(run: ActiveRun, { reaction }: Said): boolean {
  switch (reaction) {
    case "stopped":
      return false;
    case "failed":
      return true;
    case "done":
      return run.context.teammate.notifications;
  }
}

/** Shows on people's messages where their request stands. Places without reactions show nothing. */
export async function react(
  deps: Pick<RunDeps, "adapters" | "outbox">,
  unit: Unit,
  run: ActiveRun,
  deliveries: readonly RunDelivery[],
  reaction: Reaction,
): Promise<void> {
  const { runId, to, conversationId } = run.context;
  if (deps.adapters.get(to.connectionId)?.react === undefined) return;
  for (const { platformMessageId, author } of deliveries) {
    if (platformMessageId === null || author !== "person") continue;
    await deps.outbox.enqueue(unit, {
      op: "react",
      messageId: platformMessageId,
      reaction,
      to,
      purpose: "reaction",
      lane: `react:${platformMessageId}`,
      dedupKey: `react:${runId}:${platformMessageId}:${reaction}`,
      conversationId,
      runId,
    });
  }
}

/**
 * Takes the progress message away, but not before what replaces it was accepted. Where its id was not noted before a crash, or
 * its response was lost, it is looked for, in a lane of its own: nothing else waits for that.
 */
export async function postLiveViewGone(
  deps: Pick<RunDeps, "adapters" | "outbox">,
  unit: Unit,
  run: Pick<ActiveRun, "context">,
  messageId: string | undefined,
  requiresPostId: string | undefined,
): Promise<void> {
  const { runId, conversationId, to } = run.context;
  const open = await closeLiveViewRow(unit, runId);
  const known = messageId ?? open?.messageId;
  const mayFind = known === null && deps.adapters.get(to.connectionId)?.removeByButton !== undefined;
  const buttonHash = mayFind ? await stopButtonHash(unit.db, runId) : undefined;
  const target = known != null ? { messageId: known } : buttonHash !== undefined ? { buttonHash } : undefined;
  if (target === undefined) return;
  await deps.outbox.enqueue(unit, {
    op: "remove",
    target,
    to,
    purpose: "status",
    lane: "messageId" in target ? `conversation:${conversationId}` : `live:${runId}`,
    dedupKey: `live:${runId}:${known ?? buttonHash}:gone`,
    conversationId,
    runId,
    requiresPostId,
  });
}

/** A notice of one message loses its button once that was used; what it says goes along for that. */
const longestShownAgain = 1_000;

export function shownAgain({ kind, text }: Said): string | undefined {
  return kind === "notice" && text.length <= longestShownAgain ? text : undefined;
}

async function noticeButtons(unit: Unit, run: ActiveRun, said: Said): Promise<Post["buttons"]> {
  const pay = said.limitOf === undefined ? [] : await payButtons(unit, run, said.limitOf, shownAgain(said) ?? "");
  const rows = pay.length === 0 ? [] : [pay];
  if (said.retry) return [...rows, ...(await retryButton(unit, run, said))];
  const held = said.heldUntil === undefined ? [] : [[await cancelHeldButton(unit, run, shownAgain(said) ?? "")]];
  return rows.length + held.length === 0 ? undefined : [...rows, ...held];
}

async function retryButton(unit: Unit, run: ActiveRun, shown: Said) {
  const { runId } = run.context;
  const said = shownAgain(shown);
  const tokens = await issueTokens(unit, {
    choices: [{ key: "retry", action: "retry", payload: { runId, said } }],
    personId: (await requesterOf(unit.db, runId)) ?? undefined,
    minRole: "manager",
  });
  return [[{ label: run.words.runs.tryAgain, token: tokens.retry }]];
}

/** With several teammates in a place an answer says whose it is on every platform; a notice names its teammate anyway. */
function persona(run: ActiveRun, said: Said): Persona | undefined {
  return said.kind === "answer" && run.colleagues.length > 0 ? personaOf(run.context.teammate) : undefined;
}

/** One dim line beneath an answer; a notice speaks for itself. */
function footer(deps: Pick<RunDeps, "clock">, run: ActiveRun, said: Said): string | undefined {
  if (said.kind === "notice") return undefined;
  const took = run.words.runs.took(deps.clock.now().getTime() - run.startedAt.getTime());
  return run.words.runs.footer([run.context.teammate.name, said.note, took, run.model]);
}
