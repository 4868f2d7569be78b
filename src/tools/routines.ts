import { z } from "zod";
import {
  limitPolicies,
  missedPolicies,
  type Routine,
  type RoutinePlan,
  type RoutineTrigger,
} from "../routines/index.ts";
import { inTransaction } from "../storage/index.ts";
import type { ToolRooms } from "./rooms.ts";
import { type Asking, forPerson, withRoutine } from "./routine-asking.ts";
import { describeRoutines } from "./routine-list.ts";
import { type GivenPlan, type PlanRead, readPlan } from "./routine-plan.ts";
import { problemSentence } from "./routine-problems.ts";
import { scheduleForms } from "./routine-schedule.ts";
import { type AnyTool, checked, said, type Tool, type ToolResult } from "./tool.ts";

const policies = {
  if_missed: z.enum(missedPolicies).optional(),
  at_limit: z.enum(limitPolicies).optional(),
  in_own_thread: z.boolean().optional(),
};
const destinations = z.array(z.string()).max(50);
const name = z.string();
const instruction = z.string();
const filter = {
  types: z.array(z.string()).max(128),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
};

const createArgs = z.strictObject({
  name: name.describe("A few words."),
  instruction: instruction.describe("What to do each time, complete: this chat isn't seen then."),
  schedule: z.string().describe(`Local time: ${scheduleForms}.`),
  timezone: z.string().optional().describe("IANA name; theirs when absent."),
  destinations: destinations.optional().describe('Where reports go: "here" (default), "me", "#ops" or a title.'),
  ...policies,
  check_in: z.boolean().optional().describe("Looks whether something deserves saying, else ends in silence."),
});

const routine = z.string().describe("Its name.");
const updateArgs = z.strictObject({
  routine,
  name: name.optional(),
  instruction: instruction.optional(),
  schedule: z.string().optional(),
  timezone: z.string().optional(),
  destinations: destinations.optional(),
  ...policies,
  active: z.boolean().optional().describe("false, alone: pause it at once."),
});

const createWebhookArgs = z.strictObject({
  name,
  instruction,
  types: filter.types.optional().describe("Event types let through; all when absent."),
  fields: filter.fields.optional().describe('JSON pointers into the body and their values: {"/action":"opened"}.'),
  destinations: destinations.optional(),
});
const updateWebhookArgs = z.strictObject({
  ...createWebhookArgs.partial().shape,
  routine,
  types: filter.types.optional(),
  fields: filter.fields.optional(),
  new_secret: z.boolean().optional(),
});

/** Propose, list, pause, delete and try routines. */
export function routineTools(rooms: ToolRooms): readonly AnyTool[] {
  return [
    checked(createTool(rooms)),
    checked(updateTool(rooms)),
    checked(listTool(rooms)),
    checked(deleteTool(rooms)),
    checked(testTool(rooms)),
    checked(createWebhookTool(rooms)),
    checked(updateWebhookTool(rooms)),
  ];
}

function createTool(rooms: ToolRooms): Tool<typeof createArgs> {
  return {
    name: "create_routine",
    description:
      "Propose work that you will do by itself later: again and again or once, as a reminder. The person presses Create on a card; until then there is nothing.",
    args: createArgs,
    run: ({ check_in, ...given }, context) =>
      forPerson(rooms, context, async (asking) => {
        const trigger = { kind: "schedule", schedule: { kind: "daily", at: "00:00" } } as const;
        const before = { ...fresh(asking), kind: check_in === true ? "check_in" : "routine", trigger } as const;
        return propose(asking, readPlan(asking, given, before));
      }),
  };
}

function createWebhookTool(rooms: ToolRooms): Tool<typeof createWebhookArgs> {
  return {
    name: "create_webhook_routine",
    description: "The same for work that another program starts by a call from outside.",
    args: createWebhookArgs,
    run: (given, context) =>
      forPerson(rooms, context, async (asking) => {
        const trigger: RoutineTrigger = { kind: "webhook", filter: { types: [], fields: [] } };
        return propose(asking, readPlan(asking, given, { ...fresh(asking), trigger }));
      }),
  };
}

/** What holds where nothing else was said. */
function fresh({ person }: Asking): Omit<RoutinePlan, "trigger"> {
  return {
    kind: "routine",
    name: "",
    instruction: "",
    timezone: person.timezone ?? "UTC",
    destinations: [],
    missed: "run_once",
    atLimit: "wait",
  };
}

function updateTool(rooms: ToolRooms): Tool<typeof updateArgs> {
  return {
    name: "update_routine",
    description: "Propose a change of a routine of yours; a press on Save makes it. Arguments as in create_routine.",
    args: updateArgs,
    run: ({ routine: wanted, active, ...given }, context) =>
      forPerson(rooms, context, (asking) =>
        withRoutine(asking, wanted, async (found) => {
          if (active === undefined) return change(asking, found, given);
          if (active || Object.keys(given).length > 0) return said(active ? notByYou : pauseAlone, false);
          return end(asking, found, "paused");
        }),
      ),
  };
}

const notByYou = "Nothing changed: a person starts a paused routine again, with /routines. Tell them.";
const pauseAlone = "Nothing changed: pause it in a call of its own.";

function updateWebhookTool(rooms: ToolRooms): Tool<typeof updateWebhookArgs> {
  return {
    name: "update_webhook_routine",
    description: "Propose a change of one that is started from outside, or a new secret.",
    args: updateWebhookArgs,
    run: ({ routine: wanted, new_secret, ...given }, context) =>
      forPerson(rooms, context, (asking) =>
        withRoutine(asking, wanted, async (found) =>
          found.trigger.kind === "webhook"
            ? change(asking, found, given, new_secret)
            : said("Nothing changed: it has a schedule, so update_routine changes it.", false),
        ),
      ),
  };
}

async function change(asking: Asking, found: Routine, given: GivenPlan, newSecret = false): Promise<ToolResult> {
  if (Object.keys(given).length === 0 && !newSecret) return said("Nothing changed: say what to change.", false);
  return propose(asking, readPlan(asking, given, found), { found, newSecret });
}

/** Shows the card, once everything on it could be saved as it stands. */
async function propose(
  { rooms, context, acting, person }: Asking,
  read: PlanRead,
  { found, newSecret = false }: { found?: Routine; newSecret?: boolean } = {},
): Promise<ToolResult> {
  if (read.kind === "problem") return said(`Nothing was proposed. ${read.text}`, false);
  const { teammateId, placeId, thread } = context.caller;
  const home = found?.home ?? { placeId, thread };
  const problem = await rooms.routines.check(rooms.db, acting, { ...read.plan, teammateId, home }, found?.id);
  if (problem !== null) return said(`Nothing was proposed. ${problemSentence(problem)}`, false);
  await context.proposeRoutine({
    callId: context.callId,
    draft: read.plan,
    ...(found && { routineId: found.id }),
    ...(newSecret && { newSecret }),
  });
  const press = found ? "Save" : "Create";
  return said(
    [
      `A card with all of it was shown to ${JSON.stringify(person.displayName)}.`,
      `${found ? "Nothing has changed" : "There is no routine"} until ${press} is pressed: don't say it was done, and don't repeat the card.`,
      ...secretNote(read.plan, found === undefined || newSecret),
    ].join(" "),
  );
}

function secretNote({ trigger }: RoutinePlan, isNew: boolean): string[] {
  if (trigger.kind !== "webhook" || !isNew) return [];
  return ["Its address and secret are then shown to its author in private, never to you."];
}

function listTool(rooms: ToolRooms): Tool {
  return {
    name: "list_routines",
    description: "Your routines here: when, next, last outcome, where.",
    args: z.strictObject({}),
    run: (_args, context) => forPerson(rooms, context, async (asking) => said(await describeRoutines(asking))),
  };
}

const oneArgs = z.strictObject({ routine });

function deleteTool(rooms: ToolRooms): Tool<typeof oneArgs> {
  return {
    name: "delete_routine",
    description: "Delete one for good, at once, when a person asked for exactly that.",
    args: oneArgs,
    run: ({ routine: wanted }, context) =>
      forPerson(rooms, context, (asking) => withRoutine(asking, wanted, (found) => end(asking, found, "deleted"))),
  };
}

/** Takes away only, so it is done at once; the conversation is told. */
async function end({ rooms, context, acting }: Asking, found: Routine, how: "paused" | "deleted"): Promise<ToolResult> {
  const { db, log, routines } = rooms;
  return inTransaction(db, log, async (unit) => {
    const act = how === "paused" ? routines.pause : routines.remove;
    const saved = await act(unit, acting, found.id);
    if (saved.kind === "refused") return said(`Nothing changed. ${problemSentence(saved.problem)}`, false);
    await context.noteRoutine(unit, how, found);
    return said(`${JSON.stringify(found.name)} is ${how}; the people here were told so already.`);
  });
}

function testTool(rooms: ToolRooms): Tool<typeof oneArgs> {
  return {
    name: "test_routine",
    description: "Run one now as a test, beside this turn. Its report comes into the chat by itself.",
    args: oneArgs,
    run: ({ routine: wanted }, context) =>
      forPerson(rooms, context, (asking) => withRoutine(asking, wanted, (found) => test(asking, found))),
  };
}

async function test({ rooms, context, acting }: Asking, found: Routine): Promise<ToolResult> {
  const { db, log, routines } = rooms;
  const key = `call:${context.caller.runId}:${context.callId}`;
  const started = await inTransaction(db, log, (unit) => routines.runNow(unit, acting, found.id, "test", key));
  switch (started.kind) {
    case "queued":
      return said(`A test of ${JSON.stringify(found.name)} begins; its report is posted by itself. Don't wait for it.`);
    case "running":
      return said("Nothing was started: it runs just now.", false);
    case "refused":
      return said(`Nothing was started. ${problemSentence(started.problem)}`, false);
  }
}
