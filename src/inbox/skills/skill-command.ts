import { issueTokens } from "../../attention/index.ts";
import type { CommandEvent } from "../../chat/index.ts";
import type { Command, CommandScene } from "../command.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { byPerson, plain, type Scene, say } from "../scene.ts";
import { askWithSkill } from "./using.ts";

/** `/skill NAME …`: work that is done as a skill says. Without words it is asked what. */
export const skillCommand: Command<"skill"> = {
  name: "skill",
  who: "person",
  async run(scene) {
    const { deps, unit, event, words } = scene;
    const [, typed = "", rest = ""] = /^\s*\/?(\S*)\s*([\s\S]*)$/u.exec(event.argument) ?? [];
    const name = typed.toLowerCase();
    if (name === "") {
      const [first] = await deps.skills.list(unit.db);
      await say(scene, words.skills.whichSkill(first?.name));
      return dropped("empty");
    }
    return useSkill(scene, name, rest);
  },
};

/**
 * A command that nobody knows but that is a skill's name: `/release-notes please`. Telegram ends a command's name at the
 * first dash. Null when it is no skill that anybody has.
 */
export async function takeSkillByName(scene: Scene<CommandEvent>): Promise<Outcome | null> {
  const { deps, unit, event } = scene;
  const [, more = "", rest = ""] = /^((?:-[a-z0-9]+)*)(?![\w-])\s*([\s\S]*)$/u.exec(event.argument) ?? [
    "",
    "",
    event.argument,
  ];
  const name = `${event.name}${more}`;
  const skill = await deps.skills.byName(unit.db, name);
  return skill && skill.teammates.length > 0 ? useSkill(scene, name, rest) : null;
}

async function useSkill(scene: CommandScene, name: string, text: string): Promise<Outcome> {
  const { files, quote, messageId, sentAt } = scene.event;
  const hasMore = quote !== undefined || (files?.length ?? 0) > 0;
  const skill = await scene.deps.skills.byName(scene.unit.db, name);
  if (text.trim() === "" && !hasMore && skill && byPerson(scene)) return askWhat(scene, name);
  return askWithSkill(scene, name, { text, sentAt, files, quote, messageId });
}

async function askWhat(scene: CommandScene, name: string): Promise<Outcome> {
  const words = scene.words.skills;
  const { token } = await issueTokens(scene.unit, {
    choices: [{ key: "token", action: "skills_use", payload: { name } }],
    personId: scene.person?.id,
  });
  const buttons = [[{ label: words.sayWhat, token, opensForm: true }]];
  await say(scene, words.useWhat(plain(name)), { buttons, purpose: "card" });
  return handled;
}
