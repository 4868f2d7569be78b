import { z } from "zod";
import { issueTokens } from "../attention/index.ts";
import type { Post } from "../chat/index.ts";
import { allows } from "../people/index.ts";
import { mayAsk, type Place } from "../places/index.ts";
import type { Teammate } from "../teammates/index.ts";
import { type Action, redraw } from "./action.ts";
import { isEmpty, takeWish, wishOf } from "./messages.ts";
import { dropped, handled, type Outcome } from "./outcome.ts";
import { addressees } from "./recipient.ts";
import { byPerson, type PersonScene, plain, type Scene, say } from "./scene.ts";

const askAgainMs = 24 * 60 * 60_000;
const lifetimeMs = 7 * 24 * 60 * 60_000;
/** What a list holds on any platform. */
const mostOptions = 25;

const accesses = ["everyone", "members", "owner"] as const;
type Access = (typeof accesses)[number];

/** The card that asked first is closed by the decision; the one of `/place` keeps its controls. */
const kinds = ["asking", "controls"] as const;
type Kind = (typeof kinds)[number];
/** What brought the card: whoever asked it and then decides is not made to ask once more. */
const questionSchema = z.object({
  personId: z.uuid(),
  text: z.string(),
  messageId: z.string(),
  sentAt: z.coerce.date(),
});
const accessSchema = z.object({
  placeId: z.uuid(),
  access: z.enum(accesses),
  card: z.enum(kinds).default("asking"),
  question: questionSchema.optional(),
});
const leadSchema = z.object({ placeId: z.uuid(), teammateId: z.uuid(), card: z.enum(kinds) });

/**
 * Asks once (and once a day while nobody decides) who may ask here; managers and above can press, and whoever of them writes
 * to us again gets the card again. False where nothing was asked.
 */
export async function askWhoMayAsk(scene: Scene): Promise<boolean> {
  const { unit, deps, place, words, event } = scene;
  const now = deps.clock.now().getTime();
  const wasAsked = place.askedAccessAt && now - place.askedAccessAt.getTime() < askAgainMs;
  const decides = event.kind === "message" && byPerson(scene) && allows(scene.person.role, "manager");
  if (wasAsked && !decides) return false;
  const [owner] = await deps.people.owners(unit.db);
  if (owner === undefined) return false;
  await deps.places.markAccessAsked(unit, place.id);
  await say(scene, words.places.ask(plain(owner.displayName)), {
    purpose: "card",
    notify: true,
    part: "access",
    toAll: true,
    buttons: [await accessButtons(scene, "asking", [...accesses])],
  });
  return true;
}

function questionIn({ event, person }: Scene): z.input<typeof questionSchema> | undefined {
  if (event.kind !== "message" || person === null || event.files.length > 0 || isEmpty(event)) return undefined;
  return { personId: person.id, text: event.text, messageId: event.messageId, sentAt: event.sentAt };
}

/** Who may ask in this place and who answers, with the means to change both. */
export async function placeControls(scene: Scene, place: Place): Promise<Pick<Post, "text" | "buttons" | "selects">> {
  const { unit, deps, words } = scene;
  const teammates = await deps.teammates.list(unit.db);
  const lead = leadOf(place, teammates);
  const others = accesses.filter((access) => access !== place.access);
  return {
    text: [await whoMayAskText(scene, place.access), lead && words.places.leads(plain(lead.name))]
      .filter(Boolean)
      .join(" "),
    buttons: [await accessButtons(scene, "controls", others)],
    selects: await leadSelect(scene, place, "controls"),
  };
}

/** Carries the choice out and shows it on the card: the one that asked says who decided. */
export const openPlace: Action = async (scene, payload, card) => {
  const { unit, deps, person } = scene;
  const { placeId, access, card: kind, question } = accessSchema.parse(payload);
  await deps.places.setAccess(unit, placeId, access, person);
  await redrawPlace(scene, kind, placeId, (post) => redraw(scene, card, post));
  const answer = await whoMayAskText(scene, access);
  // "Only me" says somebody who is not the owner, too: then it is not for them to ask.
  const mayGoOn = mayAsk({ kind: scene.place.kind, access }, person);
  if (question?.personId !== person.id || !mayGoOn) return { outcome: handled, answer };
  return { outcome: await takeQuestion(scene, question), answer };
};

async function takeQuestion(scene: PersonScene, question: z.output<typeof questionSchema>): Promise<Outcome> {
  const { text, messageId, sentAt } = question;
  const teammateIds = await addressees(scene, text);
  return takeWish(scene, { ...wishOf(text, sentAt), platformMessageId: messageId, teammateIds });
}

export const leadPlace: Action = async (scene, payload, card) => {
  const { unit, deps, person, words } = scene;
  const { placeId, teammateId, card: kind } = leadSchema.parse(payload);
  const teammate = await deps.teammates.get(unit.db, teammateId);
  if (!teammate) return { outcome: dropped("invalid"), answer: words.teammates.problems.gone };
  await deps.places.setLead(unit, placeId, teammateId, person);
  await redrawPlace(scene, kind, placeId, (post) => redraw(scene, card, post));
  return { outcome: handled, answer: words.places.leads(teammate.name) };
};

async function redrawPlace(
  scene: PersonScene,
  kind: Kind,
  placeId: string,
  show: (post: Pick<Post, "text" | "buttons" | "selects">) => Promise<void>,
): Promise<void> {
  const place = await scene.deps.places.get(scene.unit.db, placeId);
  if (!place) return;
  await show(kind === "controls" ? await placeControls(scene, place) : await decided(scene, place));
}

/** The card that asked, once somebody decided: with several colleagues, who answers is asked next. */
async function decided(scene: PersonScene, place: Place): Promise<Pick<Post, "text" | "selects">> {
  const { unit, deps, person, words } = scene;
  const lead = place.leadTeammateId && leadOf(place, await deps.teammates.list(unit.db));
  const what = [await whoMayAskText(scene, place.access), lead && words.places.leads(plain(lead.name))];
  return {
    text: words.places.openedBy(what.filter(Boolean).join(" "), plain(person.displayName)),
    selects: await leadSelect(scene, place, "asking"),
  };
}

export async function whoMayAskText({ unit, deps, words }: Scene, access: Place["access"]): Promise<string> {
  const { opened, closed } = words.places;
  if (access === "closed") return closed;
  if (access !== "owner") return opened[access];
  const [owner] = await deps.people.owners(unit.db);
  return opened.owner(plain(owner?.displayName ?? ""));
}

async function accessButtons(scene: Scene, card: Kind, offered: readonly Access[]) {
  const { unit, deps, place, words } = scene;
  const question = card === "asking" ? questionIn(scene) : undefined;
  const labels = { everyone: words.places.everyone, members: words.places.team, owner: words.places.onlyOwner };
  const tokens = await issueTokens(unit, {
    choices: offered.map((access) => ({
      key: access,
      action: "place_access",
      payload: { placeId: place.id, access, card, question },
    })),
    minRole: "manager",
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMs),
  });
  return offered.map((access) => ({ label: labels[access], token: tokens[access] }));
}

/** Nothing to choose where there is only one. */
async function leadSelect(scene: Scene, place: Place, card: Kind): Promise<Post["selects"]> {
  const { unit, deps, words } = scene;
  const teammates = (await deps.teammates.list(unit.db)).slice(0, mostOptions);
  if (teammates.length < 2) return undefined;
  const lead = leadOf(place, teammates);
  const tokens: Readonly<Record<string, string>> = await issueTokens(unit, {
    choices: teammates.map(({ id }) => ({
      key: id,
      action: "place_lead",
      payload: { placeId: place.id, teammateId: id, card },
    })),
    minRole: "manager",
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMs),
  });
  const options = teammates.map(({ id, name, title }) => ({
    label: name,
    description: title,
    token: tokens[id] ?? "",
    current: id === lead?.id,
  }));
  return [{ label: words.places.whoLeads, options }];
}

/** Where nobody was chosen, the oldest answers. */
function leadOf(place: Place, teammates: readonly Teammate[]): Teammate | undefined {
  return teammates.find(({ id }) => id === place.leadTeammateId) ?? teammates[0];
}
