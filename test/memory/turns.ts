import type { Author, InboundPlace } from "../../src/chat/index.ts";
import type { MemoryPacket } from "../../src/memory/index.ts";
import { newId } from "../../src/shared/index.ts";
import { historyTools } from "../../src/tools/history.ts";
import type { ToolContext } from "../../src/tools/index.ts";
import { memoryTools } from "../../src/tools/memory.ts";
import { startRun } from "../inbox/colleagues.ts";
import { dm, message, type Office } from "../inbox/office.ts";

/** A turn in which tools are called; nothing else of it is there. */
export interface Turn {
  readonly runId: string;
  /** What the tool says, and whether it did what it should. */
  call(tool: string, args: object, callId?: string): Promise<{ text: string; success: boolean }>;
  /** The turn completes: what it wanted to remember counts. */
  complete(): Promise<void>;
  /** The turn ends in another way. */
  fail(): Promise<void>;
}

/** As if somebody had said this, and a turn had begun with it. */
export async function startTurn(
  office: Office,
  author: Author,
  { place, text = "hello", more = {} }: { place?: InboundPlace; text?: string; more?: object } = {},
): Promise<Turn> {
  const { db, deps } = office;
  await office.sink(message(author, text, { place: place ?? dm(author), ...more }));
  const runId = await startRun(office);
  const run = await db
    .selectFrom("runs as r")
    .innerJoin("conversations as c", "c.id", "r.conversation_id")
    .innerJoin("places as p", "p.id", "c.place_id")
    .select(["r.conversation_id", "r.teammate_id", "r.requester_person_id", "c.place_id", "p.kind"])
    .where("r.id", "=", runId)
    .executeTakeFirstOrThrow();
  const context = (callId: string): ToolContext => ({
    callId,
    caller: {
      runId,
      conversationId: run.conversation_id,
      placeId: run.place_id,
      thread: "",
      isPrivate: run.kind === "dm",
      teammateId: run.teammate_id,
      requesterId: run.requester_person_id,
      trigger: "message",
    },
    workspace: "/nowhere",
    outgoing: "/nowhere",
    files: { limitBytes: 0, queued: () => 0, queuedBytes: () => 0, has: () => false, add: () => {} },
    signal: new AbortController().signal,
    openApproval: () => Promise.reject(new Error("not here")),
    waitForDecision: () => Promise.reject(new Error("not here")),
    ask: () => Promise.reject(new Error("not here")),
    welcome: () => Promise.reject(new Error("not here")),
    proposeRoutine: () => Promise.reject(new Error("not here")),
    noteRoutine: () => Promise.reject(new Error("not here")),
  });
  const tools = [...memoryTools(deps), ...historyTools(deps)];
  const end = (status: "completed" | "failed") =>
    office.unit(async (unit) => {
      const at = office.clock.now();
      await unit.db.updateTable("runs").set({ status, completed_at: at }).where("id", "=", runId).execute();
      await unit.db.updateTable("deliveries").set({ status }).where("run_id", "=", runId).execute();
      if (status === "completed") await deps.memories.commit(unit, runId, at);
      else await deps.memories.discard(unit, runId);
    });
  return {
    runId,
    async call(name, args, callId = newId()) {
      const tool = tools.find(({ spec }) => spec.name === name);
      if (!tool) throw new Error(`there is no ${name}`);
      const { contentItems, success } = await tool.call(args, context(callId));
      return { text: contentItems.map((item) => (item.type === "inputText" ? item.text : "")).join("\n"), success };
    },
    complete: () => end("completed"),
    fail: () => end("failed"),
  };
}

/** The id of the memory that a tool's result speaks of. */
export function idIn({ text }: { readonly text: string }): string {
  const id = /"id":"([0-9a-f-]{36})"/u.exec(text)?.[1];
  if (id === undefined) throw new Error(`no memory in: ${text}`);
  return id;
}

/** One completed turn that makes one call. */
export async function callOnce(
  office: Office,
  by: Author,
  { tool, args, place }: { tool: string; args: object; place?: InboundPlace | undefined },
) {
  const turn = await startTurn(office, by, place ? { place } : {});
  const result = await turn.call(tool, args);
  await turn.complete();
  return result;
}

/** What a turn of Milo's would be told that this person asks for there; in their direct message where no place is given. */
export async function packetFor(
  office: Office,
  by: Author,
  { place = dm(by), text = "" }: { place?: InboundPlace | undefined; text?: string | undefined } = {},
): Promise<MemoryPacket> {
  const { deps, db, connectionId } = office;
  const milo = await deps.teammates.byHandle(db, "milo");
  const { id: placeId } = await office.unit((unit) => deps.places.ensure(unit, connectionId, place));
  const who = await deps.people.find(db, connectionId, by.id);
  const personId = place.kind === "dm" ? (who?.person?.id ?? null) : null;
  return deps.memories.packet(db, { teammateId: milo?.id ?? "", placeId, personId }, text);
}

export const texts = ({ memories }: MemoryPacket) => memories.map(({ text }) => text);
