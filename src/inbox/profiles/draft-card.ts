import { z } from "zod";
import { issueTokens } from "../../attention/index.ts";
import type { Post } from "../../chat/index.ts";
import { newId } from "../../shared/index.ts";
import {
  askName,
  type Described,
  isTaken,
  type ProfileProblem,
  problemIn,
  type Teammate,
} from "../../teammates/index.ts";
import type { Words } from "../../words/index.ts";
import { type Action, type FormAction, redraw } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import { type PersonScene, plain, say } from "../scene.ts";
import { welcomeHere } from "../welcome.ts";

const lifetimeMs = 24 * 60 * 60_000;
const fields = ["name", "title", "job"] as const;
type Field = (typeof fields)[number];

/** A colleague who has not joined yet lives in the tokens of its card, and nowhere else. */
const draftSchema = z.object({
  /** The same from the first card to the creation; drafts of an older release have none. */
  id: z.uuid().optional(),
  name: z.string().nullable(),
  title: z.string(),
  job: z.string(),
});
type Draft = z.infer<typeof draftSchema>;
const editSchema = z.object({ draft: draftSchema, field: z.enum(fields) });
const createSchema = z.object({ draft: draftSchema });

/** Shows what was understood of a sentence, before anybody joins. */
export async function showDraft(scene: PersonScene, described: Described): Promise<void> {
  const { words } = scene;
  const { name, title, job } = described;
  const draft = {
    id: newId(),
    name,
    title: title ?? words.teammates.draft.title,
    job: job ?? words.teammates.draft.job,
  };
  const card = await draftCard(scene, draft);
  await say(scene, card.text, { ...card, purpose: "card", part: "draft" });
}

async function draftCard(scene: PersonScene, draft: Draft): Promise<Pick<Post, "text" | "buttons">> {
  const { unit, deps } = scene;
  const words = scene.words.teammates;
  const problem = problemOf(draft, await deps.teammates.everyone(unit.db));
  const edit = (field: Field) => ({ key: field, action: "draft_edit", payload: { draft, field } }) as const;
  const tokens = await issueTokens(unit, {
    choices: [
      { key: "create", action: "draft_create", payload: { draft } },
      edit("name"),
      edit("title"),
      edit("job"),
      { key: "cancel", action: "draft_cancel", payload: {} },
    ],
    minRole: "manager",
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMs),
  });
  const { draft: labels } = words;
  const opens = (label: string, field: Field) => ({ label, token: tokens[field], opensForm: true });
  const isReady = draft.name !== null && problem === null;
  const first = isReady
    ? [{ label: labels.create, token: tokens.create, style: "primary" as const }, opens(labels.editName, "name")]
    : [{ ...opens(labels.chooseName, "name"), style: "primary" as const }];
  return {
    text: draftText(draft, problem, scene.words),
    buttons: [
      first,
      [opens(labels.editTitle, "title"), opens(labels.editJob, "job")],
      [{ label: labels.cancel, token: tokens.cancel }],
    ],
  };
}

function draftText(draft: Draft, problem: ProfileProblem | null, { teammates: words }: Words): string {
  const { labels } = words;
  const name = draft.name === null ? words.draft.noName : plain(draft.name);
  return [
    words.draft.heading,
    [
      `- **${labels.name}:** ${name}`,
      `- **${labels.title}:** ${plain(draft.title)}`,
      `- **${labels.job}:** ${plain(draft.job)}`,
    ].join("\n"),
    ...(problem === null ? [] : [words.problems[problem]]),
  ].join("\n\n");
}

/** What stands in the way of this draft; a name that is still missing does not. */
function problemOf({ name, title, job }: Draft, others: readonly Teammate[]): ProfileProblem | null {
  const problem = problemIn({ title, job, ...(name === null ? {} : { name }) });
  return problem ?? (name !== null && isTaken(name, others) ? "name_taken" : null);
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
    await redraw(scene, card, await draftCard(scene, withField(draft, field, value)));
    return { outcome: handled };
  },
};

export const createDraft: Action = async (scene, payload, card) => {
  const { unit, deps, person, words } = scene;
  const { draft } = createSchema.parse(payload);
  const { id, name, title, job } = draft;
  const key = id && `draft:${id}`;
  const saved =
    name === null
      ? ({ kind: "refused", problem: "name_missing" } as const)
      : await deps.teammates.create(unit, person, { name, title, job }, { key });
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

function joinedText(teammate: Teammate, { teammates: words }: Words): string {
  return words.welcome.joined(plain(teammate.name), plain(teammate.title), `/ask ${plain(askName(teammate))}`, false);
}

export const cancelDraft: Action = async (scene, _payload, card) => {
  await redraw(scene, card, { text: scene.words.teammates.draft.cancelled });
  return { outcome: handled };
};
