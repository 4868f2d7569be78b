import { z } from "zod";
import { longestMemory, type Memory, type MemoryOutcome, type MemoryWish, mostMemories } from "../memory/index.ts";
import { inTransaction } from "../storage/index.ts";
import type { ToolRooms } from "./rooms.ts";
import { type AnyTool, checked, said, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

const memoryId = z.string().max(40);
const revision = z.int32().min(1).describe("The one you know: changed since, it stays as it is.");

const rememberArgs = z.strictObject({
  text: z.string().min(1).max(longestMemory).describe("One fact in one sentence. Nothing secret."),
  memory_id: memoryId.optional().describe("The memory to correct; its text is replaced."),
  expected_revision: revision.optional(),
  pinned: z.boolean().optional().describe("True for what matters in every conversation."),
  audience: z
    .enum(["here", "everyone"])
    .optional()
    .describe(
      '"here" (default): this place, or in a direct message this person. "everyone": only for what the person says holds for the whole team.',
    ),
});

const forgetArgs = z.strictObject({ memory_id: memoryId, expected_revision: revision.optional() });

const searchArgs = z.strictObject({ query: z.string().max(500).describe("A few words; empty for the newest.") });

const mostFound = 20;

/** Remember, forget and search memories. */
export function memoryTools(rooms: ToolRooms): readonly AnyTool[] {
  return [checked(rememberTool(rooms)), checked(forgetTool(rooms)), checked(searchTool(rooms))];
}

function rememberTool(rooms: ToolRooms): Tool<typeof rememberArgs> {
  return {
    name: "remember",
    description: "Keep a fact for later conversations, or correct one. It counts once your turn completes.",
    args: rememberArgs,
    async run({ text, memory_id, expected_revision, pinned, audience }, context) {
      const wish = {
        kind: "remember",
        text,
        memoryId: memory_id,
        expectedRevision: expected_revision,
        pinned,
        audience,
      } as const;
      return told(await stage(rooms, context, wish));
    },
  };
}

function forgetTool(rooms: ToolRooms): Tool<typeof forgetArgs> {
  return {
    name: "forget",
    description: "Drop a memory that is wrong or not wanted. It counts once your turn completes.",
    args: forgetArgs,
    async run({ memory_id, expected_revision }, context) {
      return told(
        await stage(rooms, context, { kind: "forget", memoryId: memory_id, expectedRevision: expected_revision }),
      );
    },
  };
}

function searchTool({ db, memories }: ToolRooms): Tool<typeof searchArgs> {
  return {
    name: "search_memories",
    description: "Look for what you remember here, with ids and revisions.",
    args: searchArgs,
    async run({ query }, { caller }) {
      const found = await memories.search(db, caller.runId, query, mostFound);
      return said(found.length === 0 ? "Nothing you remember here has to do with that." : found.map(line).join("\n"));
    },
  };
}

function stage({ db, log, memories }: ToolRooms, { callId, caller }: ToolContext, wish: MemoryWish) {
  return inTransaction(db, log, (unit) => memories.stage(unit, { runId: caller.runId, callId, wish }));
}

/** A memory as the model reads it: its text is what somebody once said, in quotes. */
function line({ id, revision, text, pinned, scope }: Memory): string {
  const audience = scope.kind === "everywhere" ? "everyone" : "here";
  return JSON.stringify({ id, revision, text, audience, ...(pinned && { pinned }) });
}

function told(outcome: MemoryOutcome): ToolResult {
  switch (outcome.kind) {
    case "added":
      return said(`Remembered once this turn completes: ${line(outcome.memory)}`);
    case "changed":
      return said(`Changed once this turn completes: ${line(outcome.memory)}`);
    case "forgotten":
      return said(`Forgotten once this turn completes: ${line(outcome.memory)}`);
    case "known":
      return said(`You remember that already: ${line(outcome.memory)}`);
    case "refused":
      return said(refusal(outcome), false);
  }
}

function refusal({ why, memory }: Extract<MemoryOutcome, { kind: "refused" }>): string {
  switch (why) {
    case "unknown":
      return "Nothing changed: there is no memory with this id here. search_memories shows those there are.";
    case "changed":
      return `Nothing changed: it was changed since. Now it is ${memory ? line(memory) : "another one"}. If your change still holds, repeat it with this revision.`;
    case "full":
      return `Not remembered: you remember ${mostMemories} facts already, and there is no room. Forget what is outdated or correct one to say more; if none can go, tell the person to tidy up with /memory.`;
    case "place_full":
      return "Not remembered: there is no room for more about this place. Forget what is outdated or correct one to say more; if none can go, tell the person to tidy up with /memory.";
    case "not_allowed":
      return "Nothing changed: what holds for everyone is for managers and above to decide, and the person who asked is none. Say so, or remember it for here only.";
    case "empty":
      return "Not remembered: there is nothing in it.";
    case "long":
      return `Not remembered: a memory has at most ${longestMemory} characters. Say it shorter.`;
    case "secret":
      return "Not remembered: it is a secret, and secrets are never kept. Tell the person.";
    case "cleared":
      return "Nothing changed: a person had you forget everything meanwhile.";
    case "over":
      return "Nothing changed: the turn is over.";
    case "nobody":
      return "Nothing changed: nobody of the team asked for this turn, so nothing is remembered or forgotten in it.";
  }
}
