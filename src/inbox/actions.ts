import { z } from "zod";
import { revokeRule } from "../attention/index.ts";
import type { ButtonEvent } from "../chat/index.ts";
import { accessActions } from "./access/index.ts";
import { type Action, redraw } from "./action.ts";
import { showRulesLeft } from "./commands/rules.ts";
import { offerCheckIn, tryTask } from "./greeting.ts";
import { historyActions } from "./history/index.ts";
import { instructionsActions } from "./instructions/index.ts";
import { confirmLink, leaveLink } from "./link-card.ts";
import { mcpActions } from "./mcp/index.ts";
import { memoryActions } from "./memory/index.ts";
import { dropped, handled } from "./outcome.ts";
import { leadPlace, openPlace } from "./place-card.ts";
import { profileActions } from "./profiles/index.ts";
import { openSecretPage } from "./questions.ts";
import { routinesActions } from "./routines/index.ts";
import { destination, type Scene } from "./scene.ts";
import { skillsActions } from "./skills/index.ts";
import { threadsActions } from "./threads/index.ts";
import { usageActions } from "./usage/index.ts";

const run = z.object({ runId: z.uuid() });
const retried = run.extend({ said: z.string().optional() });
const delivery = z.object({ deliveryId: z.uuid() });
const rule = z.object({ ruleId: z.uuid(), teammateId: z.uuid() });

/** What our buttons do, by the action of their tokens; forms are beside them. */
export const actions: Readonly<Record<string, Action>> = {
  first_task: tryTask,
  first_check_in: offerCheckIn,
  secret_page: openSecretPage,
  link_confirm: confirmLink,
  link_leave: leaveLink,
  place_access: openPlace,
  place_lead: leadPlace,
  ...profileActions,
  ...memoryActions,
  ...instructionsActions,
  ...threadsActions,
  ...mcpActions,
  ...skillsActions,
  ...accessActions,
  ...usageActions,
  ...historyActions,
  ...routinesActions,

  async stop(scene, payload) {
    const { unit, deps, person, words } = scene;
    const result = await deps.runs.stopRun(unit, run.parse(payload).runId, person);
    if (result === "refused") return { outcome: dropped("refused"), answer: words.inbox.notYoursToStop };
    if (result === "not_running") await removeStray(scene);
    if (result === "not_running") return { outcome: handled, answer: words.inbox.notRunning, stays: true };
    return { outcome: handled, answer: words.inbox.stopping(0) };
  },

  async retry(scene, payload, card) {
    const { unit, deps, person, words } = scene;
    const { runId, said } = retried.parse(payload);
    const result = await deps.mailbox.retry(unit, runId, person);
    if (result === "refused") return { outcome: dropped("refused"), answer: words.inbox.notAllowed };
    if (result !== "queued") return { outcome: handled, answer: words.inbox.nothingToRetry, stays: true };
    if (said !== undefined) await redraw(scene, card, { text: said });
    return { outcome: handled, answer: words.inbox.retrying };
  },

  async cancel_queued({ unit, deps, person, words }, payload) {
    const result = await deps.mailbox.cancelDelivery(unit, delivery.parse(payload).deliveryId, person);
    if (result === "refused") return { outcome: dropped("refused"), answer: words.inbox.notAllowed };
    if (result !== "cancelled") return { outcome: handled, answer: words.inbox.notWaiting, stays: true };
    return { outcome: handled, answer: words.inbox.cancelled(1) };
  },

  async revoke_rule(scene, payload, card) {
    const { unit, deps, person, words } = scene;
    const { ruleId, teammateId } = rule.parse(payload);
    const revoked = await revokeRule(unit, ruleId, person, deps.clock.now());
    await showRulesLeft(scene, card, teammateId);
    if (!revoked) return { outcome: dropped("refused"), answer: words.commands.notYoursToRevoke };
    return { outcome: handled, answer: words.commands.revoked };
  },
};

/** A live view whose id was lost in a crash stays after its run; nobody but the one who presses Stop on it can show us where it is. */
async function removeStray(scene: Scene<ButtonEvent>): Promise<void> {
  const { unit, deps, event, place } = scene;
  if (event.messageId === undefined) return;
  await deps.outbox.enqueue(unit, {
    op: "remove",
    target: { messageId: event.messageId },
    to: destination(scene),
    purpose: "status",
    lane: `place:${place.id}`,
    dedupKey: `stray:${place.id}:${event.messageId}`,
  });
}
