import { z } from "zod";
import {
  askSignIn,
  cover,
  endSignIn,
  isThere,
  prefer,
  readAccounts,
  type SignIn,
  setSignInPost,
  whoPays,
} from "../../access/index.ts";
import { audit } from "../../storage/index.ts";
import { type Action, type Pressed, redraw } from "../action.ts";
import { cardHere } from "../card-address.ts";
import { handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { loginCard } from "./login-card.ts";
import { showSignIn } from "./sign-in-card.ts";

const preferred = z.object({ payer: z.enum(["plan", "api_key"]).nullable() });
const signIn = z.object({ signInId: z.uuid() });

export const startSignIn: Action = (scene) => ask(scene, "in");
export const signOut: Action = (scene) => ask(scene, "out");

/** The worker does it, where Codex is; the card says how far it is. */
async function ask(scene: PersonScene, task: SignIn["task"]): Promise<Pressed> {
  const { unit, deps, person } = scene;
  const words = scene.words.access;
  if (scene.place.kind !== "dm") return { outcome: handled, answer: words.writeFirst, stays: true };
  const now = deps.clock.now();
  const id = await askSignIn(unit.db, { task, personId: person.id, card: cardHere(scene), now });
  if (id === undefined) return { outcome: handled, answer: words.signInOpen, stays: true };
  const text = task === "in" ? words.askingForCode : words.signingOut;
  const [postId] = await say(scene, text, { part: "sign-in", purpose: "card" });
  if (postId !== undefined) await setSignInPost(unit.db, id, postId);
  await audit(unit.db, { personId: person.id, action: task === "in" ? "sign_in_asked" : "sign_out_asked", target: id });
  tellWorker(scene, id);
  return { outcome: handled };
}

function tellWorker({ unit, deps }: PersonScene, signInId: string): void {
  unit.afterCommit(() => deps.queues.add("control", { kind: "sign_in", signInId }));
}

export const cancelSignIn: Action = async (scene, payload) => {
  const { unit, deps } = scene;
  const words = scene.words.access;
  const { signInId } = signIn.parse(payload);
  const ended = await endSignIn(unit.db, signInId, { status: "cancelled", now: deps.clock.now() });
  if (ended === undefined) return { outcome: handled, answer: words.signInOver, stays: true };
  await showSignIn(deps.outbox, unit, ended);
  tellWorker(scene, signInId);
  return { outcome: handled, answer: words.signInCancelled };
};

export const choosePayer: Action = async (scene, payload, card) => {
  const { unit, person } = scene;
  const { payer } = preferred.parse(payload);
  await prefer(unit.db, payer);
  await audit(unit.db, { personId: person.id, action: "payer_chosen", data: { payer } });
  await goOn(scene);
  await redraw(scene, card, await loginCard(scene));
  return { outcome: handled, answer: scene.words.access.saved };
};

export const forgetKey: Action = async (scene, _payload, card) => {
  const { unit, deps, person } = scene;
  const words = scene.words.access;
  const forgotten = await deps.keys.forget(unit, person.id);
  await redraw(scene, card, await loginCard(scene));
  return forgotten
    ? { outcome: handled, answer: words.keyForgotten }
    : { outcome: handled, answer: words.noKeyHere, stays: true };
};

const shown = z.object({ said: z.string().optional() });

/** From now on, and until the plan can be used again, the key pays: what waits goes on. */
export const useKey: Action = async (scene, payload, card) => {
  const { unit, deps, person } = scene;
  const words = scene.words.access;
  const { said } = shown.parse(payload);
  const accounts = await readAccounts(unit.db);
  if (!isThere(accounts.key)) return { outcome: handled, answer: words.noKeyAnyMore, stays: true };
  const before = whoPays(accounts, { now: deps.clock.now() });
  const isNew = before.kind === "blocked" && (await cover(unit.db, before.account.kind));
  if (isNew) await audit(unit.db, { personId: person.id, action: "key_pays_instead" });
  await goOn(scene);
  await redraw(
    scene,
    card,
    said === undefined ? await loginCard(scene) : { text: withLine(said, words.keyPaysBy(plain(person.displayName))) },
  );
  if (isNew) return { outcome: handled, answer: words.saved };
  const paysAlready = before.kind === "pays" && before.account.kind === "api_key";
  return { outcome: handled, answer: paysAlready ? words.keyPaysAlready : words.planIsBack };
};

/** Where somebody can pay now, nothing waits for a limit any more. */
async function goOn({ unit, deps }: PersonScene): Promise<void> {
  const paying = whoPays(await readAccounts(unit.db), { now: deps.clock.now() });
  if (paying.kind === "pays") await deps.mailbox.endLimit(unit);
}

/** What a notice said, where it is short enough to be said again, with what became of it. */
function withLine(said: string, line: string): string {
  return said === "" ? line : `${said}\n\n${line}`;
}

const held = z.object({ deliveryIds: z.array(z.uuid()), said: z.string() });

/** Takes what waits for a limit out of the line. */
export const cancelHeld: Action = async (scene, payload, card) => {
  const { unit, deps, person } = scene;
  const { deliveryIds, said } = held.parse(payload);
  let cancelled = 0;
  for (const id of deliveryIds) {
    if ((await deps.mailbox.cancelDelivery(unit, id, person)) === "cancelled") cancelled += 1;
  }
  if (cancelled === 0) return { outcome: handled, answer: scene.words.inbox.notWaiting, stays: true };
  const { access: words } = scene.words;
  await redraw(scene, card, { text: withLine(said, words.cancelledBy(plain(person.displayName))) });
  return { outcome: handled, answer: words.cancelled };
};
