import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const skillCommand: Command<"skill"> = {
  name: "skill",
  who: "person",
  run: async () => handled,
};
