import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  type APIInteraction,
  type APIInteractionGuildMember,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  Locale,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import { botPermissions, describeChannel } from "./channels.ts";
import { describeFile, keepFile } from "./files.ts";
import { restMessage } from "./messages.ts";
import { filledIn, seeModal } from "./modals.ts";
import type { SeenModal } from "./seen.ts";
import type { OptionValue } from "./types.ts";
import { seeButtons, seeSelects } from "./view.ts";
import { type ChannelRecord, type InteractionRecord, known, type MessageRecord, type World } from "./world.ts";

const personal = `${PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages}`;
const fileLimit = 10 * 1024 * 1024;

/** What people do that wants an answer: presses, choices, dialogs and commands. */
export function createInteracting(world: World) {
  const send = (userId: string, channel: ChannelRecord, type: InteractionType, rest: object): InteractionRecord => {
    const id = world.newId();
    const token = `interaction-${id}`;
    const interaction = { id, token, type, ...surroundings(world, userId, channel), ...rest } as APIInteraction;
    const record: InteractionRecord = {
      interaction,
      userId,
      channel,
      sentAt: world.now(),
      answeredAt: undefined,
      response: undefined,
      original: undefined,
      messages: [],
      ephemeral: false,
      choices: undefined,
    };
    world.interactions.set(id, record);
    world.dispatch({ type: "INTERACTION_CREATE", data: interaction, channel });
    return record;
  };
  const visible = (userId: string, messageId: string): MessageRecord => {
    const record = known(world.messages, messageId, "message");
    if (record.onlyFor !== undefined && record.onlyFor !== userId) throw new Error("only somebody else sees this");
    return record;
  };
  const component = (userId: string, record: MessageRecord, data: object) =>
    send(userId, record.channel, InteractionType.MessageComponent, { message: restMessage(world, record), data });
  const registered = (channel: ChannelRecord, name: string, type: ApplicationCommandType): APIApplicationCommand => {
    const scope = world.commands.filter((one) => one.guild_id === undefined || one.guild_id === channel.guildId);
    const command = scope.find((one) => one.name === name && one.type === type);
    if (!command) throw new Error(`no command "${name}" here, only: ${scope.map((one) => one.name).join(", ")}`);
    const context = contextOf(channel);
    if (command.contexts && !command.contexts.includes(context)) throw new Error(`"${name}" is not offered here`);
    return command;
  };

  return {
    press: (userId: string, messageId: string, label: string): InteractionRecord => {
      const record = visible(userId, messageId);
      const buttons = seeButtons(record.message.components ?? []);
      const button = buttons.find((one) => one.label === label);
      if (button?.customId === undefined || button.disabled) {
        throw new Error(`no button "${label}" to press, only: ${buttons.map((one) => one.label).join(", ")}`);
      }
      return component(userId, record, { custom_id: button.customId, component_type: ComponentType.Button, id: 1 });
    },
    select: (userId: string, messageId: string, optionLabel: string): InteractionRecord => {
      const record = visible(userId, messageId);
      const lists = seeSelects(record.message.components ?? []);
      for (const { customId, options } of lists) {
        const option = options.find((one) => one.label === optionLabel);
        if (!option) continue;
        const data = { custom_id: customId, component_type: ComponentType.StringSelect, id: 1, values: [option.value] };
        return component(userId, record, data);
      }
      const labels = lists.flatMap(({ options }) => options.map((one) => one.label));
      throw new Error(`no option "${optionLabel}" to choose, only: ${labels.join(", ")}`);
    },
    submit: (userId: string, modal: SeenModal, value: string | Readonly<Record<string, string>>): InteractionRecord => {
      const open = world.modals.get(userId);
      if (open?.data.custom_id !== modal.customId) throw new Error("this dialog is not open");
      const values = typeof value === "string" ? { [modal.fields[0]?.customId ?? ""]: value } : value;
      for (const field of seeModal(open.data).fields) {
        const { length } = values[field.customId] ?? "";
        const short = (field.required && length === 0) || (length > 0 && length < field.minLength);
        if (short || length > field.maxLength) throw new Error(`"${field.label}" cannot be sent like this`);
      }
      world.modals.delete(userId);
      const { interaction, channel } = open.interaction;
      const message = "message" in interaction && interaction.message ? { message: interaction.message } : {};
      const data = { custom_id: modal.customId, components: filledIn(open.data, values) };
      return send(userId, channel, InteractionType.ModalSubmit, { ...message, data });
    },
    command: (
      userId: string,
      channelId: string,
      name: string,
      given: Readonly<Record<string, OptionValue>> = {},
    ): InteractionRecord => {
      const channel = known(world.channels, channelId, "channel");
      const command = registered(channel, name, ApplicationCommandType.ChatInput);
      const data = {
        id: command.id,
        name,
        type: command.type,
        ...guildOf(command),
        ...readOptions(channel, command, given),
      };
      return send(userId, channel, InteractionType.ApplicationCommand, { data });
    },
    autocomplete: (
      userId: string,
      channelId: string,
      name: string,
      option: string,
      typed: string,
    ): InteractionRecord => {
      const channel = known(world.channels, channelId, "channel");
      const command = registered(channel, name, ApplicationCommandType.ChatInput);
      const found = command.options?.find((one) => one.name === option);
      if (!found || !("autocomplete" in found) || !found.autocomplete) throw new Error(`"${option}" completes nothing`);
      const options = [{ name: option, type: found.type, value: typed, focused: true }];
      const data = { id: command.id, name, type: command.type, ...guildOf(command), options };
      return send(userId, channel, InteractionType.ApplicationCommandAutocomplete, { data });
    },
    contextMenu: (userId: string, messageId: string, name: string): InteractionRecord => {
      const record = visible(userId, messageId);
      const command = registered(record.channel, name, ApplicationCommandType.Message);
      const resolved = { messages: { [messageId]: restMessage(world, record) } };
      const data = { id: command.id, name, type: command.type, ...guildOf(command), target_id: messageId, resolved };
      return send(userId, record.channel, InteractionType.ApplicationCommand, { data });
    },
  };

  function readOptions(
    channel: ChannelRecord,
    command: APIApplicationCommand,
    given: Readonly<Record<string, OptionValue>>,
  ) {
    const attachments: Record<string, unknown> = {};
    for (const name of Object.keys(given)) {
      if (!command.options?.some((one) => one.name === name)) throw new Error(`"${command.name}" has no "${name}"`);
    }
    const options = (command.options ?? []).flatMap((option) => {
      const value = given[option.name];
      if (value === undefined) {
        if (option.required) throw new Error(`"${command.name}" needs "${option.name}"`);
        return [];
      }
      if (typeof value !== "object") return [{ name: option.name, type: option.type, value: checked(option, value) }];
      const file = describeFile(world, channel.id, keepFile(world, value));
      attachments[file.id] = file;
      return [{ name: option.name, type: option.type, value: file.id }];
    });
    return {
      ...(options.length > 0 ? { options } : {}),
      ...(Object.keys(attachments).length > 0 ? { resolved: { attachments } } : {}),
    };
  }
}

function checked(option: APIApplicationCommandOption, value: string | number | boolean): string | number | boolean {
  const wanted =
    option.type === ApplicationCommandOptionType.Integer || option.type === ApplicationCommandOptionType.Number
      ? "number"
      : option.type === ApplicationCommandOptionType.Boolean
        ? "boolean"
        : "string";
  if (typeof value !== wanted) throw new Error(`"${option.name}" takes a ${wanted}`);
  const choices = "choices" in option ? (option.choices ?? []) : [];
  if (choices.length > 0 && !choices.some((one) => one.value === value)) throw new Error(`"${value}" is not offered`);
  return value;
}

const guildOf = ({ guild_id }: APIApplicationCommand) => (guild_id === undefined ? {} : { guild_id });

const contextOf = (channel: ChannelRecord): InteractionContextType =>
  channel.kind === "dm" ? InteractionContextType.BotDM : InteractionContextType.Guild;

/** What every interaction tells of where and by whom. */
function surroundings(world: World, userId: string, channel: ChannelRecord) {
  const user = known(world.users, userId, "user");
  const guild = channel.guildId === undefined ? undefined : known(world.guilds, channel.guildId, "guild");
  const common = {
    application_id: world.applicationId,
    version: 1,
    channel_id: channel.id,
    channel: { ...describeChannel(world, channel), ...(guild ? { permissions: personal } : {}) },
    app_permissions: `${botPermissions(world, channel)}`,
    locale: Locale.EnglishUS,
    entitlements: [],
    authorizing_integration_owners: { 0: guild?.id ?? "0" },
    context: contextOf(channel),
    attachment_size_limit: fileLimit,
  };
  if (!guild) return { ...common, user };
  const member: APIInteractionGuildMember = { ...known(guild.members, userId, "member"), permissions: personal, user };
  return {
    ...common,
    guild_id: guild.id,
    guild: { id: guild.id, features: [], locale: Locale.EnglishUS },
    guild_locale: Locale.EnglishUS,
    member,
  };
}
