/** The memory room: facts that teammates keep, whose they are, and which of them a turn is told. */
export { memoryFileText, oldMemories } from "./file.ts";
export { createMemories, type HandOutcome, type Memories, type MemoryPacket } from "./memories.ts";
export { longestMemory, type Memory, type MemoryScope, mostMemories } from "./memory.ts";
export { type Asker, mayChange } from "./rights.ts";
export type { Outcome as MemoryOutcome } from "./staging.ts";
export type { Wish as MemoryWish } from "./wish.ts";
