import { z } from "zod";
import { newId } from "../../shared/index.ts";
import { askName, isTaken, problemIn, readSentence, type Teammate } from "../../teammates/index.ts";
import type { Words } from "../../words/index.ts";
import { type Action, type FormAction, redraw } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { welcomeHere } from "../welcome.ts";
import { askForBetter } from "./better-draft.ts";
import { type Draft, draftCard, draftSchema, type Field, fields } from "./draft.ts";
import { closeDraft } from "./drafts.store.ts";

const editSchema = z.object({ draft: draftSchema, field: z.enum(fields) });
const createSchema = z.object({ draft: draftSchema });

/** Shows what was understood of a sentence, before anybody joins. A model may understand more of it, a moment later. */
export async function showDraft(scene: PersonScene, sentence: string): Promise<void> {
  const { words } = scene;
  const { name, title, job } = readSentence(sentence);
  const draft = {
    id: newId(),
    name,
    title: title ?? words.teammates.draft.title,
    job: job ?? words.teammates.draft.job,
  };
  const card = await draftCard(scene, draft);
  const [postId] = await say(scene, card.text, { ...card, purpose: "card", part: "draft" });
  if (postId !== undefined) await askForBetter(scene, { sentence, draft, postId });
}

function withField(draft: Draft, field: Field, value: string): Draft {
  return { ...draft, [field]: value };
}

/** One line of the draft, to be written anew. */
export const draftForm: FormAction = {
  async form({ words }, payload) {
    const { draft, field } = editSchema.parse(payload);
    return {
      ...words.teammates.forms[field],
      value: draft[field] ?? undefined,
      long: field === "job",
      required: true,
    };
  },
  async problem({ db, deps, words }, payload, value) {
    const { field } = editSchema.parse(payload);
    const wrong = problemIn({ [field]: value });
    const taken = field === "name" && isTaken(value, await deps.teammates.everyone(db)) ? "name_taken" : null;
    const problem = wrong ?? taken;
    return problem && words.teammates.problems[problem];
  },
  async fill(scene, payload, value, card) {
    const { draft, field } = editSchema.parse(payload);
    await settle(scene, draft);
    await redraw(scene, card, await draftCard(scene, withField(draft, field, value)));
    return { outcome: handled };
  },
};

export const createDraft: Action = async (scene, payload, card) => {
  const { unit, deps, person, words } = scene;
  const { draft } = createSchema.parse(payload);
  await settle(scene, draft);
  const { id, name, title, job, firstTasks } = draft;
  const key = id && `draft:${id}`;
  const saved =
    name === null
      ? ({ kind: "refused", problem: "name_missing" } as const)
      : await deps.teammates.create(unit, person, { name, title, job }, { key, firstTasks });
  if (saved.kind === "refused") {
    await redraw(scene, card, await draftCard(scene, draft));
    return { outcome: dropped("invalid"), answer: words.teammates.problems[saved.problem] };
  }
  const { teammate } = saved;
  await redraw(scene, card, await welcomeHere(scene, teammate));
  // Where only one person saw the card, the others hear of their new colleague, too.
  if (card.onlyFor) await say(scene, joinedText(teammate, words), { toAll: true });
  return { outcome: handled };
};

/** Whoever touches a draft has the last word: nothing improves it from then on. */
async function settle({ unit }: PersonScene, { id }: Draft): Promise<void> {
  if (id !== undefined) await closeDraft(unit.db, id);
}

function joinedText(teammate: Teammate, { teammates: words }: Words): string {
  return words.welcome.joined(plain(teammate.name), plain(teammate.title), `/ask ${plain(askName(teammate))}`, false);
}

export const cancelDraft: Action = async (scene, payload, card) => {
  // Cards of an older release say nothing of their draft.
  const cancelled = createSchema.safeParse(payload).data;
  if (cancelled) await settle(scene, cancelled.draft);
  await redraw(scene, card, { text: scene.words.teammates.draft.cancelled });
  return { outcome: handled };
};
