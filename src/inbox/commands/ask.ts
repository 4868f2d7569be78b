import { takeWish } from "../messages.ts";
import { dropped } from "../outcome.ts";
import { splitRecipient } from "../recipient.ts";
import { plain, say } from "../scene.ts";
import type { Command } from "./command.ts";

/** `/ask NAME …`: work for one colleague, whoever else would have answered here. */
export const askCommand: Command<"ask"> = {
  name: "ask",
  who: "anyone",
  async run(scene) {
    const { deps, unit, event } = scene;
    const words = scene.words.commands;
    const { name, teammate, rest } = await splitRecipient(scene, event.argument);
    if (!teammate || rest === "") {
      const names = (await deps.teammates.list(unit.db)).map((each) => each.name);
      await say(
        scene,
        teammate || name === "" ? words.askWhom(names) : words.noSuchTeammate(plain(name.slice(0, 32)), names),
      );
      return dropped("empty");
    }
    return takeWish(scene, {
      text: rest,
      files: [],
      quote: null,
      forwardedFrom: null,
      platformMessageId: event.messageId ?? null,
      sentAt: event.sentAt,
      collect: null,
      teammateId: teammate.id,
    });
  },
};
