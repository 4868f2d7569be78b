import type { Decision } from "../attention/index.ts";
import { CodexError } from "../codex/index.ts";
import type { QueuedDelivery } from "../mailbox/index.ts";
import { inTransaction } from "../storage/index.ts";
import { type ActiveRun, tell } from "./active-run.ts";
import { react } from "./answer.ts";
import { loadDeliveries, type RunDelivery } from "./deliveries.store.ts";
import { buildPrompt } from "./prompt.ts";
import { quotedName } from "./prompt-frame.ts";
import { skillsIn } from "./prompt-skills.ts";
import type { RunDeps } from "./settings.ts";
import { promptMessages, surroundings } from "./start.ts";
import type { PromptMessage } from "./types.ts";
import type { Workspace } from "./workspace.ts";

const longestNote = 2_000;

export interface SteerHost {
  readonly deps: RunDeps;
  readonly run: ActiveRun;
  readonly workspace: Workspace;
  /** Resolves with the outcome of the run's deliveries once the run has ended. */
  readonly ended: Promise<"completed" | "failed" | "interrupted">;
}

/**
 * Says a queued message into the running turn, with its files. True when it joined or somebody else has it; false when it is back in
 * line, in its old place.
 */
export async function steer(host: SteerHost, queued: Pick<QueuedDelivery, "id">): Promise<boolean> {
  const { deps, run } = host;
  if (!(await deps.mailbox.takeForSteer(deps.db, queued.id, run.context.runId))) return true;
  try {
    const [delivery] = await loadDeliveries(deps.db, { deliveryId: queued.id });
    if (delivery === undefined) return true;
    const messages = await promptMessages(deps, run, host.workspace, [delivery]);
    if (!(await say(host, messages, queued.id))) return await putBack(host, queued.id);
    await joined(host, delivery);
    return true;
  } catch (error) {
    const uncertain = error instanceof CodexError && (error.kind === "timeout" || error.kind === "disconnected");
    if (!uncertain) {
      deps.log.warn({ err: error, runId: run.context.runId }, "a message could not join the turn and waits");
      return await putBack(host, queued.id);
    }
    // It may be in the turn or not; saying it again could do the work twice. What became of the turn will tell.
    deps.log.warn({ err: error, runId: run.context.runId }, "it is not known yet whether a message joined the turn");
    void settleAfterEnd(host);
    return true;
  }
}

async function say(host: SteerHost, messages: readonly PromptMessage[], id: string): Promise<boolean> {
  const { deps, run } = host;
  const { threadId, turnId } = run;
  if (threadId === undefined || turnId === undefined || run.phase !== "running") return false;
  const known = await deps.skills.of(deps.db, run.context.teammate.id);
  const skills = skillsIn(messages, known, host.workspace.path);
  const { input } = buildPrompt({ ...surroundings(deps, run), kind: "steer", messages, skills });
  const result = await deps.threads.steer({ threadId, input, expectedTurnId: turnId, clientUserMessageId: id });
  return result.status === "accepted";
}

async function putBack({ deps }: SteerHost, deliveryId: string): Promise<false> {
  await inTransaction(deps.db, deps.log, (unit) => deps.mailbox.putBack(unit, { deliveryId }));
  return false;
}

async function joined(host: SteerHost, delivery: RunDelivery): Promise<void> {
  const { deps, run } = host;
  const joining: RunDelivery = { ...delivery, joined: "steer" };
  run.deliveries = [...run.deliveries, joining];
  tell(run, {
    kind: "joined",
    at: deps.clock.now(),
    messageId: delivery.messageId,
    authorName: delivery.authorName,
  });
  await inTransaction(deps.db, deps.log, async (unit) => {
    await deps.mailbox.joined(unit, delivery.id);
    await deps.mailbox.hideInLine(unit, delivery);
    await react(deps, unit, run, [joining], "received");
  });
  if (run.phase !== "ended") return;
  // The turn ended between its yes and this line: the end did not know of this message.
  const outcome = await host.ended;
  await inTransaction(deps.db, deps.log, (unit) => deps.mailbox.settleDelivery(unit, delivery.id, outcome));
}

/** The turn may end in the very moment we are back, before anybody asked: then it is found out afterwards. */
async function settleAfterEnd(host: SteerHost): Promise<void> {
  const { deps, run } = host;
  await host.ended;
  try {
    await deps.connection.ready({ timeoutMs: deps.limits.reconcileMs });
    await settleSteers(host);
  } catch (error) {
    deps.log.warn(
      { err: error, runId: run.context.runId },
      "the next start finds out whether a message joined its turn",
    );
  }
}

/** After a lost line: messages whose joining was not confirmed either did join, or go back into the line. */
export async function settleSteers(host: SteerHost): Promise<void> {
  const { deps, run } = host;
  const { threadId } = run;
  if (threadId === undefined) return;
  const open = (await loadDeliveries(deps.db, { runId: run.context.runId })).filter(
    (each) => each.joined === "steer" && each.status === "starting",
  );
  for (const delivery of open) {
    const turn = await deps.threads.findTurn(threadId, { clientUserMessageId: delivery.id });
    if (turn === undefined) await putBack(host, delivery.id);
    else await joined(host, delivery);
  }
}

/** Tells the running turn that a message in it was changed. */
export async function correct(host: SteerHost, messageId: string): Promise<void> {
  const { deps, run } = host;
  const deliveries = await loadDeliveries(deps.db, { messageId });
  const delivery = deliveries.find((each) => run.deliveries.some((known) => known.id === each.id));
  if (delivery === undefined || delivery.editedAt === null) return;
  const messages = await promptMessages(deps, run, host.workspace, [{ ...delivery, hasFiles: false }]);
  const taken = await say(host, messages, `edit:${messageId}:${delivery.editedAt.getTime()}`);
  deps.log.debug({ runId: run.context.runId, taken }, "a message in the turn was changed");
}

/** What a person said along with a decision reaches the turn as their words about that decision. */
export async function addNote(host: SteerHost, attentionId: string, decision: Decision): Promise<void> {
  const { deps, run } = host;
  const verdict = decision.choice === "deny" ? "denied what you just asked for" : "decided on what you just asked for";
  const note = quotedName(decision.note ?? "", longestNote);
  const message: PromptMessage = {
    messageId: attentionId,
    author: "system",
    authorName: "Shipmate",
    text: `${quotedName(decision.by?.name ?? "")} ${verdict} and says: ${note}`,
    sentAt: deps.clock.now(),
    edited: false,
    files: [],
  };
  const taken = await say(host, [message], `note:${attentionId}`);
  if (!taken) deps.log.info({ runId: run.context.runId }, "the turn was over before a note reached it");
}
