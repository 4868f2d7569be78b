/** The memory room: facts that teammates keep, whose they are, and which of them a turn is told. */
export { createMemories, type Memories, type Memory, type MemoryPacket } from "./memories.ts";
