import { z } from "zod";
import type { InstalledSkill } from "../../skills/index.ts";
import { type Action, type FormAction, type Pressed, redraw, type UseEvent } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import { type PersonScene, plain } from "../scene.ts";
import { takeSkillText } from "./adding.ts";
import { listCard, skillCard, sureCard } from "./card.ts";
import { askWithSkill } from "./using.ts";

const about = z.object({ skillId: z.uuid() });
const setSchema = about.extend({ teammateId: z.uuid(), has: z.boolean() });
const removeSchema = about.extend({ sure: z.boolean() });
const useSchema = z.object({ name: z.string() });

/** What its buttons do, by the action of their tokens. */
export const skillsActions: Readonly<Record<string, Action>> = {
  async skills_list(scene, _payload, card) {
    await redraw(scene, card, await listCard(scene));
    return { outcome: handled };
  },

  async skills_open(scene, payload, card) {
    const skill = await find(scene, about.parse(payload).skillId);
    await redraw(scene, card, skill ? await skillCard(scene, skill) : await listCard(scene));
    return skill ? { outcome: handled } : gone(scene);
  },

  async skills_set(scene, payload, card) {
    const { deps, unit, person } = scene;
    const words = scene.words.skills;
    const { skillId, teammateId, has } = setSchema.parse(payload);
    const teammate = await deps.teammates.get(unit.db, teammateId);
    if (!teammate) return { outcome: dropped("invalid"), answer: scene.words.instructions.problems.gone };
    const done = has
      ? await deps.skills.enable(unit, skillId, teammateId, person)
      : await deps.skills.disable(unit, skillId, teammateId, person);
    const skill = await find(scene, skillId);
    await redraw(scene, card, skill ? await skillCard(scene, skill) : await listCard(scene));
    if (!skill) return gone(scene);
    if (done === "too_many") return { outcome: dropped("invalid"), answer: words.tooMany(plain(teammate.name)) };
    return { outcome: handled, answer: has ? words.given(teammate.name) : words.taken(teammate.name) };
  },

  async skills_remove(scene, payload, card) {
    const { deps, unit, person } = scene;
    const { skillId, sure } = removeSchema.parse(payload);
    const skill = await find(scene, skillId);
    if (!skill) {
      await redraw(scene, card, await listCard(scene));
      return gone(scene);
    }
    if (!sure) {
      await redraw(scene, card, await sureCard(scene, skill));
      return { outcome: handled };
    }
    await deps.skills.remove(unit, skillId, person);
    await redraw(scene, card, await listCard(scene));
    return { outcome: handled, answer: scene.words.skills.removed(skill.name) };
  },
};

/** The buttons that ask for something written. */
export const skillsForms: Readonly<Record<string, FormAction>> = {
  skills_add: {
    form: async ({ words }) => ({ ...words.skills.addForm, long: true, required: true }),
    problem: async () => null,
    async fill(scene, _payload, value) {
      return { outcome: await takeSkillText(scene, value) };
    },
  },
  skills_use: {
    async form({ db, deps, words }, payload) {
      const skill = await deps.skills.byName(db, useSchema.parse(payload).name);
      return skill && { ...words.skills.useForm, long: true, required: true };
    },
    problem: async () => null,
    async fill(scene, payload, value): Promise<Pressed> {
      const { name } = useSchema.parse(payload);
      return { outcome: await askWithSkill(scene, name, { text: value, sentAt: scene.deps.clock.now() }) };
    },
  },
};

async function find({ deps, unit }: PersonScene<UseEvent>, skillId: string): Promise<InstalledSkill | undefined> {
  return (await deps.skills.list(unit.db)).find(({ id }) => id === skillId);
}

function gone(scene: PersonScene): Pressed {
  return { outcome: dropped("invalid"), answer: scene.words.skills.gone };
}
