import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const usageCommand: Command<"usage"> = {
  name: "usage",
  who: "person",
  run: async () => handled,
};
