import { z } from "zod";
import { issueTokens } from "../../attention/index.ts";
import { reachablePlaces } from "../../places/index.ts";
import type { RoutineDraft } from "../../routines/index.ts";
import { hashToken, redact } from "../../shared/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import type { FormAction } from "../action.ts";
import { redraw } from "../action.ts";
import { teammateHere } from "../memory/index.ts";
import { literally, splitName } from "../naming.ts";
import { handled } from "../outcome.ts";
import { insertReplyForm } from "../reply-forms.store.ts";
import { type PersonScene, say } from "../scene.ts";
import { freshDraft, keepOwn } from "./draft-of.ts";
import { draftView } from "./draft-view.ts";
import { hereOf } from "./here.ts";
import { callTrigger } from "./read-call.ts";
import { nameFor, type ReadWish, readWish } from "./read-wish.ts";
import type { RoutinePost } from "./tokens.ts";

const lifetimeMs = 60 * 60_000;
const beginAbout = z.object({});

/** Asks what should happen and when: in a form where the platform has them, else by a message to reply to. */
export async function askForWish(scene: PersonScene): Promise<void> {
  const { unit, deps, person, words, connectionId } = scene;
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs);
  const { begin } = await issueTokens(unit, {
    choices: [{ key: "begin", action: "routine_begin", payload: {} }],
    personId: person.id,
    expiresAt,
  });
  const { ask, buttons } = words.routines;
  if (deps.adapters.get(connectionId)?.capabilities.forms) {
    const button = { label: buttons.write, token: begin, opensForm: true, style: "primary" } as const;
    await say(scene, ask, { buttons: [[button]], purpose: "card" });
    return;
  }
  const postIds = await say(scene, words.inbox.formReply(ask, undefined), {
    asksReply: true,
    notify: true,
    toAll: true,
  });
  await insertReplyForm(unit.db, { postIds, personId: person.id, payload: { hash: hashToken(begin) }, expiresAt });
}

export const beginForm: FormAction = {
  async form({ words }, payload) {
    beginAbout.parse(payload);
    return { ...words.routines.forms.begin, long: true, required: true };
  },
  async problem({ words }, _payload, value) {
    return value === "" ? words.routines.problems.instruction_empty : null;
  },
  async fill(scene, _payload, value, card) {
    await redraw(scene, card, await draftOfWish(scene, value));
    return { outcome: handled };
  },
};

/** Keeps what was understood of a wish, and draws its card. */
export async function draftOfWish(scene: PersonScene, text: string): Promise<RoutinePost> {
  const { unit, deps, words } = scene;
  const { teammate, rest } = await whoseRoutine(scene, text);
  const fresh = freshDraft(scene);
  const wish = await understood(scene, rest, teammate, fresh.timezone);
  const others = await deps.routines.list(unit.db, { teammateId: teammate.id });
  const names = others.map(({ name }) => name);
  const draft: RoutineDraft = {
    ...fresh,
    kind: "routine",
    name: nameFor(wish.instruction, names),
    instruction: wish.instruction,
    trigger: wish.isCalled ? callTrigger() : wish.schedule && { kind: "schedule", schedule: wish.schedule },
    destinations: [...wish.destinations],
  };
  const kept = await keepOwn(scene, { teammateId: teammate.id, routineId: null, draft });
  const problem = wish.problem ? words.routines.wrongWhen(words.when.problem(wish.problem)) : undefined;
  return draftView(scene, kept, { view: "draft", problem });
}

async function understood(scene: PersonScene, text: string, teammate: Teammate, zone: string): Promise<ReadWish> {
  const { unit, deps, person, connectionId } = scene;
  const places = await reachablePlaces(unit.db, person, teammate.handle);
  const chats = places.filter(({ kind }) => kind === "dm");
  const dm = chats.find((each) => each.connectionId === connectionId) ?? chats[0];
  return readWish(redact(text), zone, deps.clock.now(), {
    home: hereOf(scene),
    connectionId,
    dmId: dm?.id ?? null,
    places,
  });
}

/** `Penny: every Friday …` is Penny's; else whoever is talked to here. */
async function whoseRoutine(scene: PersonScene, text: string): Promise<{ teammate: Teammate; rest: string }> {
  const { deps, unit } = scene;
  const first = await deps.teammates.ensureDefault(unit);
  const teammates = await deps.teammates.list(unit.db);
  const { id, name, rest } = splitName(text, teammates);
  const named = teammates.find((each) => each.id === id);
  const isAddressed = new RegExp(`^\\s*@?${literally(name)}\\s*[:,]`, "iu").test(text);
  if (named && isAddressed) return { teammate: named, rest };
  return { teammate: (await teammateHere(scene, teammates)) ?? first, rest: text };
}
