import { z } from "zod";
import { redact } from "../shared/index.ts";
import { inTransaction } from "../storage/index.ts";
import { accesses, autonomies, busyModes, efforts, type Profile } from "../teammates/index.ts";
import { isKnown, modelAnswer, unknownModel } from "./models.ts";
import { type Acting, actingFor, profileLine, refusal } from "./profile-words.ts";
import type { ToolRooms } from "./rooms.ts";
import { type AnyTool, checked, said, type Tool, type ToolContext } from "./tool.ts";

const effort = z.enum([...efforts, "default"]);

const createArgs = z.strictObject({
  name: z.string(),
  title: z.string().describe("A few words."),
  job: z.string(),
  model: z.string().optional(),
  effort: effort.optional(),
  autonomy: z.enum(autonomies).optional(),
});

const changes = {
  name: z.string().optional(),
  title: z.string().optional(),
  job: z.string().optional(),
  model: z.string().optional(),
  effort: effort.optional(),
  autonomy: z.enum(autonomies).optional(),
  access: z.enum(accesses).optional(),
  busy_mode: z.enum(busyModes).optional(),
  notifications: z.boolean().optional(),
  picture: z.string().optional().describe("https address, one emoji or none."),
};
const updateArgs = z.strictObject({ agent: z.string().optional().describe("Default: you."), ...changes });
const oneChange = z.strictObject({ agent: z.string(), ...changes });
type Change = z.infer<typeof updateArgs>;

const mostChanges = 20;
const batchArgs = z.strictObject({
  // Each is checked by itself: one that is wrong leaves the others.
  changes: z
    .array(z.looseObject({}))
    .min(1)
    .max(mostChanges)
    .describe("Each with agent and what update_profile takes."),
});

const listModelsArgs = z.strictObject({ query: z.string().optional() });
const readArgs = z.strictObject({ agent: z.string() });

/** Make, read and change colleagues; list models. */
export function profileTools(rooms: ToolRooms): readonly AnyTool[] {
  return [
    checked(createTool(rooms)),
    checked(updateTool(rooms)),
    checked(batchTool(rooms)),
    checked(modelsTool(rooms)),
    checked(readTool(rooms)),
    checked(listTool(rooms)),
  ];
}

function createTool(rooms: ToolRooms): Tool<typeof createArgs> {
  return {
    name: "create_agent",
    description: "Add a colleague, when a manager or above asks. Without model and effort it gets yours.",
    args: createArgs,
    async run({ name, title, job, ...rest }, context) {
      const acting = await actingFor(rooms, context);
      const profile = { name: redact(name), title: redact(title), job: redact(job), ...fieldsOf(rest) };
      if (!(await isKnown(rooms.db, profile.model))) return said(await unknownModel(rooms), false);
      const key = `call:${context.caller.runId}:${context.callId}`;
      return await inTransaction(rooms.db, rooms.log, async (unit) => {
        const saved = await rooms.teammates.create(unit, acting, profile, { key });
        if (saved.kind === "refused") return said(`Nobody was added. ${refusal(saved.problem, acting)}`, false);
        await context.welcome(unit, saved.teammate);
        return said(`Joined, and shown to the person: ${profileLine(saved.teammate)}`);
      });
    },
  };
}

function updateTool(rooms: ToolRooms): Tool<typeof updateArgs> {
  return {
    name: "update_profile",
    description: "Change your profile, or a colleague's. You can only narrow autonomy and access.",
    args: updateArgs,
    async run(change, context) {
      const done = await update(rooms, await actingFor(rooms, context), change);
      return said(done.text, done.success);
    },
  };
}

function batchTool(rooms: ToolRooms): Tool<typeof batchArgs> {
  return {
    name: "update_agents",
    description: "Change several colleagues; each change stands or falls alone.",
    args: batchArgs,
    async run({ changes: given }, context) {
      const acting = await actingFor(rooms, context);
      const lines: string[] = [];
      let failures = 0;
      for (const [index, each] of given.entries()) {
        const parsed = oneChange.safeParse(each);
        const done = parsed.success
          ? await update(rooms, acting, parsed.data)
          : { success: false, text: `Wrong arguments: ${z.prettifyError(parsed.error)}` };
        if (!done.success) failures += 1;
        lines.push(`${index + 1}. ${done.text}`);
      }
      return said([`${given.length - failures} of ${given.length} done.`, ...lines].join("\n"), failures === 0);
    },
  };
}

interface Done {
  readonly success: boolean;
  readonly text: string;
}

async function update(rooms: ToolRooms, acting: Acting, { agent, ...given }: Change): Promise<Done> {
  const { db, log, teammates } = rooms;
  const target = agent === undefined ? acting.teammate : await teammates.byHandle(db, agent.trim().replace(/^@/u, ""));
  if (!target) return { success: false, text: `Nothing changed: nobody here is called ${JSON.stringify(agent)}.` };
  const change = fieldsOf(given);
  if (Object.keys(change).length === 0) return { success: false, text: "Nothing changed: say what to change." };
  if (!(await isKnown(db, change.model))) return { success: false, text: await unknownModel(rooms) };
  const saved = await inTransaction(db, log, (unit) => teammates.update(unit, acting, target.id, change));
  if (saved.kind === "refused") {
    return {
      success: false,
      text: `Nothing changed for ${JSON.stringify(target.name)}. ${refusal(saved.problem, acting)}`,
    };
  }
  return { success: true, text: `Saved: ${profileLine(saved.teammate)}` };
}

/** Words that take a choice away. */
const nothing: ReadonlySet<string> = new Set(["", "none", "default"]);

/** The fields that were given, as the profile has them. */
function fieldsOf(given: Omit<Change, "agent">): Partial<Profile> {
  const { name, title, job, model, effort: thinks, autonomy, access, busy_mode, notifications, picture } = given;
  return {
    ...(name !== undefined && { name: redact(name) }),
    ...(title !== undefined && { title: redact(title) }),
    ...(job !== undefined && { job: redact(job) }),
    ...(model !== undefined && { model: orNull(model) }),
    ...(thinks !== undefined && { effort: orNull(thinks) }),
    ...(autonomy !== undefined && { autonomy }),
    ...(access !== undefined && { access }),
    ...(busy_mode !== undefined && { busyMode: busy_mode }),
    ...(notifications !== undefined && { notifications }),
    ...(picture !== undefined && { picture: orNull(picture) }),
  };
}

function orNull(value: string): string | null {
  return nothing.has(value.trim().toLowerCase()) ? null : value.trim();
}

function modelsTool(rooms: ToolRooms): Tool<typeof listModelsArgs> {
  return {
    name: "list_models",
    description: "Models and their efforts: those in use, or found by a query.",
    args: listModelsArgs,
    run: async ({ query }) => said(await modelAnswer(rooms, query)),
  };
}

function readTool({ db, teammates }: ToolRooms): Tool<typeof readArgs> {
  return {
    name: "read_agent",
    description: "A colleague's profile.",
    args: readArgs,
    async run({ agent }) {
      const wanted = agent.trim().replace(/^@/u, "").toLowerCase();
      const everyone = await teammates.everyone(db);
      const found = everyone.find(({ name, handle }) => handle === wanted || name.toLowerCase() === wanted);
      return found ? said(profileLine(found)) : said(`Nobody here is called ${JSON.stringify(agent)}.`, false);
    },
  };
}

function listTool({ db, teammates }: ToolRooms): Tool {
  return {
    name: "list_agents",
    description: "Who works here.",
    args: z.strictObject({}),
    async run(_args, { caller }: ToolContext) {
      const lines = (await teammates.everyone(db)).map(({ id, name, handle, title, hidden }) =>
        JSON.stringify({
          name,
          handle,
          title,
          ...(hidden && { away: true }),
          ...(id === caller.teammateId && { you: true }),
        }),
      );
      return said(lines.join("\n"));
    },
  };
}
