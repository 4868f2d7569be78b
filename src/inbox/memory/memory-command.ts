import type { Teammate } from "../../teammates/index.ts";
import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { type PersonScene, plain, say, threadOf } from "../scene.ts";
import { cardHere } from "./asking.ts";
import { listCard } from "./card.ts";
import { talkedTo } from "./talked-to.store.ts";

/** What one colleague remembers, as far as whoever asks may see it here. Without a name: of whom this conversation is with. */
export const memoryCommand: Command<"memory"> = {
  name: "memory",
  who: "person",
  async run(scene) {
    const { deps, unit, event, words } = scene;
    await deps.teammates.ensureDefault(unit);
    const teammates = await deps.teammates.list(unit.db);
    const name = event.argument.trim().replace(/^@|[:,.]$/gu, "");
    const teammate = await (name === "" ? teammateHere(scene, teammates) : deps.teammates.byHandle(unit.db, name));
    if (!teammate) {
      const names = teammates.map((each) => plain(each.name));
      await say(scene, words.commands.noSuchTeammate(plain(name.slice(0, 32)), names));
      return handled;
    }
    const card = await listCard(scene, teammate, cardHere(scene, teammate.id));
    const others = teammates.filter(({ id }) => id !== teammate.id).map((each) => plain(each.name));
    const hint = name === "" && others.length > 0 ? [words.memory.somebodyElse(others)] : [];
    await say(scene, [card.text, ...hint].join("\n\n"), { buttons: card.buttons, purpose: "card" });
    return handled;
  },
};

/** Who was talked to here last, else who answers here by default. */
export async function teammateHere(
  { unit, place, event }: PersonScene,
  teammates: readonly Teammate[],
): Promise<Teammate | undefined> {
  const talked = await talkedTo(unit.db, place.id, threadOf(event));
  const known = (wanted: string | null | undefined) => teammates.find(({ id }) => id === wanted);
  return known(talked) ?? known(place.leadTeammateId) ?? teammates[0];
}
