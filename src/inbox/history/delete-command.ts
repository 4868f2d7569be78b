import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const deleteCommand: Command<"delete"> = {
  name: "delete",
  who: "person",
  run: async () => handled,
};
