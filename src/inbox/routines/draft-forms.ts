import { changeDraft, findDraft, holdDraft, type KeptDraft, type RoutineDraft } from "../../routines/index.ts";
import { readZone, redact } from "../../shared/index.ts";
import { type FormAction, redraw } from "../action.ts";
import { longestForm } from "../instructions/index.ts";
import { handled } from "../outcome.ts";
import type { PersonScene } from "../scene.ts";
import { whenOver } from "./draft-over.ts";
import { editAbout, type Part } from "./draft-payloads.ts";
import { partProblem, readTime } from "./draft-problems.ts";
import { draftView } from "./draft-view.ts";
import { callTrigger, readCall } from "./read-call.ts";

/** One part of a draft, written anew. */
export const draftEdit: FormAction = {
  async form({ db, words }, payload) {
    const { draftId, part } = editAbout.parse(payload);
    const kept = await findDraft(db, draftId);
    if (kept?.status !== "open") return undefined;
    const value = currentValue(kept.draft, part, words);
    // A form holds no more: a text that is cut there would be saved so.
    const fits = value.length <= longestForm;
    return { ...words.routines.forms[part], value: fits ? value : undefined, long: part === "what", required: true };
  },
  async problem(context, payload, value) {
    const { draftId, part } = editAbout.parse(payload);
    const kept = await findDraft(context.db, draftId);
    return kept?.status === "open" ? partProblem(context, kept, part, value) : null;
  },
  async fill(scene, payload, value, card) {
    const { draftId, part, view } = editAbout.parse(payload);
    const kept = await holdDraft(scene.unit.db, draftId);
    if (kept?.status !== "open") return whenOver(scene, card);
    const changed = { ...kept, draft: withPart(scene, kept.draft, part, redact(value)) };
    await changeDraft(scene.unit.db, draftId, changed);
    if (part === "zone") await keepZone(scene, kept, changed.draft.timezone);
    await redraw(scene, card, await draftView(scene, changed, { view }));
    return { outcome: handled };
  },
};

function currentValue(
  { name, instruction, trigger, timezone }: RoutineDraft,
  part: Part,
  words: PersonScene["words"],
): string {
  switch (part) {
    case "name":
      return name;
    case "what":
      return instruction;
    case "when":
      return trigger?.kind === "schedule" ? words.when.schedule(trigger.schedule, timezone) : "";
    case "zone":
      return timezone;
  }
}

function withPart({ deps, words }: PersonScene, draft: RoutineDraft, part: Part, value: string): RoutineDraft {
  switch (part) {
    case "name":
      return { ...draft, name: value.replace(/\s+/gu, " ") };
    case "what":
      return { ...draft, instruction: value };
    case "when": {
      if (readCall(value)?.rest === "") return { ...draft, trigger: callTrigger() };
      const read = readTime(value, draft.timezone, deps.clock.now(), words);
      return read.kind === "problem" ? draft : { ...draft, trigger: { kind: "schedule", schedule: read.schedule } };
    }
    case "zone": {
      const read = readZone(value);
      return read.kind === "found" ? { ...draft, timezone: read.zone } : draft;
    }
  }
}

/** Nobody tells us where people live: who says it once is not asked again. */
async function keepZone({ unit, deps, person }: PersonScene, { personId }: KeptDraft, zone: string): Promise<void> {
  if (personId === person.id && person.timezone === null) await deps.people.setTimezone(unit, person.id, zone);
}
