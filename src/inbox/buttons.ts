import { peekToken } from "../attention/index.ts";
import type { ButtonEvent, FormEvent } from "../chat/index.ts";
import { hashToken } from "../shared/index.ts";
import { cardOf, notDone, type Pressed } from "./action.ts";
import { actions } from "./actions.ts";
import { fillIn, isAttention, openForm } from "./forms.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { byPerson, destination, type Scene } from "./scene.ts";

/** A press: decisions are attention's, everything else is carried out here. The presser's spinner stops in every case. */
export async function takeButton(scene: Scene<ButtonEvent>): Promise<Outcome> {
  return tell(scene, (await openForm(scene)) ?? (await press(scene)));
}

/** What somebody wrote into a form that one of our buttons had opened. */
export async function takeForm(scene: Scene<FormEvent>): Promise<Outcome> {
  const { unit, deps, event, person } = scene;
  const peeked = await peekToken(unit.db, hashToken(event.token), { person, now: deps.clock.now() });
  if (peeked.kind === "done" && isAttention(peeked.action)) return tell(scene, await decide(scene));
  return tell(scene, await fillIn(scene, { hash: hashToken(event.token), value: event.value, card: cardOf(event) }));
}

function tell(scene: Scene<ButtonEvent | FormEvent>, { outcome, answer, stays }: Pressed): Outcome {
  const unexpected = stays ?? outcome.kind === "dropped";
  const isSeen = !unexpected && scene.deps.adapters.get(scene.connectionId)?.capabilities.answersStay === true;
  answerAfterCommit(scene, isSeen ? undefined : answer, unexpected);
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

/** A decision with the reason that was written for it, or an answer in own words. */
async function decide(scene: Scene<FormEvent>): Promise<Pressed> {
  const { unit, deps, event, person } = scene;
  const pressed = { to: destination(scene), messageId: event.messageId };
  const result = await deps.attention.press(unit, event.token, person, pressed, event.value);
  return result.kind === "done" ? { outcome: handled, answer: result.answer } : notDone(result);
}

async function press(scene: Scene<ButtonEvent>): Promise<Pressed> {
  const { unit, deps, event, person, words } = scene;
  const pressed = { to: destination(scene), messageId: event.messageId };
  const result = await deps.attention.press(unit, event.token, person, pressed);
  if (result.kind !== "done") return notDone(result);
  if (result.action === "decided" || result.action === "answered") return { outcome: handled, answer: result.answer };
  const action = Object.hasOwn(actions, result.action) ? actions[result.action] : undefined;
  if (!action || !byPerson(scene)) return { outcome: dropped("unknown_button"), answer: words.inbox.buttonGone };
  return action(scene, result.payload, cardOf(event));
}
