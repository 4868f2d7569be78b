import { z } from "zod";
import { cleanText } from "../chat/index.ts";
import {
  type RoutineDestination,
  type RoutinePlan,
  type RoutineTrigger,
  webhookFilterSchema,
} from "../routines/index.ts";
import { redact } from "../shared/index.ts";
import type { Asking } from "./routine-asking.ts";
import { readSchedule } from "./routine-schedule.ts";

/** What a teammate gave for a routine; what is absent stays as it is. */
export interface GivenPlan {
  readonly name?: string | undefined;
  readonly instruction?: string | undefined;
  readonly schedule?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  readonly timezone?: string | undefined;
  readonly destinations?: readonly string[] | undefined;
  readonly in_own_thread?: boolean | undefined;
  readonly if_missed?: RoutinePlan["missed"] | undefined;
  readonly at_limit?: RoutinePlan["atLimit"] | undefined;
}

export type PlanRead =
  | { readonly kind: "plan"; readonly plan: RoutinePlan }
  | { readonly kind: "problem"; readonly text: string };

/** A routine with what was given, read but not yet checked. */
export function readPlan(asking: Asking, given: GivenPlan, before: RoutinePlan): PlanRead {
  const timezone = given.timezone ?? before.timezone;
  const trigger = readTrigger(asking, given, { before: before.trigger, timezone });
  if (trigger.kind === "problem") return trigger;
  const places = readDestinations(asking, given, before.destinations);
  if (places.kind === "problem") return places;
  const { name, instruction, if_missed, at_limit } = given;
  return {
    kind: "plan",
    plan: {
      kind: before.kind,
      name: name === undefined ? before.name : redact(cleanText(name)).trim(),
      instruction: instruction === undefined ? before.instruction : redact(cleanText(instruction)),
      trigger: trigger.trigger,
      timezone,
      destinations: places.destinations,
      missed: if_missed ?? before.missed,
      atLimit: at_limit ?? before.atLimit,
    },
  };
}

type TriggerRead =
  | { readonly kind: "trigger"; readonly trigger: RoutineTrigger }
  | { readonly kind: "problem"; readonly text: string };

function readTrigger(
  { rooms }: Asking,
  { schedule: text, types, fields }: GivenPlan,
  { before, timezone }: { before: RoutineTrigger; timezone: string },
): TriggerRead {
  if (before.kind === "webhook") {
    if (text !== undefined)
      return problem("It is started from outside and has no schedule. Make another routine for that.");
    const filter = webhookFilterSchema.safeParse({
      types: types ?? before.filter.types,
      fields:
        fields === undefined
          ? before.filter.fields
          : Object.entries(fields).map(([pointer, equals]) => ({ pointer, equals })),
    });
    return filter.success
      ? { kind: "trigger", trigger: { kind: "webhook", filter: filter.data } }
      : problem(`What it lets through is wrong: ${z.prettifyError(filter.error)}`);
  }
  if (text === undefined) return { kind: "trigger", trigger: before };
  const read = readSchedule(text, timezone, rooms.clock.now());
  return read.kind === "problem" ? read : { kind: "trigger", trigger: { kind: "schedule", schedule: read.schedule } };
}

function readDestinations(
  { places, context }: Asking,
  { destinations: names, in_own_thread: own }: GivenPlan,
  before: readonly RoutineDestination[],
) {
  if (names !== undefined) return places.read(names, own ?? before.some(({ ownThread }) => ownThread));
  if (own === undefined) return { kind: "places", destinations: before } as const;
  const { placeId, thread } = context.caller;
  const kept = before.length > 0 ? before : own ? [{ placeId, thread, ownThread: own }] : [];
  return {
    kind: "places",
    destinations: kept.map((each) => ({ ...each, thread: own ? "" : each.thread, ownThread: own })),
  } as const;
}

function problem(text: string) {
  return { kind: "problem", text } as const;
}
