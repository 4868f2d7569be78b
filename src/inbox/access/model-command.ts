import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const modelCommand: Command<"model"> = {
  name: "model",
  who: "person",
  run: async () => handled,
};
