import type { Command } from "../command.ts";
import { stopHere } from "../stop.ts";

export const stopCommand: Command<"stop"> = {
  name: "stop",
  who: "person",
  run: (scene) => stopHere(scene, "answer"),
};
