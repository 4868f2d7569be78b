import { createHash } from "node:crypto";
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandInteractionDataOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
} from "discord.js";
import { type AdapterState, type CommandSpec, clip } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { words } from "./words.ts";

const stateKey = "discord.commands";
const descriptionLimit = 100;

/** The command whose question is shown to everybody, as the root of a thread. */
export const asking = "ask";

export interface SyncDeps {
  readonly api: Api;
  readonly applicationId: string;
  readonly state: AdapterState;
  readonly specs: readonly CommandSpec[];
  /** Servers whose commands are set one by one; none for everywhere at once. */
  readonly guildIds: readonly string[];
}

/** Registers the commands, when they changed since the last time: at each start it would get the bot limited. */
export async function syncCommands({ api, applicationId, state, specs, guildIds }: SyncDeps): Promise<void> {
  const body = toBody(specs, guildIds.length === 0 ? everywhere : {});
  const hash = createHash("sha256")
    .update(JSON.stringify([applicationId, guildIds, body]))
    .digest("hex");
  const before = await state.load(stateKey);
  if (before === hash) return;
  if (guildIds.length === 0) await api.writeCommands(applicationId, body);
  for (const guild of guildIds) await api.writeGuildCommands(applicationId, guild, body);
  // Else each would be offered twice where both are set.
  if (guildIds.length > 0 && before !== undefined) await api.writeCommands(applicationId, []);
  await state.save(stateKey, hash);
}

/** Where a command is offered; a server's own commands do not say. */
const everywhere = {
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

function toBody(specs: readonly CommandSpec[], where: Partial<typeof everywhere>) {
  const usable = specs.filter(({ name }) => /^[a-z0-9_-]{1,32}$/u.test(name));
  const commands = usable.map(({ name, description, fields }) => ({
    ...where,
    type: ApplicationCommandType.ChatInput as const,
    name,
    description: clip(description || name, descriptionLimit),
    options: fields.map(toOption).sort((a, b) => Number(b.required) - Number(a.required)),
  }));
  const asks = usable.some(({ name }) => name === asking);
  const onMessage = { ...where, type: ApplicationCommandType.Message as const, name: words.askAbout };
  return asks ? [...commands, onMessage] : commands;
}

function toOption({
  name,
  description,
  required,
  completes,
}: CommandSpec["fields"][number]): APIApplicationCommandBasicOption {
  const type = ApplicationCommandOptionType.String as const;
  return {
    type,
    name,
    description: clip(description || name, descriptionLimit),
    required,
    ...(completes ? { autocomplete: true } : {}),
  };
}

/** The values of a command's fields, in the order in which they are named. */
export function valuesOf(
  spec: CommandSpec | undefined,
  options: readonly APIApplicationCommandInteractionDataOption[] = [],
): readonly { readonly name: string; readonly value: string }[] {
  const order = spec?.fields.map(({ name }) => name) ?? [];
  return options
    .flatMap((option) => ("value" in option ? [{ name: option.name, value: String(option.value).trim() }] : []))
    .filter(({ value }) => value !== "")
    .sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}
