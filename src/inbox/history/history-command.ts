import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const historyCommand: Command<"history"> = {
  name: "history",
  who: "person",
  run: async () => handled,
};
