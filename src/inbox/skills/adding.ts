import { allows } from "../../people/index.ts";
import { type Bundle, bundleOfArchive, bundleOfFolder, bundleOfText, type SkillProblem } from "../../skills/index.ts";
import type { UseEvent } from "../action.ts";
import type { PersonCommandScene } from "../command.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { type PersonScene, say } from "../scene.ts";
import { textOf, type Upload } from "../uploads.ts";
import { skillCard } from "./card.ts";

/** A SKILL.md alone or an archive, as a file. */
export async function takeSkillFile(scene: PersonScene<UseEvent>, { name, content }: Upload): Promise<Outcome> {
  const words = scene.words.skills;
  if (typeof content === "string") return refuse(scene, scene.words.instructions.uploadProblems[content]);
  if (/\.zip$/iu.test(name) || isArchive(content)) return add(scene, await bundleOfArchive(content), "upload");
  const text = textOf(content);
  return text === undefined ? refuse(scene, words.notText) : add(scene, await bundleOfText(text), "upload");
}

export async function takeSkillText(scene: PersonScene<UseEvent>, text: string): Promise<Outcome> {
  return add(scene, await bundleOfText(text), "upload");
}

/** `/skills add /path`: what lies on the computer itself is for its owner alone. */
export async function takeSkillFolder(scene: PersonCommandScene, path: string): Promise<Outcome> {
  const words = scene.words.skills;
  if (scene.person.role !== "owner") return refuse(scene, words.needsOwner);
  if (!path.startsWith("/")) return refuse(scene, words.absolutePath);
  return add(scene, await bundleOfFolder(path), "path");
}

async function add(scene: PersonScene, bundle: Bundle | SkillProblem, from: "upload" | "path"): Promise<Outcome> {
  const { unit, deps, person } = scene;
  const words = scene.words.skills;
  if (!allows(person.role, "manager")) return refuse(scene, words.needsManager);
  if (typeof bundle === "string") return refuse(scene, words.notAdded(words.problems[bundle]));
  const done = await deps.skills.install(unit, bundle, { kind: "person", person, from });
  if (done.kind !== "installed") throw new Error("a person's skill was refused");
  const { skill, replaced } = done;
  const lead = replaced && skill.teammates.length > 0 ? words.replaced : words.added;
  const card = await skillCard(scene, skill, lead);
  await say(scene, card.text, { ...card, purpose: "card", part: "added" });
  return handled;
}

async function refuse(scene: PersonScene, text: string): Promise<Outcome> {
  await say(scene, text);
  return dropped("invalid");
}

/** By its first bytes, whatever it is called. */
function isArchive(content: Uint8Array): boolean {
  return content[0] === 0x50 && content[1] === 0x4b && content[2] === 0x03 && content[3] === 0x04;
}
