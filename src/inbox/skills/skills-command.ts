import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const skillsCommand: Command<"skills"> = {
  name: "skills",
  who: "person",
  run: async () => handled,
};
