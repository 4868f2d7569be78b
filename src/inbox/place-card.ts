import { z } from "zod";
import { issueTokens } from "../attention/index.ts";
import type { Post } from "../chat/index.ts";
import type { Place } from "../places/index.ts";
import type { Teammate } from "../teammates/index.ts";
import { type Action, redraw } from "./action.ts";
import { dropped, handled } from "./outcome.ts";
import { type PersonScene, plain, type Scene, say } from "./scene.ts";

const askAgainMs = 24 * 60 * 60_000;
const lifetimeMs = 7 * 24 * 60 * 60_000;
/** What a list holds on any platform. */
const mostOptions = 25;

const accesses = ["everyone", "members", "owner"] as const;
type Access = (typeof accesses)[number];

/** The card that asked first is closed by the decision; the one of `/place` keeps its controls. */
const kinds = ["asking", "controls"] as const;
type Kind = (typeof kinds)[number];
const accessSchema = z.object({ placeId: z.uuid(), access: z.enum(accesses), card: z.enum(kinds).default("asking") });
const leadSchema = z.object({ placeId: z.uuid(), teammateId: z.uuid(), card: z.enum(kinds) });

/** Asks once (and once a day while nobody decides) who may ask here; managers and above can press. */
export async function askWhoMayAsk(scene: Scene): Promise<void> {
  const { unit, deps, place, words } = scene;
  const now = deps.clock.now().getTime();
  if (place.askedAccessAt && now - place.askedAccessAt.getTime() < askAgainMs) return;
  const [owner] = await deps.people.owners(unit.db);
  if (owner === undefined) return;
  await deps.places.markAccessAsked(unit, place.id);
  await say(scene, words.places.ask(plain(owner.displayName)), {
    purpose: "card",
    notify: true,
    part: "access",
    toAll: true,
    buttons: [await accessButtons(scene, "asking", [...accesses])],
  });
}

/** Who may ask in this place and who answers, with the means to change both. */
export async function placeControls(scene: Scene, place: Place): Promise<Pick<Post, "text" | "buttons" | "selects">> {
  const { unit, deps, words } = scene;
  const teammates = await deps.teammates.list(unit.db);
  const lead = leadOf(place, teammates);
  const others = accesses.filter((access) => access !== place.access);
  return {
    text: [await accessText(scene, place.access), lead && words.places.leads(plain(lead.name))]
      .filter(Boolean)
      .join(" "),
    buttons: [await accessButtons(scene, "controls", others)],
    selects: await leadSelect(scene, place, "controls"),
  };
}

/** Carries the choice out and shows it on the card: the one that asked says who decided. */
export const openPlace: Action = async (scene, payload, card) => {
  const { unit, deps, person } = scene;
  const { placeId, access, card: kind } = accessSchema.parse(payload);
  await deps.places.setAccess(unit, placeId, access, person);
  await redrawPlace(scene, kind, placeId, (post) => redraw(scene, card, post));
  return { outcome: handled, answer: await accessText(scene, access) };
};

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
  const what = [await accessText(scene, place.access), lead && words.places.leads(plain(lead.name))];
  return {
    text: words.places.openedBy(what.filter(Boolean).join(" "), plain(person.displayName)),
    selects: await leadSelect(scene, place, "asking"),
  };
}

async function accessText({ unit, deps, words }: Scene, access: Place["access"]): Promise<string> {
  const { opened, closed } = words.places;
  if (access === "closed") return closed;
  if (access !== "owner") return opened[access];
  const [owner] = await deps.people.owners(unit.db);
  return opened.owner(plain(owner?.displayName ?? ""));
}

async function accessButtons({ unit, deps, place, words }: Scene, card: Kind, offered: readonly Access[]) {
  const labels = { everyone: words.places.everyone, members: words.places.team, owner: words.places.onlyOwner };
  const tokens = await issueTokens(unit, {
    choices: offered.map((access) => ({
      key: access,
      action: "place_access",
      payload: { placeId: place.id, access, card },
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
