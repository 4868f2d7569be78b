import { z } from "zod";
import { changeBackups, isSameBackup, mostBackups, readBackups, saveLeft } from "../../access/index.ts";
import type { ButtonEvent } from "../../chat/index.ts";
import { audit } from "../../storage/index.ts";
import { efforts } from "../../teammates/index.ts";
import { type Action, type Card, type Pressed, redraw } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import type { PersonScene } from "../scene.ts";
import { type ModelView, modelCard, modelViews } from "./model-card.ts";

const about = z.object({ teammateId: z.uuid() });
const model = about.extend({ model: z.string().nullable() });
const effort = about.extend({ effort: z.enum(efforts).nullable() });
const viewed = about.extend({ view: z.enum(modelViews) });
const backup = about.extend({ model: z.string(), payer: z.enum(["plan", "api_key"]).nullable() });

/** Takes effect between runs: a running turn keeps what it began with. */
export const setModel: Action = async (scene, payload, card) => {
  const { teammateId, ...change } = model.parse(payload);
  return save(scene, card, teammateId, change);
};

export const setEffort: Action = async (scene, payload, card) => {
  const { teammateId, ...change } = effort.parse(payload);
  return save(scene, card, teammateId, change);
};

async function save(
  scene: PersonScene<ButtonEvent>,
  card: Card,
  teammateId: string,
  change: { readonly model?: string | null; readonly effort?: z.infer<typeof effort>["effort"] },
): Promise<Pressed> {
  const { unit, deps, person, words } = scene;
  const saved = await deps.teammates.update(unit, person, teammateId, change);
  await showAgain(scene, card, teammateId);
  if (saved.kind === "refused") return { outcome: dropped("invalid"), answer: words.teammates.problems[saved.problem] };
  return { outcome: handled, answer: words.access.saved };
}

export const addBackup: Action = async (scene, payload, card) => {
  const { unit, person, words } = scene;
  const { teammateId, ...added } = backup.parse(payload);
  const { list } = await readBackups(unit.db, teammateId);
  const isFull = list.length >= mostBackups;
  if (!isFull) {
    await changeBackups(unit, teammateId, (now) =>
      now.some((each) => isSameBackup(each, added)) ? now : [...now, added],
    );
    await audit(unit.db, { personId: person.id, teammateId, action: "backup_added", data: added });
  }
  await showAgain(scene, card, teammateId, "backups");
  return isFull
    ? { outcome: handled, answer: words.access.tooManyBackups(mostBackups), stays: true }
    : { outcome: handled, answer: words.access.saved };
};

export const removeBackup: Action = async (scene, payload, card) => {
  const { unit, person, words } = scene;
  const { teammateId, ...gone } = backup.parse(payload);
  await changeBackups(unit, teammateId, (now) => now.filter((each) => !isSameBackup(each, gone)));
  await audit(unit.db, { personId: person.id, teammateId, action: "backup_removed", data: gone });
  await showAgain(scene, card, teammateId, "backups");
  return { outcome: handled, answer: words.access.saved };
};

export const backToOwnModel: Action = async (scene, payload, card) => {
  const { unit, person, words } = scene;
  const { teammateId } = about.parse(payload);
  await saveLeft(unit.db, teammateId, null);
  await audit(unit.db, { personId: person.id, teammateId, action: "model_returned" });
  await showAgain(scene, card, teammateId);
  return { outcome: handled, answer: words.access.saved };
};

export const viewModel: Action = async (scene, payload, card) => {
  const { teammateId, view } = viewed.parse(payload);
  await showAgain(scene, card, teammateId, view);
  return { outcome: handled };
};

async function showAgain(
  scene: PersonScene<ButtonEvent>,
  card: Card,
  teammateId: string,
  view: ModelView = "facts",
): Promise<void> {
  const teammate = await scene.deps.teammates.get(scene.unit.db, teammateId);
  if (teammate) await redraw(scene, card, await modelCard(scene, teammate, view));
}
