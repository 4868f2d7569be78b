import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
} from "discord.js";
import {
  type AdapterDeps,
  type Author,
  type CommandEvent,
  clip,
  type InboundEvent,
  type InboundPlace,
  within,
} from "../../src/chat/index.ts";
import type { createAboutMessages } from "./about.ts";
import { type Acknowledger, deferPrivately, deferUpdate } from "./acknowledge.ts";
import { type Acknowledged, toInteraction } from "./answers.ts";
import { actorOf } from "./authors.ts";
import { sentAtOf } from "./catch-up.ts";
import { asking, valuesOf } from "./commands.ts";
import { meaningOf, toModal, writtenIn } from "./components.ts";
import { type Directory, hasThreads, isDm, type KnownChannel, placeIn } from "./directory.ts";
import { escapeText } from "./escape.ts";
import { textLimit } from "./limits.ts";

export interface InteractionsDeps {
  readonly acknowledger: Acknowledger;
  readonly about: ReturnType<typeof createAboutMessages>;
  readonly directory: Directory;
  readonly deps: Pick<AdapterDeps, "commands" | "form" | "complete" | "mayAsk">;
  readonly noteRoot: (messageId: string, text: string) => void;
  /** Takes an event over; `lane` keeps what one person does in one place in order. */
  readonly emit: (lane: string, name: string, read: () => Promise<InboundEvent | undefined>) => void;
}

/** Discord waits three seconds; the way there and back takes its part. */
const formMs = 2000;
const completeMs = 2300;
const mayAskMs = 2000;

interface Scene {
  readonly id: string;
  readonly token: string;
  readonly author: Author;
  readonly place: InboundPlace;
  readonly channel: KnownChannel;
}

/** Commands, presses, choices and dialogs: acknowledged at once, beside everything else that goes on, then handed over. */
export function createInteractions(adapter: InteractionsDeps) {
  const { acknowledger, about, directory, deps } = adapter;

  const sceneOf = (interaction: APIInteraction): Scene | undefined => {
    const author = actorOf(interaction);
    const { channel } = interaction;
    if (!author || !channel || channel.type === undefined) return undefined;
    const seen = directory.see({ ...channel, type: channel.type }, interaction.guild_id);
    return { id: interaction.id, token: interaction.token, author, place: placeIn(seen, directory), channel: seen };
  };

  const base = ({ id, token, author, place }: Scene, acknowledged: Acknowledged) => ({
    key: id,
    author,
    place,
    sentAt: sentAtOf(id),
    interaction: toInteraction(id, token, acknowledged),
  });

  /** Whether others are to see what this person asks: else strangers had us speak, and make threads, where they may not. */
  const mayAsk = async ({ place, author }: Scene): Promise<boolean> =>
    (await within(mayAskMs, deps.mayAsk(place, author.id))) === true;

  /** The question stands in the channel for all to see, and the answers hang on it. */
  const ask = async (scene: Scene, argument: string, shown: string): Promise<CommandEvent> => {
    const message = await acknowledger.show(scene, {
      type: InteractionResponseType.ChannelMessageWithSource,
      data: { content: clip(shown, textLimit), allowed_mentions: { parse: [] }, flags: MessageFlags.SuppressEmbeds },
    });
    const event = { kind: "command" as const, ...base(scene, "done"), name: asking, argument };
    if (!message) return event;
    const isRoot = hasThreads(scene.channel);
    if (isRoot) adapter.noteRoot(message.id, argument);
    return { ...event, messageId: message.id, place: isRoot ? { ...scene.place, thread: message.id } : scene.place };
  };

  const command = async (
    interaction: APIApplicationCommandInteraction,
    scene: Scene,
  ): Promise<InboundEvent | undefined> => {
    const { data } = interaction;
    if (data.type === ApplicationCommandType.Message) {
      await acknowledger.acknowledge(scene, about.open(data));
      return undefined;
    }
    if (data.type !== ApplicationCommandType.ChatInput) return undefined;
    const spec = deps.commands.find(({ name }) => name === data.name);
    const values = valuesOf(spec, data.options);
    const argument = values.map(({ value }) => value).join(" ");
    if (data.name === asking && !isDm(scene.channel) && (await mayAsk(scene))) {
      const named = spec?.fields.find(({ completes }) => completes !== undefined)?.name;
      const shown = values.map(({ name, value }) => (name === named ? `**${escapeText(value)}**` : escapeText(value)));
      return ask(scene, argument, shown.join(" ") || `/${asking}`);
    }
    void acknowledger.acknowledge(scene, deferPrivately);
    return { kind: "command", ...base(scene, "thinking"), name: data.name, argument };
  };

  const component = async (
    interaction: APIMessageComponentInteraction,
    scene: Scene,
  ): Promise<InboundEvent | undefined> => {
    const { data, message } = interaction;
    const meaning = meaningOf(data.custom_id);
    const token = chosenToken(meaning, data);
    if (meaning?.kind === "form" && token !== undefined) {
      const form = await within(formMs, deps.form(token, scene.author.id));
      if (form) {
        await acknowledger.acknowledge(scene, { type: InteractionResponseType.Modal, data: toModal(token, form) });
        return undefined;
      }
    }
    void acknowledger.acknowledge(scene, deferUpdate);
    if (token === undefined) return undefined;
    const { sentAt: _, ...event } = base(scene, "done");
    return { kind: "button", ...event, messageId: message.id, token, ...privateIf(message) };
  };

  const submitted = async (interaction: APIModalSubmitInteraction, scene: Scene): Promise<InboundEvent | undefined> => {
    const meaning = meaningOf(interaction.data.custom_id);
    const value = writtenIn(interaction);
    if (meaning?.kind === "about") {
      void acknowledger.acknowledge(scene, deferPrivately);
      return {
        kind: "command",
        ...base(scene, "thinking"),
        name: asking,
        argument: value,
        ...(await about.ask(scene, meaning.messageId, value, await mayAsk(scene))),
      };
    }
    const { message } = interaction;
    void acknowledger.acknowledge(scene, message ? deferUpdate : deferPrivately);
    if (meaning?.kind !== "form") return undefined;
    const { sentAt: _, ...event } = base(scene, message ? "done" : "thinking");
    const on = message ? { messageId: message.id, ...privateIf(message) } : {};
    return { kind: "form", ...event, ...on, token: meaning.token, value };
  };

  const complete = async (interaction: APIApplicationCommandAutocompleteInteraction, scene: Scene): Promise<void> => {
    const { data } = interaction;
    const typing = data.options.find((option) => option.type === ApplicationCommandOptionType.String && option.focused);
    const spec = deps.commands.find(({ name }) => name === data.name);
    const completes = spec?.fields.find(({ name }) => name === typing?.name)?.completes;
    const typed = typing && "value" in typing ? String(typing.value) : "";
    const values = completes && (await within(completeMs, deps.complete(completes, typed, scene.author.id)));
    const choices = (values ?? [])
      .slice(0, 25)
      .map((value) => ({ name: value.slice(0, 100), value: value.slice(0, 100) }));
    await acknowledger.acknowledge(scene, {
      type: InteractionResponseType.ApplicationCommandAutocompleteResult,
      data: { choices },
    });
  };

  const take = (interaction: APIInteraction, scene: Scene): Promise<InboundEvent | undefined> => {
    switch (interaction.type) {
      case InteractionType.ApplicationCommand:
        return command(interaction, scene);
      case InteractionType.MessageComponent:
        return component(interaction, scene);
      case InteractionType.ModalSubmit:
        return submitted(interaction, scene);
      case InteractionType.ApplicationCommandAutocomplete:
        return complete(interaction, scene).then(() => undefined);
      default:
        return Promise.resolve(undefined);
    }
  };

  return (interaction: APIInteraction): void => {
    const scene = sceneOf(interaction);
    if (!scene) return;
    const event = take(interaction, scene);
    // Answered already, whatever becomes of the event; the lane says what went wrong.
    event.catch(() => undefined);
    adapter.emit(`${scene.channel.id}:${scene.author.id}`, `interaction ${scene.id}`, () => event);
  };
}

/** A list tells what was chosen; a button carries its token itself. */
function chosenToken(
  meaning: ReturnType<typeof meaningOf>,
  data: APIMessageComponentInteraction["data"],
): string | undefined {
  if (meaning?.kind === "choice") return "values" in data ? data.values[0] : undefined;
  return meaning && "token" in meaning ? meaning.token : undefined;
}

function privateIf({ flags = 0 }: { readonly flags?: number }): { private?: true } {
  return (flags & MessageFlags.Ephemeral) !== 0 ? { private: true } : {};
}
