import { z } from "zod";
import { revokeRule } from "../attention/index.ts";
import type { ButtonEvent } from "../chat/index.ts";
import { showRulesLeft } from "./commands/rules.ts";
import { takeWish } from "./messages.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { openPlace, placeAccessPayload } from "./place-card.ts";
import { byPerson, type PersonScene, type Scene } from "./scene.ts";

/** What a press came to, and what its presser (nobody else) is told. */
interface Pressed {
  readonly outcome: Outcome;
  readonly answer?: string | undefined;
  /** It is not what the presser expects, so they have to see it: true for whatever was dropped. */
  readonly stays?: boolean | undefined;
}

type Action = (scene: PersonScene<ButtonEvent>, payload: unknown) => Promise<Pressed>;

/** A press: decisions are attention's, everything else is carried out here. The presser's spinner stops in every case. */
export async function takeButton(scene: Scene<ButtonEvent>): Promise<Outcome> {
  const { outcome, answer, stays } = await press(scene);
  answerAfterCommit(scene, answer, stays ?? outcome.kind === "dropped");
  return outcome;
}

/** Platforms give us three seconds; the answer never holds the sink up, and a failed one is only logged. */
export function answerAfterCommit(
  scene: Pick<Scene, "unit" | "deps" | "connectionId" | "event">,
  text?: string,
  stays?: boolean,
): void {
  const { event, deps } = scene;
  if (!("interaction" in event) || event.interaction === undefined) return;
  const { interaction } = event;
  scene.unit.afterCommit(() => {
    const adapter = deps.adapters.get(scene.connectionId);
    adapter?.answer?.(interaction, text, stays).catch((error: unknown) => {
      deps.log.info({ err: error }, "a press could not be answered");
    });
  });
}

async function press(scene: Scene<ButtonEvent>): Promise<Pressed> {
  const { unit, deps, event, person, words } = scene;
  const { channel, thread, kind: placeKind } = event.place;
  const to = { connectionId: scene.connectionId, address: { channel, thread }, placeKind };
  const result = await deps.attention.press(unit, event.token, person, { to, messageId: event.messageId });
  switch (result.kind) {
    case "refused":
      return { outcome: dropped("refused"), answer: result.text };
    case "already":
      return { outcome: handled, answer: result.text, stays: true };
    case "unknown":
      return { outcome: dropped("unknown_button"), answer: result.text };
    case "done": {
      if (result.action === "decide" || result.action === "decided") return { outcome: handled, answer: result.answer };
      const action = Object.hasOwn(actions, result.action) ? actions[result.action] : undefined;
      if (!action || !byPerson(scene)) {
        return { outcome: dropped("unknown_button"), answer: words.inbox.buttonGone };
      }
      return action(scene, result.payload);
    }
  }
}

const run = z.object({ runId: z.uuid() });
const delivery = z.object({ deliveryId: z.uuid() });
const rule = z.object({ ruleId: z.uuid(), teammateId: z.uuid() });
const task = z.object({ text: z.string().min(1) });

const actions: Readonly<Record<string, Action>> = {
  place_access: (scene, payload) => openPlace(scene, placeAccessPayload.parse(payload)),

  async stop(scene, payload) {
    const { unit, deps, person, words } = scene;
    const result = await deps.runs.stopRun(unit, run.parse(payload).runId, person);
    if (result === "refused") return { outcome: dropped("refused"), answer: words.inbox.notYoursToStop };
    if (result === "not_running") await removeStray(scene);
    const answer = result === "stopping" ? words.inbox.stopping(0) : words.inbox.notRunning;
    return { outcome: handled, answer };
  },

  async retry({ unit, deps, person, words }, payload) {
    const result = await deps.mailbox.retry(unit, run.parse(payload).runId, person);
    if (result === "refused") return { outcome: dropped("refused"), answer: words.inbox.notAllowed };
    return { outcome: handled, answer: result === "queued" ? words.inbox.retrying : words.inbox.nothingToRetry };
  },

  async cancel_queued({ unit, deps, person, words }, payload) {
    const result = await deps.mailbox.cancelDelivery(unit, delivery.parse(payload).deliveryId, person);
    if (result === "refused") return { outcome: dropped("refused"), answer: words.inbox.notAllowed };
    return { outcome: handled, answer: result === "cancelled" ? words.inbox.cancelled(1) : words.inbox.notWaiting };
  },

  async revoke_rule(scene, payload) {
    const { unit, deps, person, words } = scene;
    const { ruleId, teammateId } = rule.parse(payload);
    const revoked = await revokeRule(unit, ruleId, person, deps.clock.now());
    await showRulesLeft(scene, teammateId);
    if (!revoked) return { outcome: dropped("refused"), answer: words.commands.notYoursToRevoke };
    return { outcome: handled, answer: words.commands.revoked };
  },

  /** As if the person had written it. */
  async first_task(scene, payload) {
    const outcome = await takeWish(scene, {
      text: task.parse(payload).text,
      files: [],
      quote: null,
      forwardedFrom: null,
      platformMessageId: null,
      sentAt: scene.deps.clock.now(),
      collect: null,
      teammateId: null,
    });
    return { outcome };
  },
};

/** A live view whose id was lost in a crash stays after its run; nobody but the one who presses Stop on it can show us where it is. */
async function removeStray({ unit, deps, event, connectionId, place }: Scene<ButtonEvent>): Promise<void> {
  if (event.messageId === undefined) return;
  const { channel, thread, kind: placeKind } = event.place;
  await deps.outbox.enqueue(unit, {
    op: "remove",
    target: { messageId: event.messageId },
    to: { connectionId, address: { channel, thread }, placeKind },
    purpose: "status",
    lane: `place:${place.id}`,
    dedupKey: `stray:${place.id}:${event.messageId}`,
  });
}
