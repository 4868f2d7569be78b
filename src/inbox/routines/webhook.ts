import { z } from "zod";
import type { ButtonEvent } from "../../chat/index.ts";
import { keepsSecret, type Routine } from "../../routines/index.ts";
import { type Action, type Card, type Pressed, redraw } from "../action.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { canBePrivate, type PersonScene, plain, say } from "../scene.ts";
import { offerPage, privateChat, reachesAlone, sendAlone } from "./outside-page.ts";
import { routineCard } from "./routine-card.ts";
import { webhookCard } from "./webhook-card.ts";
import type { webhookPagePayload } from "./webhook-page.ts";

type Pressing = PersonScene<ButtonEvent>;

const about = z.object({ routineId: z.uuid() });

/**
 * Makes a secret for a routine's webhook, and gives out the page that shows it, in private. The secret it had ends at once. Nothing is made
 * where nobody could be shown it.
 */
export async function showSecret(scene: PersonScene, routine: Routine): Promise<Pressed> {
  const { unit, deps, person, words } = scene;
  const { webhook: said } = words.outside;
  const name = plain(routine.name);
  if (!keepsSecret(person, routine)) return { outcome: dropped("refused"), answer: said.notYours(name) };
  if (!(await reachesAlone(scene))) return { outcome: handled, answer: words.outside.writeFirst, stays: true };
  const secret = await deps.webhooks.renew(unit, person, routine);
  if (secret === undefined) throw new Error("it was looked at before: who keeps no secret makes one");
  return offerPage(scene, {
    purpose: "webhook_secret",
    title: said.page.title(routine.name),
    intro: said.page.intro(routine.teammateName),
    button: said.page.button,
    payload: {
      routineId: secret.routineId,
      renewedAt: secret.renewedAt.toISOString(),
    } satisfies z.infer<typeof webhookPagePayload>,
    text: (minutes, opensAnywhere) => said.made(name, minutes, opensAnywhere),
    part: "webhook-page",
  });
}

/** `/routine webhook NAME`: never where others read along. */
export async function showWebhook(scene: PersonScene, routine: Routine): Promise<Outcome> {
  if (routine.trigger.kind !== "webhook") await say(scene, scene.words.outside.webhook.notCalled(plain(routine.name)));
  else if (!canBePrivate(scene)) await say(scene, scene.words.commands.inPrivate);
  else {
    const card = await webhookCard(scene, routine);
    await say(scene, card.text, { ...card, purpose: "card" });
  }
  return handled;
}

/** Shows the card of a webhook where only this person sees it. */
async function showCard(scene: Pressing, routine: Routine): Promise<Pressed> {
  const card = await webhookCard(scene, routine);
  if (canBePrivate(scene)) {
    await say(scene, card.text, { ...card, part: "webhook", purpose: "card" });
    return { outcome: handled };
  }
  const to = await privateChat(scene);
  if (to === null) return { outcome: handled, answer: scene.words.outside.writeFirst, stays: true };
  return sendAlone(scene, to, { text: card.text, buttons: card.buttons, part: "webhook" });
}

function onWebhook(act: (scene: Pressing, routine: Routine, card: Card) => Promise<Pressed>): Action {
  return async (scene, payload, card) => {
    const { unit, deps, person, words } = scene;
    const routine = await deps.routines.get(unit.db, about.parse(payload).routineId);
    if (routine?.trigger.kind !== "webhook") return { outcome: dropped("invalid"), answer: words.outside.webhook.gone };
    if (keepsSecret(person, routine)) return act(scene, routine, card);
    return { outcome: dropped("refused"), answer: words.outside.webhook.notYours(plain(routine.name)) };
  };
}

/** What its buttons do, by the action of their tokens. */
export const webhookActions: Readonly<Record<string, Action>> = {
  routine_webhook: onWebhook(async (scene, routine, card) => {
    const pressed = await showCard(scene, routine);
    await redraw(scene, card, await routineCard(scene, routine));
    return pressed;
  }),
  routine_webhook_show: onWebhook(async (scene, routine, card) => {
    await redraw(scene, card, await webhookCard(scene, routine));
    return { outcome: handled };
  }),
  routine_webhook_sure: onWebhook(async (scene, routine, card) => {
    await redraw(scene, card, await webhookCard(scene, routine, "sure"));
    return { outcome: handled };
  }),
  routine_webhook_make: onWebhook(async (scene, routine, card) => {
    const pressed = await showSecret(scene, routine);
    await redraw(scene, card, await webhookCard(scene, routine));
    return pressed;
  }),
};
