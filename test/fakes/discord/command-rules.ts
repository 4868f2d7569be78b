import { type APIApplicationCommandOption, ApplicationCommandOptionType } from "discord-api-types/v10";
import { lengthProblems } from "./component-rules.ts";
import { badLength, type Problem } from "./failure.ts";

/** A command as a bot registers it. */
export interface GivenCommand {
  readonly name?: string;
  readonly type?: number;
  readonly description?: string;
  readonly options?: readonly APIApplicationCommandOption[];
  readonly contexts?: readonly number[] | null;
  readonly integration_types?: readonly number[];
  readonly default_member_permissions?: string | null;
  readonly nsfw?: boolean;
}

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming */
const commandName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const perType: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 };

export function commandProblems(commands: readonly GivenCommand[]): Problem[] {
  const problems: Problem[] = [];
  const names = new Set<string>();
  commands.forEach((command, at) => {
    const type = command.type ?? 1;
    const key = `${type}:${command.name}`;
    if (names.has(key)) {
      const message = "Application command names must be unique";
      problems.push({ path: `${at}`, code: "APPLICATION_COMMANDS_DUPLICATE_NAME", message });
    }
    names.add(key);
    problems.push(...oneProblems(command, type, `${at}`));
  });
  for (const [type, max] of Object.entries(perType)) {
    if (commands.filter((one) => (one.type ?? 1) === Number(type)).length > max) problems.push(badLength("", 0, max));
  }
  return problems;
}

function oneProblems(command: GivenCommand, type: number, path: string): Problem[] {
  const description = command.description ?? "";
  if (type !== 1) {
    const message = "Context menu commands cannot have description";
    const described = { path: `${path}.description`, code: "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION", message };
    return [...lengthProblems(command.name, `${path}.name`, 1, 32), ...(description === "" ? [] : [described])];
  }
  return [
    ...nameProblems(command.name, `${path}.name`),
    ...lengthProblems(command.description, `${path}.description`, 1, 100),
    ...optionProblems(command.options ?? [], `${path}.options`),
  ];
}

function optionProblems(options: readonly APIApplicationCommandOption[], path: string): Problem[] {
  const problems: Problem[] = options.length > 25 ? [badLength(path, 0, 25)] : [];
  let optionalBefore = false;
  options.forEach((option, at) => {
    const where = `${path}.${at}`;
    problems.push(...nameProblems(option.name, `${where}.name`));
    problems.push(...lengthProblems(option.description, `${where}.description`, 1, 100));
    if (option.required && optionalBefore) {
      const message = "Required options must be placed before non-required options";
      problems.push({ path: where, code: "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message });
    }
    optionalBefore ||= option.required !== true;
    const choices = "choices" in option ? (option.choices ?? []) : [];
    if (choices.length > 25) problems.push(badLength(`${where}.choices`, 0, 25));
    choices.forEach((choice, index) => {
      problems.push(...lengthProblems(choice.name, `${where}.choices.${index}.name`, 1, 100));
    });
    const inner = option.type <= ApplicationCommandOptionType.SubcommandGroup && "options" in option;
    if (inner) problems.push(...optionProblems(option.options ?? [], `${where}.options`));
  });
  return problems;
}

function nameProblems(name: unknown, path: string): Problem[] {
  if (typeof name === "string" && commandName.test(name) && name === name.toLowerCase()) return [];
  const message = "Command name is invalid";
  return [{ path, code: "APPLICATION_COMMAND_INVALID_NAME", message }];
}
