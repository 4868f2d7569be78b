import {
  type APIInteractionResponse,
  type APIMessage,
  type APIMessageInteractionMetadata,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  MessageType,
} from "discord-api-types/v10";
import type { Handler, Request } from "./access.ts";
import { reference } from "./channel-routes.ts";
import { ApiFailure, type Problem, refuse, unknownInteraction, unknownMessage, unknownWebhook } from "./failure.ts";
import { changeMessage, putMessage, removeMessages, restMessage } from "./messages.ts";
import { choiceProblems, modalProblems } from "./modals.ts";
import { composeChange, composeMessage } from "./sending.ts";
import type { InteractionRecord, MessageRecord, World } from "./world.ts";

export const answerWithinMs = 3000;
const tokenLivesMs = 15 * 60_000;
const settable =
  MessageFlags.Ephemeral |
  MessageFlags.SuppressEmbeds |
  MessageFlags.SuppressNotifications |
  MessageFlags.IsComponentsV2 |
  MessageFlags.IsVoiceMessage;

/** The first answer, within 3 s and once. */
export const callbackRoutes: Readonly<Record<string, Handler>> = {
  "POST /interactions/:interaction/:token/callback": (request) => {
    const { world, params, json, query } = request;
    const record = world.interactions.get(params.interaction ?? "");
    if (!record || record.interaction.token !== params.token) throw unknownInteraction();
    if (record.answeredAt !== undefined) {
      throw new ApiFailure(400, 40060, "Interaction has already been acknowledged.");
    }
    if (world.now() - record.sentAt > answerWithinMs) throw unknownInteraction();
    const response = json as APIInteractionResponse;
    refuse(typeProblems(record, response?.type));
    take(request, record, response);
    record.answeredAt = world.now();
    record.response = response;
    world.changed();
    return query.get("with_response") === "true" ? describeCallback(world, record, response) : undefined;
  },
};

/** Later answers with the interaction's token, under the webhook address of the application. */
export const followUpRoutes: Readonly<Record<string, Handler>> = {
  "POST /webhooks/:webhook/:token": (request) => {
    const { world, json, files } = request;
    const record = answered(request);
    // The first follow-up after "thinking" takes its place.
    if (record.original?.thinking) return fill(world, record.original, request);
    return restMessage(world, show(world, record, json, files, record.original));
  },
  "GET /webhooks/:webhook/:token/messages/:message": (request) => restMessage(request.world, answerOf(request)),
  "PATCH /webhooks/:webhook/:token/messages/:message": (request) => fill(request.world, answerOf(request), request),
  "DELETE /webhooks/:webhook/:token/messages/:message": (request) => {
    removeMessages(request.world, [answerOf(request)], false);
  },
};

function typeProblems({ interaction }: InteractionRecord, type: unknown): Problem[] {
  const fromMessage = "message" in interaction && interaction.message !== undefined;
  const allowed: unknown[] =
    interaction.type === InteractionType.ApplicationCommandAutocomplete
      ? [InteractionResponseType.ApplicationCommandAutocompleteResult]
      : [
          InteractionResponseType.ChannelMessageWithSource,
          InteractionResponseType.DeferredChannelMessageWithSource,
          ...(fromMessage
            ? [InteractionResponseType.DeferredMessageUpdate, InteractionResponseType.UpdateMessage]
            : []),
          ...(interaction.type === InteractionType.ModalSubmit ? [] : [InteractionResponseType.Modal]),
        ];
  if (allowed.includes(type)) return [];
  const message = `Value must be one of {${allowed.join(", ")}}.`;
  return [{ path: "type", code: "BASE_TYPE_CHOICES", message }];
}

function take(request: Request, record: InteractionRecord, response: APIInteractionResponse): void {
  const { world, files } = request;
  switch (response.type) {
    case InteractionResponseType.ChannelMessageWithSource:
      record.original = show(world, record, response.data, files, undefined);
      record.ephemeral = record.original.onlyFor !== undefined;
      return;
    case InteractionResponseType.DeferredChannelMessageWithSource:
      record.ephemeral = ((response.data?.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
      record.original = think(world, record);
      return;
    case InteractionResponseType.DeferredMessageUpdate:
      record.original = source(world, record);
      return;
    case InteractionResponseType.UpdateMessage: {
      const message = source(world, record);
      if (!message) throw unknownMessage();
      changeMessage(world, message, composeChange(world, message, response.data, files), true);
      record.original = message;
      return;
    }
    case InteractionResponseType.Modal:
      refuse(modalProblems(response.data));
      world.modals.set(record.userId, { interaction: record, data: response.data });
      return;
    case InteractionResponseType.ApplicationCommandAutocompleteResult:
      refuse(choiceProblems(response.data?.choices));
      record.choices = response.data?.choices ?? [];
      return;
    default:
      throw new ApiFailure(400, 50035, "Invalid Form Body");
  }
}

function show(
  world: World,
  record: InteractionRecord,
  body: unknown,
  files: Request["files"],
  answers: MessageRecord | undefined,
): MessageRecord {
  const { fields, mentions } = composeMessage(world, record.channel, body, files, settable);
  const ephemeral = ((fields.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  const shown = putMessage(world, {
    channel: record.channel,
    author: world.bot,
    mentions,
    onlyFor: ephemeral ? record.userId : undefined,
    fields: { ...answerFields(world, record, answers), ...fields },
  });
  record.messages.push(shown);
  return shown;
}

function think(world: World, record: InteractionRecord): MessageRecord {
  const flags = MessageFlags.Loading | (record.ephemeral ? MessageFlags.Ephemeral : 0);
  const shown = putMessage(world, {
    channel: record.channel,
    author: world.bot,
    mentions: { users: [], roles: [], everyone: false, pings: [] },
    onlyFor: record.ephemeral ? record.userId : undefined,
    thinking: true,
    fields: { ...answerFields(world, record, undefined), flags },
  });
  record.messages.push(shown);
  return shown;
}

/** What marks a message as an answer: the application as its webhook, and what it answers. */
function answerFields(
  world: World,
  record: InteractionRecord,
  answers: MessageRecord | undefined,
): Partial<APIMessage> {
  const { interaction } = record;
  const target = answers ?? (interaction.type === InteractionType.MessageComponent ? source(world, record) : undefined);
  const named = interaction.type === InteractionType.ApplicationCommand ? interaction.data.name : undefined;
  const user = world.users.get(record.userId) ?? world.bot;
  const command = interaction.type === InteractionType.ApplicationCommand && interaction.data.type !== 1;
  return {
    webhook_id: world.applicationId,
    application_id: world.applicationId,
    type:
      named === undefined
        ? MessageType.Default
        : command
          ? MessageType.ContextMenuCommand
          : MessageType.ChatInputCommand,
    interaction_metadata: metadata(record, user),
    ...(named === undefined ? {} : { interaction: { id: interaction.id, type: interaction.type, name: named, user } }),
    ...(target ? { type: MessageType.Reply, message_reference: reference(target, 0) } : {}),
  };
}

function metadata({ interaction }: InteractionRecord, user: APIMessage["author"]): APIMessageInteractionMetadata {
  const { id, authorizing_integration_owners } = interaction as { id: string; authorizing_integration_owners: object };
  const common = { id, user, authorizing_integration_owners };
  const message = "message" in interaction ? interaction.message : undefined;
  if (interaction.type === InteractionType.MessageComponent) {
    return { ...common, type: InteractionType.MessageComponent, interacted_message_id: message?.id ?? "0" };
  }
  const command = { ...common, type: InteractionType.ApplicationCommand as const };
  if (interaction.type !== InteractionType.ModalSubmit) return command;
  return {
    ...common,
    type: InteractionType.ModalSubmit,
    triggering_interaction_metadata: message
      ? { ...common, type: InteractionType.MessageComponent, interacted_message_id: message.id }
      : command,
  };
}

/** The message with the button that was pressed. */
function source(world: World, { interaction }: InteractionRecord): MessageRecord | undefined {
  const id = "message" in interaction ? interaction.message?.id : undefined;
  return id === undefined ? undefined : world.messages.get(id);
}

function fill(world: World, target: MessageRecord, { json, files }: Request): APIMessage {
  const change = composeChange(world, target, json, files);
  changeMessage(world, target, { ...change, flags: (change.flags ?? 0) & ~MessageFlags.Loading }, true);
  target.thinking = false;
  world.changed();
  return restMessage(world, target);
}

function answered({ world, params }: Request): InteractionRecord {
  const record = [...world.interactions.values()].find((one) => one.interaction.token === params.token);
  if (!record) throw unknownWebhook();
  if (world.now() - record.sentAt > tokenLivesMs) throw new ApiFailure(401, 50027, "Invalid Webhook Token");
  if (record.answeredAt === undefined) throw unknownWebhook();
  return record;
}

function answerOf(request: Request): MessageRecord {
  const { params } = request;
  const record = answered(request);
  const found =
    params.message === "@original" ? record.original : record.messages.find((one) => one.message.id === params.message);
  if (!found || found.deleted) throw unknownMessage();
  return found;
}

function describeCallback(world: World, record: InteractionRecord, { type }: APIInteractionResponse) {
  const { original, interaction } = record;
  const shows =
    type === InteractionResponseType.ChannelMessageWithSource || type === InteractionResponseType.UpdateMessage;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(original
        ? {
            response_message_id: original.message.id,
            response_message_loading: original.thinking,
            response_message_ephemeral: original.onlyFor !== undefined,
          }
        : {}),
    },
    ...(shows && original ? { resource: { type, message: restMessage(world, original) } } : {}),
  };
}
