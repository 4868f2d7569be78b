import { z } from "zod";
import { issueTokens } from "../../attention/index.ts";
import type { Post } from "../../chat/index.ts";
import type { Unit } from "../../storage/index.ts";
import { isTaken, type ProfileProblem, problemIn, type Teammate } from "../../teammates/index.ts";
import type { Words } from "../../words/index.ts";
import type { InboxDeps } from "../deps.ts";
import { plain } from "../scene.ts";

const lifetimeMs = 24 * 60 * 60_000;
export const fields = ["name", "title", "job"] as const;
export type Field = (typeof fields)[number];

/** A colleague who has not joined yet lives in the tokens of its card, and nowhere else. */
export const draftSchema = z.object({
  /** The same from the first card to the creation; drafts of an older release have none. */
  id: z.uuid().optional(),
  name: z.string().nullable(),
  title: z.string(),
  job: z.string(),
  /** What to try first; nobody chose that yet where it is absent. */
  firstTasks: z.array(z.string()).optional(),
});
export type Draft = z.infer<typeof draftSchema>;
/** What it takes to draw a draft: an event, or a process in which nothing happened. */
export interface DraftScene {
  readonly unit: Unit;
  readonly deps: Pick<InboxDeps, "teammates" | "clock">;
  readonly words: Words;
}

export async function draftCard(scene: DraftScene, draft: Draft): Promise<Pick<Post, "text" | "buttons">> {
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
      { key: "cancel", action: "draft_cancel", payload: { draft } },
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
export function problemOf({ name, title, job }: Draft, others: readonly Teammate[]): ProfileProblem | null {
  const problem = problemIn({ title, job, ...(name === null ? {} : { name }) });
  return problem ?? (name !== null && isTaken(name, others) ? "name_taken" : null);
}
