import { z } from "zod";
import {
  accesses,
  autonomies,
  busyModes,
  efforts,
  isTaken,
  type Member,
  type Profile,
  problemIn,
} from "../../teammates/index.ts";
import type { Words } from "../../words/index.ts";
import { type Action, type Card, type FormAction, type Pressed, redraw, type UseEvent } from "../action.ts";
import { dropped, handled } from "../outcome.ts";
import type { PersonScene, Scene } from "../scene.ts";
import { profileCard } from "./card.ts";
import { type View, views, writtenFields } from "./views.ts";

/** Cards of an older release have one view, and do not say which. */
const about = z.object({ teammateId: z.uuid(), view: z.enum(views).default("facts") });
const editSchema = about.extend({ field: z.enum(writtenFields) });
type Field = z.infer<typeof editSchema>["field"];
const setSchema = z.union([
  about.extend({ autonomy: z.enum(autonomies) }),
  about.extend({ access: z.enum(accesses) }),
  about.extend({ effort: z.enum(efforts).nullable() }),
  about.extend({ busyMode: z.enum(busyModes) }),
  about.extend({ notifications: z.boolean() }),
]);
const leadSchema = about.extend({ placeId: z.uuid() });

export const viewProfile: Action = async (scene, payload, card) => {
  const { teammateId, view } = about.parse(payload);
  if (await drawProfile(scene, card, teammateId, view)) return { outcome: handled };
  return { outcome: dropped("invalid"), answer: scene.words.teammates.problems.gone };
};

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
    const others = (await deps.teammates.everyone(db)).filter((each) => each.id !== teammateId);
    const taken = field === "name" && isTaken(value, others) ? "name_taken" : null;
    const problem = problemIn(changeOf(field, value, words)) ?? taken;
    return problem && words.teammates.problems[problem];
  },
  async fill(scene, payload, value, card) {
    const { teammateId, field, view } = editSchema.parse(payload);
    return save(scene, card, { teammateId, view }, changeOf(field, value, scene.words));
  },
};

/** What was written, as a change: nothing, or a word for it, takes a model or a picture away. */
function changeOf(field: Field, value: string, { teammates: words }: Words): Partial<Profile> {
  const isChoice = field === "model" || field === "picture";
  return { [field]: isChoice && words.nothing.includes(value.toLowerCase()) ? null : value };
}

export const setProfile: Action = async (scene, payload, card) => {
  const { teammateId, view, ...change } = setSchema.parse(payload);
  return save(scene, card, { teammateId, view }, change);
};

async function save(
  scene: PersonScene<UseEvent>,
  card: Card,
  { teammateId, view }: z.infer<typeof about>,
  change: Partial<Profile>,
): Promise<Pressed> {
  const { unit, deps, person } = scene;
  const words = scene.words.teammates;
  const saved = await deps.teammates.update(unit, person, teammateId, change);
  await drawProfile(scene, card, teammateId, view);
  if (saved.kind === "refused") return { outcome: dropped("invalid"), answer: words.problems[saved.problem] };
  return { outcome: handled, answer: words.saved };
}

/** Shows a profile as it is now in its card; false where there is none any more. */
export async function drawProfile(scene: Scene, card: Card, teammateId: string, view: View): Promise<boolean> {
  const teammate = await findMember(scene, teammateId);
  if (teammate) await redraw(scene, card, await profileCard(scene, teammate, view));
  return teammate !== undefined;
}

async function findMember({ deps, unit }: Scene, id: string): Promise<Member | undefined> {
  return (await deps.teammates.everyone(unit.db)).find((each) => each.id === id);
}

/** Makes a colleague the one who answers here when nobody is named. */
export const leadFromProfile: Action = async (scene, payload, card) => {
  const { unit, deps, person, place } = scene;
  const words = scene.words.teammates;
  const { teammateId, placeId, view } = leadSchema.parse(payload);
  const teammate = await findMember(scene, teammateId);
  if (!teammate || teammate.hidden) return { outcome: dropped("invalid"), answer: words.problems.gone };
  await deps.places.setLead(unit, placeId, teammateId, person);
  const here = place.id === placeId ? { ...place, leadTeammateId: teammateId } : place;
  await drawProfile({ ...scene, place: here }, card, teammateId, view);
  return { outcome: handled, answer: words.leads(teammate.name) };
};
