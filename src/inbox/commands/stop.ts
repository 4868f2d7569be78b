import { stopHere } from "../stop.ts";
import type { Command } from "./command.ts";

export const stopCommand: Command<"stop"> = {
  name: "stop",
  who: "person",
  run: (scene) => stopHere(scene, "answer"),
};
