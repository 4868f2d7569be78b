import { issueTokens, type NewTokens } from "../../attention/index.ts";
import { type Button, clip, type Post, type Select } from "../../chat/index.ts";
import { allows } from "../../people/index.ts";
import type { InstalledSkill } from "../../skills/index.ts";
import type { Teammate } from "../../teammates/index.ts";
import { expiry, withFile } from "../instructions/index.ts";
import { type PersonScene, plain } from "../scene.ts";

const longestDescription = 160;
const mostShown = 25;

export type SkillsPost = Pick<Post, "text" | "buttons" | "selects">;

/** All skills, or those of one teammate, with who has them. */
export async function listCard(scene: PersonScene, teammate?: Teammate): Promise<SkillsPost> {
  const { deps, unit } = scene;
  const words = scene.words.skills;
  const teammates = await deps.teammates.list(unit.db);
  const all = await deps.skills.list(unit.db);
  const skills = teammate ? all.filter((skill) => skill.teammates.includes(teammate.id)) : all;
  const shown = skills.slice(0, mostShown);
  const lines = shown.map((skill) =>
    words.line(skill.name, plain(clip(skill.description, longestDescription)), namesOf(skill, teammates)),
  );
  const rest = skills.length - shown.length;
  const [first] = skills;
  const isManager = allows(scene.person.role, "manager");
  const text = [
    words.title,
    [...(lines.length === 0 ? [words.none] : lines), ...(rest > 0 ? [words.more(rest)] : [])].join("\n"),
    ...(first ? [words.howToUse(first.name)] : []),
    ...(isManager ? [words.howToAdd(withFile(scene, "skills"))] : []),
  ].join("\n\n");
  return isManager ? { text, ...(await listControls(scene, shown)) } : { text };
}

async function listControls(scene: PersonScene, skills: readonly InstalledSkill[]): Promise<Omit<SkillsPost, "text">> {
  const words = scene.words.skills;
  const token = await issue(scene, [
    ...skills.map((skill) => ({ key: skill.id, action: "skills_open", payload: { skillId: skill.id } })),
    { key: "add", action: "skills_add", payload: {} },
  ]);
  const options = skills.map(({ id, name }) => ({ label: name, token: token(id) }));
  const buttons = [[{ label: words.add, token: token("add"), opensForm: true }]];
  return options.length === 0 ? { buttons } : { buttons, selects: [{ label: words.open, options }] };
}

/** One skill, with who has it and what can be done about that. */
export async function skillCard(scene: PersonScene, skill: InstalledSkill, lead?: string): Promise<SkillsPost> {
  const { deps, unit } = scene;
  const words = scene.words.skills;
  const teammates = await deps.teammates.list(unit.db);
  const text = [
    ...(lead === undefined ? [] : [lead]),
    words.one(skill.name, plain(skill.description)),
    words.hasIt(namesOf(skill, teammates)),
    words.howToUse(skill.name),
  ].join("\n\n");
  return allows(scene.person.role, "manager") ? { text, ...(await skillControls(scene, skill, teammates)) } : { text };
}

async function skillControls(
  scene: PersonScene,
  skill: InstalledSkill,
  teammates: readonly Teammate[],
): Promise<Omit<SkillsPost, "text">> {
  const words = scene.words.skills;
  const skillId = skill.id;
  const has = (teammateId: string) => skill.teammates.includes(teammateId);
  const shown = teammates.slice(0, mostShown);
  const token = await issue(scene, [
    ...shown.map(({ id }) => ({ key: id, action: "skills_set", payload: { skillId, teammateId: id, has: !has(id) } })),
    { key: "remove", action: "skills_remove", payload: { skillId, sure: false } },
    { key: "back", action: "skills_list", payload: {} },
  ]);
  const labelOf = ({ id, name }: Teammate) => (has(id) ? words.take(name) : words.give(name));
  const row: Button[] = [
    { label: words.remove, token: token("remove"), style: "danger" },
    { label: words.back, token: token("back") },
  ];
  const [only] = shown;
  // A list of one is a button.
  if (only && shown.length === 1) {
    return { buttons: [[{ label: labelOf(only), token: token(only.id), style: "primary" }], row] };
  }
  const options = shown.map((each) => ({ label: labelOf(each), token: token(each.id), current: has(each.id) }));
  const select: Select = { label: words.whoHasIt, options };
  return { buttons: [row], selects: [select] };
}

export async function sureCard(scene: PersonScene, skill: InstalledSkill): Promise<SkillsPost> {
  const { deps, unit } = scene;
  const words = scene.words.skills;
  const names = namesOf(skill, await deps.teammates.list(unit.db));
  const token = await issue(scene, [
    { key: "remove", action: "skills_remove", payload: { skillId: skill.id, sure: true } },
    { key: "keep", action: "skills_open", payload: { skillId: skill.id } },
  ]);
  return {
    text: words.sure(skill.name, names),
    buttons: [
      [
        { label: words.removeNow, token: token("remove"), style: "danger" },
        { label: words.keep, token: token("keep") },
      ],
    ],
  };
}

function namesOf({ teammates: ids }: InstalledSkill, teammates: readonly Teammate[]): readonly string[] {
  return teammates.filter(({ id }) => ids.includes(id)).map(({ name }) => plain(name));
}

/** One group of tokens for the whole card: each change draws it anew. */
async function issue(scene: PersonScene, choices: NewTokens["choices"]): Promise<(key: string) => string> {
  const tokens = await issueTokens(scene.unit, { choices, minRole: "manager", expiresAt: expiry(scene) });
  return (key) => {
    const token = tokens[key];
    if (token === undefined) throw new Error(`no token was made for ${key}`);
    return token;
  };
}
