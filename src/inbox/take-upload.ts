import type { MessageEvent } from "../chat/index.ts";
import { takeInstructionsFile } from "./instructions/index.ts";
import type { Outcome } from "./outcome.ts";
import { byPerson, type Scene } from "./scene.ts";
import { takeSkillFile } from "./skills/index.ts";

/** What was uploaded for us to keep; null when nothing was. Such a message is never a task. */
export async function takeUpload(scene: Scene<MessageEvent>): Promise<Outcome | null> {
  const { upload } = scene;
  if (!upload || !byPerson(scene)) return null;
  switch (upload.purpose) {
    case "instructions":
      return takeInstructionsFile(scene, upload);
    case "skills":
      return takeSkillFile(scene, upload);
  }
}
