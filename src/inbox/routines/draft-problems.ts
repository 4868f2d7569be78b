import {
  type KeptDraft,
  namedPlaces,
  placeText,
  type RoutineProblem,
  readWhen,
  routineLimits,
  type Schedule,
} from "../../routines/index.ts";
import { readZone } from "../../shared/index.ts";
import type { Db } from "../../storage/index.ts";
import type { Words } from "../../words/index.ts";
import type { FormContext } from "../action.ts";
import { plain } from "../scene.ts";
import type { Part } from "./draft-payloads.ts";
import { readCall } from "./read-call.ts";

/** Why what was written for a part will not do, in a sentence; null where it does. */
export async function partProblem(
  context: FormContext,
  kept: KeptDraft,
  part: Part,
  value: string,
): Promise<string | null> {
  const { routines: words } = context.words;
  switch (part) {
    case "name":
      return nameProblem(context, kept, value);
    case "what":
      if (value === "") return words.problems.instruction_empty;
      return value.length > routineLimits.instruction ? words.problems.instruction_too_long : null;
    case "when": {
      if (readCall(value)?.rest === "") return null;
      const read = readTime(value, kept.draft.timezone, context.deps.clock.now(), context.words);
      return read.kind === "problem" ? read.text : null;
    }
    case "zone": {
      const read = readZone(value);
      return read.kind === "unknown" ? words.unknownZone(read.near) : null;
    }
  }
}

async function nameProblem({ db, deps, words }: FormContext, kept: KeptDraft, value: string): Promise<string | null> {
  const { problems } = words.routines;
  if (value === "") return problems.name_empty;
  if (value.length > routineLimits.name) return problems.name_too_long;
  const others = await deps.routines.list(db, { teammateId: kept.teammateId });
  const isTaken = others.some(({ id, name }) => id !== kept.routineId && name.toLowerCase() === value.toLowerCase());
  return isTaken ? problems.name_taken : null;
}

export type TimeRead =
  | { readonly kind: "schedule"; readonly schedule: Schedule }
  | { readonly kind: "problem"; readonly text: string };

/** A time and nothing else. */
export function readTime(value: string, zone: string, now: Date, { routines: words, when }: Words): TimeRead {
  const read = readWhen(value, { zone, now });
  if (read.kind === "unread") return { kind: "problem", text: words.unreadWhen };
  if (read.kind === "problem") return { kind: "problem", text: words.wrongWhen(when.problem(read.problem)) };
  if (read.rest !== "") return { kind: "problem", text: words.moreThanTime(plain(read.rest.slice(0, 60))) };
  return { kind: "schedule", schedule: read.schedule };
}

/** Why a routine was not saved, and what to do. */
export async function refusalText(db: Db, problem: RoutineProblem, words: Words): Promise<string> {
  const { problems } = words.routines;
  switch (problem.kind) {
    case "schedule":
      return words.routines.wrongWhen(words.when.problem(problem.problem));
    case "place":
      return problems.place(placeText((await namedPlaces(db, [problem.placeId])).get(problem.placeId), words));
    case "too_many":
      return problems.too_many(problem.limit);
    case "too_many_destinations":
      return problems.too_many_destinations(problem.limit);
    case "not_allowed":
    case "outranked":
    case "gone":
    case "no_teammate":
    case "name_empty":
    case "name_too_long":
    case "name_taken":
    case "instruction_empty":
    case "instruction_too_long":
      return problems[problem.kind];
  }
}
