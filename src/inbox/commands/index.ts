import { closest, distance } from "fastest-levenshtein";
import type { CommandEvent } from "../../chat/index.ts";
import { allows } from "../../people/index.ts";
import { loginCommand, modelCommand } from "../access/index.ts";
import type { Command } from "../command.ts";
import { deleteCommand, historyCommand } from "../history/index.ts";
import { instructionsCommand } from "../instructions/index.ts";
import { mcpCommand } from "../mcp/index.ts";
import { memoryCommand } from "../memory/index.ts";
import { dropped, handled, type Outcome } from "../outcome.ts";
import { agentCommand, teamCommand } from "../profiles/index.ts";
import { routineCommand, routinesCommand } from "../routines/index.ts";
import { byPerson, canBePrivate, plain, type Scene, say } from "../scene.ts";
import { skillCommand, skillsCommand, takeSkillByName } from "../skills/index.ts";
import { compactCommand } from "../threads/index.ts";
import { usageCommand } from "../usage/index.ts";
import { askCommand } from "./ask.ts";
import { helpCommand } from "./help.ts";
import { inboxCommand } from "./inbox.ts";
import { inviteCommand } from "./invite.ts";
import { linkCommand } from "./link.ts";
import { type CommandName, commandNames } from "./menu.ts";
import { newCommand } from "./new.ts";
import { placeCommand } from "./place.ts";
import { rulesCommand } from "./rules.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { stopCommand } from "./stop.ts";
import { whyCommand } from "./why.ts";
import { zoneCommand } from "./zone.ts";

const commands: { readonly [Name in CommandName]: Command<Name> } = {
  new: newCommand,
  stop: stopCommand,
  status: statusCommand,
  inbox: inboxCommand,
  ask: askCommand,
  team: teamCommand,
  agent: agentCommand,
  link: linkCommand,
  place: placeCommand,
  rules: rulesCommand,
  why: whyCommand,
  zone: zoneCommand,
  invite: inviteCommand,
  help: helpCommand((name) => commands[name].who),
  start: startCommand,
  memory: memoryCommand,
  instructions: instructionsCommand,
  compact: compactCommand,
  mcp: mcpCommand,
  skill: skillCommand,
  skills: skillsCommand,
  login: loginCommand,
  model: modelCommand,
  usage: usageCommand,
  history: historyCommand,
  delete: deleteCommand,
  routine: routineCommand,
  routines: routinesCommand,
};

/** A typo is at most this many letters away from what was meant. */
const typo = 2;

/** Carries out a command of somebody who may ask here. */
export async function takeCommand(scene: Scene<CommandEvent>): Promise<Outcome> {
  const { event, words } = scene;
  const command = isCommandName(event.name) ? commands[event.name] : undefined;
  if (!command) return (await takeSkillByName(scene)) ?? meetUnknown(scene);
  if (command.privately && !canBePrivate(scene)) {
    await say(scene, words.commands.inPrivate);
    return handled;
  }
  if (command.who === "anyone") return command.run(scene);
  if (!byPerson(scene)) {
    await say(scene, words.commands.needsPerson);
    return dropped("not_allowed");
  }
  if (command.who !== "person" && !allows(scene.person.role, command.who)) {
    await say(scene, command.who === "admin" ? words.commands.needsAdmin : words.teammates.needsManager);
    return dropped("not_allowed");
  }
  return command.run(scene);
}

function isCommandName(name: string): name is CommandName {
  return (commandNames as readonly string[]).includes(name);
}

/** In a shared place an unknown command is probably another bot's, unless it came to us by ours: only an obvious typo is answered there. */
async function meetUnknown(scene: Scene<CommandEvent>): Promise<Outcome> {
  const { event, deps, connectionId, words } = scene;
  const prefix = deps.adapters.get(connectionId)?.capabilities.commandPrefix ?? "/";
  const nearest = closest(event.name, [...commandNames]);
  const isTypo = distance(event.name, nearest) <= typo;
  if (canBePrivate(scene) || isTypo) {
    await say(
      scene,
      words.commands.unknown(plain(`${prefix}${event.name.slice(0, 32)}`), isTypo ? nearest : undefined),
    );
  }
  return dropped("unknown_command");
}
