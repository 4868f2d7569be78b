import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const memoryCommand: Command<"memory"> = {
  name: "memory",
  who: "person",
  run: async () => handled,
};
