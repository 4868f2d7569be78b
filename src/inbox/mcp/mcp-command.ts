import { allows } from "../../people/index.ts";
import type { Command } from "../command.ts";
import { handled } from "../outcome.ts";
import { plain, say } from "../scene.ts";
import { problemWith, splitName, tryServer } from "./add.ts";
import { listCard } from "./list-card.ts";
import { serverCard } from "./server-card.ts";

/** The servers; with a name, one of them; with a name and an address or command, a new one. */
export const mcpCommand: Command<"mcp"> = {
  name: "mcp",
  who: "admin",
  privately: true,
  async run(scene) {
    const { deps, unit, event, person, words } = scene;
    const typed = splitName(event.argument);
    if (typed.name === "") {
      const card = await listCard(scene);
      await say(scene, card.text, { ...card, purpose: "card" });
      return handled;
    }
    if (typed.rest === "" && !typed.name.includes("://")) {
      const server = await deps.mcp.named(unit.db, typed.name);
      const card = server && (await serverCard(scene, server));
      await say(scene, card?.text ?? words.mcp.unknownServer(plain(typed.name.slice(0, 32))), {
        ...card,
        purpose: "card",
      });
      return handled;
    }
    const problem = problemWith(typed, allows(person.role, "owner"), words);
    if (problem === null) await tryServer(scene, null, typed);
    else await say(scene, problem);
    return handled;
  },
};
