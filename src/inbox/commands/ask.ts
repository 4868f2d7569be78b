import type { Command, CommandScene } from "../command.ts";
import { takeWish, wishOf } from "../messages.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { splitRecipient } from "../recipient.ts";
import { plain, say } from "../scene.ts";
import { welcomeInPassing } from "../welcome.ts";

/** `/ask NAME …`: work for one colleague, whoever else would have answered here. On a message ("Ask about this") nobody has to be named, and nothing said. */
export const askCommand: Command<"ask"> = {
  name: "ask",
  who: "anyone",
  async run(scene) {
    const { quote, files, argument } = scene.event;
    const { name, teammate, rest } = await splitRecipient(scene, argument);
    const hasMore = quote !== undefined || (files?.length ?? 0) > 0;
    if (quote !== undefined && !teammate) return deliver(scene, argument.trim(), []);
    if (!teammate && rest !== "" && (await isAlone(scene))) return deliver(scene, argument.trim(), []);
    // Who is away is said by the way that leads to them.
    if (teammate?.hidden) return deliver(scene, rest, [teammate.id]);
    // A name alone: somebody wants to know who that is.
    if (teammate && rest === "" && !hasMore && (await welcomeInPassing(scene, teammate.id))) return handled;
    if (!teammate || (rest === "" && !hasMore)) return explain(scene, name, teammate !== undefined);
    return deliver(scene, rest, [teammate.id]);
  },
};

/** With one colleague nobody else can be meant, and `/ask what is new?` is a question. */
async function isAlone({ deps, unit }: CommandScene): Promise<boolean> {
  await deps.teammates.ensureDefault(unit);
  return (await deps.teammates.list(unit.db)).length === 1;
}

async function explain(scene: CommandScene, name: string, isKnown: boolean): Promise<Outcome> {
  const { deps, unit } = scene;
  const words = scene.words.commands;
  const names = (await deps.teammates.list(unit.db)).map((each) => plain(each.name));
  const isUnknown = name !== "" && !isKnown && names.length > 1;
  await say(scene, isUnknown ? words.noSuchTeammate(plain(name.slice(0, 32)), names) : words.askWhom(names));
  return dropped("empty");
}

function deliver(scene: CommandScene, text: string, teammateIds: readonly string[]): Promise<Outcome> {
  const { event } = scene;
  return takeWish(scene, {
    ...wishOf(text, event.sentAt),
    files: event.files ?? [],
    quote: event.quote ?? null,
    platformMessageId: event.messageId ?? null,
    teammateIds,
  });
}
