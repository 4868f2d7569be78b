import {
  type APIMessage,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageReferenceType,
} from "discord-api-types/v10";
import { controls } from "./components.ts";
import { displayName } from "./guilds.ts";
import { answerWithinMs } from "./interaction-routes.ts";
import { mentioningText } from "./mentions.ts";
import { hasFlag } from "./messages.ts";
import type { SeenButton, SeenCommand, SeenInteraction, SeenMessage, SeenSelect, SeenThread } from "./seen.ts";
import type { ChannelRecord, InteractionRecord, MessageRecord, World } from "./world.ts";

export function seeMessage(world: World, record: MessageRecord): SeenMessage {
  const { message, channel } = record;
  const components = message.components ?? [];
  const webhook = message.webhook_id !== undefined && message.webhook_id !== world.applicationId;
  const { type, message_id } = message.message_reference ?? {};
  const text = mentioningText(message.content, components);
  return {
    id: message.id,
    channelId: channel.id,
    type: message.type,
    author: {
      id: message.author.id,
      name: displayName(message.author),
      avatarUrl: record.avatarUrl,
      bot: message.author.bot === true,
      webhook,
    },
    fromUs: record.fromUs,
    text,
    buttons: seeButtons(components),
    selects: seeSelects(components),
    files: message.attachments.map(({ id, filename, url, content_type }) => ({
      name: filename,
      bytes: world.files.get(id)?.bytes ?? Buffer.alloc(0),
      url,
      mime: content_type,
    })),
    embeds: message.embeds,
    components,
    replyTo: type === MessageReferenceType.Forward || message.type !== 19 ? undefined : message_id,
    flags: message.flags ?? 0,
    silent: hasFlag(message, MessageFlags.SuppressNotifications),
    pings: record.pings,
    threadId: world.channels.get(message.id)?.thread ? message.id : undefined,
    reactions: [...record.botReactions],
    edits: [...record.earlier],
    edited: message.edited_timestamp !== null,
    onlyFor: record.onlyFor,
    thinking: record.thinking,
  };
}

export function seeButtons(components: NonNullable<APIMessage["components"]>): SeenButton[] {
  return controls(components)
    .filter((one) => one.type === ComponentType.Button)
    .map((one) => ({
      label: typeof one.label === "string" ? one.label : "",
      customId: typeof one.custom_id === "string" ? one.custom_id : undefined,
      url: typeof one.url === "string" ? one.url : undefined,
      style: Number(one.style),
      disabled: one.disabled === true,
    }));
}

export function seeSelects(components: NonNullable<APIMessage["components"]>): SeenSelect[] {
  return controls(components)
    .filter((one) => one.type === ComponentType.StringSelect)
    .map((one) => ({
      customId: `${one.custom_id}`,
      placeholder: one.placeholder,
      options: (one.options ?? []).map((option) => ({
        label: `${option.label}`,
        value: `${option.value}`,
        description: typeof option.description === "string" ? option.description : undefined,
        selected: option.default === true,
      })),
    }));
}

export function seeThread(world: World, channel: ChannelRecord | undefined): SeenThread | undefined {
  const thread = channel?.thread;
  if (!channel || !thread) return undefined;
  return {
    id: channel.id,
    parentId: thread.parentId,
    name: channel.name,
    ownerId: thread.ownerId,
    archived: thread.archived,
    locked: thread.locked,
    autoArchiveMinutes: thread.autoArchiveMinutes,
    botIsMember: thread.members.has(world.bot.id),
  };
}

const answers: Readonly<Partial<Record<InteractionResponseType, SeenInteraction["answer"]>>> = {
  [InteractionResponseType.ChannelMessageWithSource]: "message",
  [InteractionResponseType.DeferredChannelMessageWithSource]: "deferred",
  [InteractionResponseType.DeferredMessageUpdate]: "deferredUpdate",
  [InteractionResponseType.UpdateMessage]: "update",
  [InteractionResponseType.ApplicationCommandAutocompleteResult]: "autocomplete",
  [InteractionResponseType.Modal]: "modal",
};

/** Tells how an interaction stands whenever it is read. */
export function seeInteraction(world: World, record: InteractionRecord): SeenInteraction {
  return {
    id: record.interaction.id,
    userId: record.userId,
    kind: kindOf(record),
    name: nameOf(record),
    get ackedAfterMs() {
      return record.answeredAt === undefined ? undefined : record.answeredAt - record.sentAt;
    },
    get answer() {
      return record.response && answers[record.response.type];
    },
    get ephemeral() {
      return record.ephemeral;
    },
    get message() {
      const shown = record.original;
      return shown && !shown.deleted ? seeMessage(world, shown) : undefined;
    },
    get failed() {
      return record.answeredAt === undefined && world.now() - record.sentAt > answerWithinMs;
    },
  };
}

function kindOf({ interaction }: InteractionRecord): SeenInteraction["kind"] {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return interaction.data.type === ApplicationCommandType.ChatInput ? "command" : "contextMenu";
    case InteractionType.MessageComponent:
      return interaction.data.component_type === ComponentType.Button ? "press" : "select";
    case InteractionType.ModalSubmit:
      return "modal";
    default:
      return "autocomplete";
  }
}

function nameOf({ interaction }: InteractionRecord): string {
  switch (interaction.type) {
    case InteractionType.Ping:
      return "";
    case InteractionType.MessageComponent:
    case InteractionType.ModalSubmit:
      return interaction.data.custom_id;
    default:
      return interaction.data.name;
  }
}

export function seeCommands(world: World): SeenCommand[] {
  return world.commands.map(({ id, type, name, description, guild_id, options = [] }) => ({
    id,
    type,
    name,
    description,
    guildId: guild_id,
    options: options.map((option) => ({
      name: option.name,
      description: option.description,
      type: option.type,
      required: option.type > ApplicationCommandOptionType.SubcommandGroup && option.required === true,
      autocomplete: "autocomplete" in option && option.autocomplete === true,
    })),
  }));
}
