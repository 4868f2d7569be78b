import { z } from "zod";
import type { HandOutcome, MemoryWish } from "../../memory/index.ts";
import { allows } from "../../people/index.ts";
import { mayAsk } from "../../places/index.ts";
import {
  type Action,
  type Card,
  type FormAction,
  type FormContext,
  type Pressed,
  redraw,
  type UseEvent,
} from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import type { PersonScene } from "../scene.ts";
import { plain } from "../scene.ts";
import { askerOf, type CardAbout, cardSchema, memorySchema } from "./asking.ts";
import { listCard, memoryCard, sureCard } from "./card.ts";

const setSchema = memorySchema.extend({
  pinned: z.boolean().optional(),
  audience: z.enum(["here", "everyone"]).optional(),
});

/** What its buttons do, by the action of their tokens. */
export const memoryActions: Readonly<Record<string, Action>> = {
  async memory_list(scene, payload, card) {
    return show(scene, cardSchema.parse(payload), card);
  },

  async memory_open(scene, payload, card) {
    const about = memorySchema.parse(payload);
    return show(scene, about, card, about.memoryId);
  },

  async memory_forget(scene, payload, card) {
    const about = memorySchema.parse(payload);
    const wish = { kind: "forget", memoryId: about.memoryId, expectedRevision: about.revision } as const;
    return change(scene, about, card, wish);
  },

  async memory_set(scene, payload, card) {
    const { pinned, audience, ...about } = setSchema.parse(payload);
    const memory = await scene.deps.memories.find(scene.unit.db, askerOf(scene.person, about), about.memoryId);
    const text = memory?.text ?? "";
    const of = { memoryId: about.memoryId, expectedRevision: about.revision };
    return change(scene, about, card, { kind: "remember", text, ...of, pinned, audience });
  },

  async memory_clear_ask(scene, payload, card) {
    const { deps, unit } = scene;
    const about = cardSchema.parse(payload);
    const teammate = await deps.teammates.get(unit.db, about.teammateId);
    if (!teammate) return gone(scene);
    await redraw(scene, card, await sureCard(scene, teammate, about));
    return { outcome: handled };
  },

  async memory_clear(scene, payload, card) {
    const { deps, unit, person, words } = scene;
    const about = cardSchema.parse(payload);
    const teammate = await deps.teammates.get(unit.db, about.teammateId);
    if (!teammate) return gone(scene);
    if (!allows(person.role, "manager")) return { outcome: dropped("refused"), answer: words.teammates.needsManager };
    await deps.memories.forgetAll(unit, teammate.id, person);
    const answer = words.memory.forgottenAll(plain(teammate.name));
    await redraw(scene, card, { text: answer });
    return { outcome: handled, answer };
  },
};

/** The buttons that ask for something written. */
export const memoryForms: Readonly<Record<string, FormAction>> = {
  memory_edit: {
    async form({ db, deps, person, words }, payload) {
      const about = memorySchema.parse(payload);
      const memory = await deps.memories.find(db, askerOf(person, about), about.memoryId);
      return memory && { ...words.memory.forms.edit, value: memory.text, long: true, required: true };
    },
    problem: (context, payload, value) => problemIn(context, memorySchema.parse(payload), corrected(payload, value)),
    fill: (scene, payload, value, card) => change(scene, memorySchema.parse(payload), card, corrected(payload, value)),
  },

  memory_add: {
    form: async ({ words }) => ({ ...words.memory.forms.add, long: true, required: true }),
    problem: (context, payload, text) => problemIn(context, cardSchema.parse(payload), { kind: "remember", text }),
    fill: (scene, payload, text, card) => change(scene, cardSchema.parse(payload), card, { kind: "remember", text }),
  },
};

function corrected(payload: unknown, text: string): MemoryWish {
  const { memoryId, revision } = memorySchema.parse(payload);
  return { kind: "remember", text, memoryId, expectedRevision: revision };
}

async function problemIn(
  { db, deps, person, words }: FormContext,
  about: CardAbout,
  wish: MemoryWish,
): Promise<string | null> {
  const outcome = await deps.memories.check(db, askerOf(person, about), wish);
  return outcome.kind === "refused" ? words.memory.problems[outcome.why] : null;
}

/** Makes a change and shows what there is then: the memory it was about, or else the list. */
async function change(
  scene: PersonScene<UseEvent>,
  about: CardAbout & { readonly memoryId?: string | undefined },
  card: Card,
  wish: MemoryWish,
): Promise<Pressed> {
  const { unit, deps, person, place, words } = scene;
  if (!mayAsk(place, person)) return { outcome: dropped("refused"), answer: words.inbox.notAllowed };
  const outcome = await deps.memories.change(unit, askerOf(person, about), wish);
  const shown = await show(scene, about, card, about.memoryId);
  if (shown.outcome.kind === "dropped") return shown;
  if (outcome.kind !== "refused") return { outcome: handled, answer: answerTo(outcome, scene) };
  return { outcome: dropped("invalid"), answer: words.memory.problems[outcome.why] };
}

function answerTo({ kind }: Exclude<HandOutcome, { kind: "refused" }>, { words }: PersonScene): string {
  switch (kind) {
    case "added":
    case "changed":
      return words.memory.saved;
    case "forgotten":
      return words.memory.forgotten;
    case "known":
      return words.memory.known;
  }
}

async function show(
  scene: PersonScene<UseEvent>,
  about: CardAbout,
  card: Card,
  memoryId?: string | undefined,
): Promise<Pressed> {
  const { unit, deps, person, place, words } = scene;
  if (!mayAsk(place, person)) return { outcome: dropped("refused"), answer: words.inbox.notAllowed };
  const teammate = await deps.teammates.get(unit.db, about.teammateId);
  if (!teammate) return gone(scene);
  const memory =
    memoryId === undefined ? undefined : await deps.memories.find(unit.db, askerOf(person, about), memoryId);
  const post = memory ? memoryCard(scene, teammate, about, memory) : listCard(scene, teammate, about);
  await redraw(scene, card, await post);
  return { outcome: handled };
}

function gone({ words }: PersonScene): Pressed {
  return { outcome: dropped("invalid"), answer: words.teammates.problems.gone };
}
