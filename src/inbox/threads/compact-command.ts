import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const compactCommand: Command<"compact"> = {
  name: "compact",
  who: "person",
  run: async () => handled,
};
