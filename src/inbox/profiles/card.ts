import { issueTokens, type NewTokens } from "../../attention/index.ts";
import { type Button, clip, type Post, type Select } from "../../chat/index.ts";
import { allows, type Role } from "../../people/index.ts";
import type { Member, Teammate } from "../../teammates/index.ts";
import type { Words } from "../../words/index.ts";
import { plain, type Scene } from "../scene.ts";
import { effortName, optionsIn, type Setting, switches } from "./settings.ts";
import type { View, writtenFields } from "./views.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;
const longestJob = 600;

export type ProfilePost = Pick<Post, "text" | "buttons" | "selects">;

/** One colleague's profile; with controls for those who may change it. */
export async function profileCard(scene: Scene, teammate: Member, view: View = "facts"): Promise<ProfilePost> {
  const text = profileText(teammate, scene.words);
  const isManager = scene.person !== null && allows(scene.person.role, "manager");
  return isManager ? { text, ...(await controls(scene, teammate, view)) } : { text };
}

function profileText(teammate: Member, { teammates: words }: Words): string {
  const { name, title, job, autonomy, access, busyMode, model, effort, notifications, picture, hidden } = teammate;
  const { labels } = words;
  const lines = [
    [labels.autonomy, words.autonomy[autonomy]],
    [labels.access, access === "full" ? `${words.access.full}. ${words.fullNeedsIsolation}` : words.access[access]],
    [labels.busyMode, words.busyMode[busyMode]],
    [labels.model, model === null ? words.usual : plain(model)],
    [labels.effort, effortName(effort, words)],
    [labels.notifications, notifications ? words.notifications.on : words.notifications.off],
    [labels.picture, picture === null ? words.none : plain(picture)],
  ];
  return [
    `**${plain(name)}**, ${plain(title)}`,
    ...(hidden ? [words.awayKeeps] : []),
    plain(clip(job, longestJob)),
    lines.map(([label, value]) => `- **${label}:** ${value}`).join("\n"),
  ].join("\n\n");
}

interface Key {
  readonly label: string;
  readonly action: string;
  readonly payload: object;
  readonly opensForm?: boolean;
  readonly minRole?: Role | undefined;
}

type Choice = NewTokens["choices"][number];

/** One group of tokens for the whole card: each press draws it anew. */
async function controls(scene: Scene, teammate: Member, view: View): Promise<Omit<ProfilePost, "text">> {
  const words = scene.words.teammates;
  const rows = await keysOf(scene, teammate, view);
  const setters = teammate.hidden ? [] : optionsIn(view, teammate, words);
  const choices: Choice[] = [
    ...rows.flat().map((key) => ({ ...key, key: key.label })),
    ...setters.flatMap(({ options }) =>
      options.map(({ set, minRole }) => ({ ...setChoice(teammate, view, set), key: JSON.stringify(set), minRole })),
    ),
  ];
  const token = await issue(scene, choices);
  const buttons = rows.map((row) =>
    row.map(({ label, opensForm = false }): Button => ({ label, token: token(label), opensForm })),
  );
  const selects = setters.map(
    ({ label, options }): Select => ({
      label,
      options: options.map(({ set, label: name, description, current }) => {
        return { label: name, description, current, token: token(JSON.stringify(set)) };
      }),
    }),
  );
  return { buttons, selects };
}

function setChoice({ id: teammateId }: Teammate, view: View, set: Setting) {
  return { action: "teammate_set", payload: { teammateId, view, ...set } };
}

/** The buttons of a view, row by row. */
async function keysOf(scene: Scene, teammate: Member, view: View): Promise<readonly (readonly Key[])[]> {
  const words = scene.words.teammates;
  const about = { teammateId: teammate.id, view };
  if (teammate.hidden) {
    return mayHide(scene) ? [[{ label: words.show, action: "teammate_show", payload: about, minRole: "admin" }]] : [];
  }
  const open = (to: Exclude<View, "facts">): Key => {
    return { label: words.views[to], action: "teammate_view", payload: { ...about, view: to } };
  };
  const write = (field: (typeof writtenFields)[number]): Key => {
    return { label: words.buttons[field], action: "teammate_edit", payload: { ...about, field }, opensForm: true };
  };
  const back = [{ label: words.back, action: "teammate_view", payload: { ...about, view: "facts" } }];
  switch (view) {
    case "facts":
      return [[open("edit"), open("settings"), open("model"), open("more")]];
    case "edit":
      return [[write("name"), write("title")], [write("job"), write("picture")], back];
    case "settings":
      return [switches(teammate, words).map(({ label, set }) => ({ label, ...setChoice(teammate, view, set) })), back];
    case "model":
      return [[write("model")], back];
    case "more":
      return [...(await moreKeys(scene, teammate)), back];
  }
}

async function moreKeys(scene: Scene, teammate: Member): Promise<Key[][]> {
  const words = scene.words.teammates;
  const { place } = scene;
  const about = { teammateId: teammate.id, view: "more" };
  const copy: Key = { label: words.copy, action: "teammate_copy", payload: about, opensForm: true };
  const hide: Key = { label: words.hide, action: "teammate_hide", payload: about, minRole: "admin" };
  const keys = [mayHide(scene) ? [copy, hide] : [copy]];
  if (!(await leadsHere(scene, teammate))) {
    keys.push([{ label: words.answersHere, action: "teammate_lead", payload: { ...about, placeId: place.id } }]);
  }
  return keys;
}

/** Nothing to choose in a direct message. Where nobody was chosen, or that one is away, the oldest answers. */
async function leadsHere({ place, deps, unit }: Scene, teammate: Teammate): Promise<boolean> {
  if (place.kind === "dm") return true;
  const teammates = await deps.teammates.list(unit.db);
  const lead = teammates.find(({ id }) => id === place.leadTeammateId) ?? teammates[0];
  return lead?.id === teammate.id;
}

function mayHide({ person }: Scene): boolean {
  return person !== null && allows(person.role, "admin");
}

async function issue({ unit, deps }: Scene, choices: readonly Choice[]): Promise<(key: string) => string> {
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs);
  const tokens = choices.length === 0 ? {} : await issueTokens(unit, { choices, minRole: "manager", expiresAt });
  const byKey: Readonly<Record<string, string>> = tokens;
  return (key) => {
    const token = byKey[key];
    if (token === undefined) throw new Error(`no token was made for ${key}`);
    return token;
  };
}
