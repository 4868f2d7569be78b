import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";

export const loginCommand: Command<"login"> = {
  name: "login",
  who: "admin",
  run: async () => handled,
};
