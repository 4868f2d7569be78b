import { issueTokens, type NewTokens } from "../attention/index.ts";
import { type Button, clip, type Post, type Select } from "../chat/index.ts";
import { allows, type Role } from "../people/index.ts";
import { accesses, autonomies, efforts, type Profile, type Teammate } from "../teammates/index.ts";
import type { Words } from "../words/index.ts";
import { plain, type Scene } from "./scene.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;
const longestJob = 600;

/** What is written; the rest is chosen from lists. */
export const writtenFields = ["name", "title", "job", "model", "picture"] as const;
type Setting = Pick<Profile, "autonomy"> | Pick<Profile, "access"> | Pick<Profile, "effort">;

type ProfilePost = Pick<Post, "text" | "buttons" | "selects">;

/** One colleague's profile; with controls for those who may change it. */
export async function profileCard(scene: Scene, teammate: Teammate): Promise<ProfilePost> {
  const text = profileText(teammate, scene.words);
  const isManager = scene.person !== null && allows(scene.person.role, "manager");
  return isManager ? { text, ...(await controls(scene, teammate)) } : { text };
}

function profileText(teammate: Teammate, { teammates: words }: Words): string {
  const { name, title, job, autonomy, access, model, effort, picture } = teammate;
  const { labels } = words;
  const shownJob = clip(job, longestJob);
  const lines = [
    [labels.autonomy, words.autonomy[autonomy]],
    [labels.access, access === "full" ? `${words.access.full}. ${words.fullNeedsIsolation}` : words.access[access]],
    [labels.model, model === null ? words.usual : plain(model)],
    [labels.effort, effortName(effort, words)],
    [labels.picture, picture === null ? words.none : plain(picture)],
  ];
  return [
    `**${plain(name)}**, ${plain(title)}`,
    plain(shownJob),
    lines.map(([label, value]) => `- **${label}:** ${value}`).join("\n"),
  ].join("\n\n");
}

function effortName(effort: string | null, words: Words["teammates"]): string {
  const known = efforts.find((each) => each === effort);
  return known === undefined ? (effort ?? words.usual) : words.effort[known];
}

interface Option {
  readonly label: string;
  readonly description?: string | undefined;
  readonly current: boolean;
  readonly set: Setting;
  readonly minRole?: Role | undefined;
}

/** One group of tokens for the whole card: each change draws it anew. */
async function controls(scene: Scene, teammate: Teammate): Promise<Omit<ProfilePost, "text">> {
  const words = scene.words.teammates;
  const selects = settings(teammate, words);
  const { place, deps, unit } = scene;
  // Where nobody was chosen, the oldest answers.
  const lead = place.leadTeammateId ?? (await deps.teammates.list(unit.db))[0]?.id;
  const leads = place.kind === "dm" || lead === teammate.id;
  const token = await issue(
    scene,
    teammate,
    selects.flatMap((select) => select.options),
    !leads,
  );
  const buttons: Button[][] = [
    writtenFields.slice(0, 3).map((field) => ({ label: words.buttons[field], token: token(field), opensForm: true })),
    writtenFields.slice(3).map((field) => ({ label: words.buttons[field], token: token(field), opensForm: true })),
  ];
  if (!leads) buttons.push([{ label: words.answersHere, token: token("lead") }]);
  return { buttons, selects: toSelects(selects, token) };
}

interface Setter {
  readonly label: string;
  readonly options: readonly Option[];
}

function settings(teammate: Teammate, words: Words["teammates"]): readonly Setter[] {
  const autonomy = autonomies.map((each) => ({
    label: words.autonomy[each],
    current: each === teammate.autonomy,
    set: { autonomy: each },
    minRole: each === "autonomous" ? ("admin" as const) : undefined,
  }));
  const access = accesses.map((each) => ({
    label: words.access[each],
    description: words.accessNote[each],
    current: each === teammate.access,
    set: { access: each },
    minRole: each === "full" ? ("admin" as const) : undefined,
  }));
  const effort = [null, ...efforts].map((each) => ({
    label: each === null ? words.usual : words.effort[each],
    current: each === teammate.effort,
    set: { effort: each },
  }));
  return [
    { label: words.labels.autonomy, options: autonomy },
    { label: words.labels.access, options: access },
    { label: words.labels.effort, options: effort },
  ];
}

function toSelects(setters: readonly Setter[], token: (key: string) => string): readonly Select[] {
  return setters.map(({ label, options }) => ({
    label,
    options: options.map((option) => ({
      label: option.label,
      description: option.description,
      current: option.current,
      token: token(keyOf(option.set)),
    })),
  }));
}

function keyOf(set: Setting): string {
  return JSON.stringify(set);
}

async function issue(
  { unit, deps, place }: Scene,
  { id: teammateId }: Teammate,
  options: readonly Option[],
  withLead: boolean,
): Promise<(key: string) => string> {
  const choices: NewTokens["choices"][number][] = [
    ...writtenFields.map((field) => ({ key: field, action: "teammate_edit", payload: { teammateId, field } })),
    ...options.map(({ set, minRole }) => ({
      key: keyOf(set),
      action: "teammate_set",
      payload: { teammateId, ...set },
      minRole,
    })),
  ];
  if (withLead) choices.push({ key: "lead", action: "teammate_lead", payload: { teammateId, placeId: place.id } });
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs);
  const tokens = await issueTokens(unit, { choices, minRole: "manager", expiresAt });
  return (key) => {
    const token = tokens[key];
    if (token === undefined) throw new Error(`no token was made for ${key}`);
    return token;
  };
}
