import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const instructionsCommand: Command<"instructions"> = {
  name: "instructions",
  who: "person",
  run: async () => handled,
};
