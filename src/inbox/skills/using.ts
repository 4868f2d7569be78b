import type { InboundFile, Quote } from "../../chat/index.ts";
import { chooseRoute, takeWish, wishOf } from "../messages.ts";
import { dropped, type Outcome } from "../outcome.ts";
import { plain, type Scene, say } from "../scene.ts";

export interface SkillWish {
  readonly text: string;
  readonly sentAt: Date;
  readonly files?: readonly InboundFile[] | undefined;
  readonly quote?: Quote | undefined;
  readonly messageId?: string | undefined;
}

/** Work that names its skill: for whoever answers here where they have it, else for the first who does. */
export async function askWithSkill(scene: Scene, name: string, wish: SkillWish): Promise<Outcome> {
  const words = scene.words.skills;
  const skill = await scene.deps.skills.byName(scene.unit.db, name);
  if (!skill) {
    await say(scene, words.noSuchSkill(plain(name.slice(0, 64))));
    return dropped("unknown_command");
  }
  const [first] = skill.teammates;
  if (first === undefined) {
    await say(scene, words.nobodyHas(name));
    return dropped("invalid");
  }
  const whole = {
    ...wishOf(`/${name} ${wish.text.trim()}`.trim(), wish.sentAt),
    files: wish.files ?? [],
    quote: wish.quote ?? null,
    platformMessageId: wish.messageId ?? null,
  };
  const { recipients } = await chooseRoute(scene, whole);
  const hasIt = recipients.some(({ teammateId }) => skill.teammates.includes(teammateId));
  return takeWish(scene, { ...whole, teammateIds: hasIt ? [] : [first] });
}
