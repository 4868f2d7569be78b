import { handled } from "../outcome.ts";
import { say } from "../scene.ts";
import type { Command } from "./command.ts";
import { commandSpecs } from "./menu.ts";

export const helpCommand: Command<"help"> = {
  name: "help",
  who: "anyone",
  async run(scene) {
    await say(scene, scene.words.commands.help(commandSpecs(scene.words)));
    return handled;
  },
};
