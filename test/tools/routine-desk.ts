import { beforeEach, expect } from "vitest";
import type { Person } from "../../src/people/index.ts";
import type { Routine } from "../../src/routines/index.ts";
import type { Unit } from "../../src/storage/index.ts";
import type { Teammate } from "../../src/teammates/index.ts";
import { createTools, type RoutineProposal, type ToolContext, type ToolResult } from "../../src/tools/index.ts";
import { ada, dm, group, message, person } from "../inbox/office.ts";
import { useOffice } from "../inbox/scene.ts";
import { somebody } from "../support/tool-rooms.ts";

/** Milo at work for Ada, who calls his routine tools in her private chat; what he proposes and says of routines is kept. */
export const office = await useOffice();
export const { teammates, routines } = office.deps;
export const ben = person("ben", "Ben");
export let owner: Person;
export let milo: Teammate;
/** Ada's private chat, the open group, and one that nobody opened. */
export let places: { readonly ada: string; readonly ops: string; readonly closed: string };
export const proposals: RoutineProposal[] = [];
export const notes: string[] = [];

beforeEach(async () => {
  owner = await office.hire(ada, "owner");
  milo = await office.unit((unit) => teammates.ensureDefault(unit));
  await office.sink(message(ada, "hello"));
  await office.sink(message(ada, "hello", { place: group }));
  await office.sink(message(ada, "hello", { place: { channel: "group-2", kind: "group", title: "#Leads" } }));
  places = { ada: await placeId(dm(ada).channel), ops: await placeId(group.channel), closed: await placeId("group-2") };
  await office.db.updateTable("places").set({ access: "members" }).where("id", "=", places.ops).execute();
  proposals.length = 0;
  notes.length = 0;
});

export async function placeId(channel: string): Promise<string> {
  const { id } = await office.db
    .selectFrom("places")
    .select("id")
    .where("channel", "=", channel)
    .executeTakeFirstOrThrow();
  return id;
}

const tools = createTools(office.deps);
let calls = 0;

export interface From {
  readonly by?: Person | null;
  readonly placeId?: string;
  readonly isPrivate?: boolean;
  readonly thread?: string;
  readonly trigger?: string;
  readonly callId?: string;
  readonly conversationId?: string;
  readonly runId?: string;
}

/** A call of Milo's, in Ada's private chat unless said otherwise. */
export async function call(name: string, args: unknown, from: From = {}): Promise<ToolResult> {
  const { by = owner, callId = `call-${++calls}`, ...rest } = from;
  const caller = {
    ...somebody,
    placeId: places.ada,
    teammateId: milo.id,
    requesterId: by?.id ?? null,
    ...rest,
  };
  const context: Partial<ToolContext> = {
    callId,
    caller,
    signal: new AbortController().signal,
    proposeRoutine: async (proposal) => void proposals.push(proposal),
    noteRoutine: async (_unit: Unit, became, { name: routine }) => void notes.push(`${became} ${routine}`),
  };
  return tools.call(name, args, context as ToolContext);
}

export const text = ({ contentItems }: ToolResult) =>
  contentItems.map((item) => (item.type === "inputText" ? item.text : "")).join();

export const incidents = {
  name: "Open incidents",
  instruction: "Say which incidents are open.",
  schedule: "weekdays 08:30",
};

/** As if somebody had pressed Create on what was proposed last. */
export async function made(by: Person = owner, home = { placeId: places.ada, thread: "" }): Promise<Routine> {
  const proposal = proposals.at(-1);
  if (!proposal) throw new Error("nothing was proposed");
  const saved = await office.unit((unit) =>
    routines.create(unit, by, { ...proposal.draft, teammateId: milo.id, home }),
  );
  if (saved.kind === "refused") throw new Error(`refused: ${saved.problem.kind}`);
  return saved.routine;
}

export async function make(more: object = {}): Promise<Routine> {
  expect(text(await call("create_routine", { ...incidents, ...more }))).toContain("until Create is pressed");
  return made();
}

export const all = () => routines.list(office.db);
