import { handled } from "../outcome.ts";
import { say } from "../scene.ts";
import type { Command } from "./command.ts";

export const teamCommand: Command<"team"> = {
  name: "team",
  who: "anyone",
  async run(scene) {
    await scene.deps.teammates.ensureDefault(scene.unit);
    await say(scene, scene.words.commands.team(await scene.deps.teammates.list(scene.unit.db)));
    return handled;
  },
};
