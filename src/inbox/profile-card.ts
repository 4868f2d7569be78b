import { z } from "zod";
import { issueTokens, type NewTokens } from "../attention/index.ts";
import type { Button, Post, Select } from "../chat/index.ts";
import { allows, type Role } from "../people/index.ts";
import { accesses, autonomies, efforts, isTaken, type Profile, problemIn, type Teammate } from "../teammates/index.ts";
import type { Words } from "../words/index.ts";
import { type Action, type Card, type FormAction, type Pressed, redraw, type UseEvent } from "./action.ts";
import { dropped, handled } from "./outcome.ts";
import { type PersonScene, plain, type Scene } from "./scene.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;
const longestJob = 600;

const fields = ["name", "title", "job", "model", "picture"] as const;
type Field = (typeof fields)[number];

const about = z.object({ teammateId: z.uuid() });
const editSchema = about.extend({ field: z.enum(fields) });
const setSchema = z.union([
  about.extend({ autonomy: z.enum(autonomies) }),
  about.extend({ access: z.enum(accesses) }),
  about.extend({ effort: z.enum(efforts).nullable() }),
]);
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
  const shownJob = job.length > longestJob ? `${job.slice(0, longestJob).toWellFormed()}…` : job;
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
  const leads = scene.place.kind === "dm" || scene.place.leadTeammateId === teammate.id;
  const token = await issue(
    scene,
    teammate,
    selects.flatMap((select) => select.options),
    !leads,
  );
  const buttons: Button[][] = [
    fields.slice(0, 3).map((field) => ({ label: words.buttons[field], token: token(field), opensForm: true })),
    fields.slice(3).map((field) => ({ label: words.buttons[field], token: token(field), opensForm: true })),
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
    ...fields.map((field) => ({ key: field, action: "teammate_edit", payload: { teammateId, field } })),
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

/** One line of a profile, to be written anew. */
export const profileForm: FormAction = {
  async form({ db, deps, words }, payload) {
    const { teammateId, field } = editSchema.parse(payload);
    const teammate = await deps.teammates.get(db, teammateId);
    if (!teammate) return undefined;
    const required = field !== "model" && field !== "picture";
    return { ...words.teammates.forms[field], value: teammate[field] ?? undefined, long: field === "job", required };
  },
  async problem({ db, deps, words }, payload, value) {
    const { teammateId, field } = editSchema.parse(payload);
    const others = (await deps.teammates.list(db)).filter((each) => each.id !== teammateId);
    const taken = field === "name" && isTaken(value, others) ? "name_taken" : null;
    const problem = problemIn(changeOf(field, value, words)) ?? taken;
    return problem && words.teammates.problems[problem];
  },
  async fill(scene, payload, value, card) {
    const { teammateId, field } = editSchema.parse(payload);
    return save(scene, card, teammateId, changeOf(field, value, scene.words));
  },
};

/** What was written, as a change: nothing, or a word for it, takes a model or a picture away. */
function changeOf(field: Field, value: string, { teammates: words }: Words): Partial<Profile> {
  const isChoice = field === "model" || field === "picture";
  return { [field]: isChoice && words.nothing.includes(value.toLowerCase()) ? null : value };
}

export const setProfile: Action = async (scene, payload, card) => {
  const { teammateId, ...change } = setSchema.parse(payload);
  return save(scene, card, teammateId, change);
};

async function save(
  scene: PersonScene<UseEvent>,
  card: Card,
  teammateId: string,
  change: Partial<Profile>,
): Promise<Pressed> {
  const { unit, deps, person } = scene;
  const words = scene.words.teammates;
  const saved = await deps.teammates.update(unit, person, teammateId, change);
  const teammate = saved.kind === "saved" ? saved.teammate : await deps.teammates.get(unit.db, teammateId);
  if (teammate) await redraw(scene, card, await profileCard(scene, teammate));
  if (saved.kind === "refused") return { outcome: dropped("invalid"), answer: words.problems[saved.problem] };
  return { outcome: handled, answer: words.saved };
}

const leadSchema = about.extend({ placeId: z.uuid() });

/** Makes a colleague the one who answers here when nobody is named. */
export const leadFromProfile: Action = async (scene, payload, card) => {
  const { unit, deps, person, place } = scene;
  const words = scene.words.teammates;
  const { teammateId, placeId } = leadSchema.parse(payload);
  const teammate = await deps.teammates.get(unit.db, teammateId);
  if (!teammate) return { outcome: dropped("invalid"), answer: words.problems.gone };
  await deps.places.setLead(unit, placeId, teammateId, person);
  const here = place.id === placeId ? { ...place, leadTeammateId: teammateId } : place;
  await redraw(scene, card, await profileCard({ ...scene, place: here }, teammate));
  return { outcome: handled, answer: words.leads(teammate.name) };
};
