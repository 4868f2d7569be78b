import { type APIMessage, MessageFlags, type RESTPostAPIChannelMessageJSONBody } from "discord.js";
import {
  type Address,
  createRecent,
  delivered,
  failed,
  type Interaction,
  nothingSent,
  type Post,
  type Receipt,
} from "../../src/chat/index.ts";
import type { Answers } from "./answers.ts";
import type { Api, Webhook } from "./api.ts";
import { toComponents } from "./components.ts";
import { type Directory, isDm } from "./directory.ts";
import { createEarlierCopies } from "./earlier.ts";
import { code, hasCode, isRefusal, isUnauthorized, toFailure } from "./errors.ts";
import { renderPost } from "./message.ts";
import type { Spot, Threads } from "./threads.ts";
import { type Webhooks, webhookIdentity } from "./webhooks.ts";

export interface SenderDeps {
  readonly api: Api;
  readonly threads: Threads;
  readonly webhooks: Webhooks;
  readonly answers: Answers;
  readonly directory: Directory;
  readonly botId: () => string;
  readonly redact: (text: string) => string;
}

/** A webhook with the name and picture it is to have. */
interface Voice {
  readonly hook: Webhook;
  readonly identity: { readonly username: string; readonly avatar_url?: string };
}

/** Nobody is ever mentioned, whatever the text says. */
export const nobody = { parse: [], replied_user: false };

/** Posts, changes and removals. One attempt a call: repeating is the outbox's decision. */
export function createSender({ api, threads, webhooks, answers, directory, botId, redact }: SenderDeps) {
  const earlier = createEarlierCopies(api, botId);
  /** Messages that went out through a webhook, which alone may change them. */
  const spokenBy = createRecent<Webhook>(2000);

  const receipt = (sent: Promise<string>): Promise<Receipt> =>
    sent.then(delivered, (error: unknown) => toFailure(error, redact));

  const voiceFor = async (address: Address, { persona }: Post, spot: Spot): Promise<Voice | undefined> => {
    const identity = persona && webhookIdentity(persona);
    // A webhook cannot answer a message, which is what stands for a thread where there is none.
    if (!identity || spot.answers !== undefined) return undefined;
    const channel = await directory.find(address.channel);
    if (!channel || isDm(channel)) return undefined;
    const hook = await webhooks.get(address.channel);
    return hook && { hook, identity };
  };

  const speak = async (address: Address, spot: Spot, voice: Voice, post: Post): Promise<APIMessage | undefined> => {
    const thread = spot.inThread ? spot.channel : undefined;
    const body = { ...bodyOf(post, false), ...voice.identity };
    for (let hook: Webhook | undefined = voice.hook, tries = 0; hook && tries < 2; tries += 1) {
      try {
        const message = await api.sendAs(hook, thread, body);
        spokenBy.set(message.id, hook);
        return message;
      } catch (error) {
        // Somebody deleted it in the channel's settings: it is made again once.
        if (!hasCode(error, code.unknownWebhook)) throw error;
        webhooks.forget(address.channel);
        hook = await webhooks.get(address.channel);
      }
    }
    return undefined;
  };

  const prepare = async (address: Address, post: Post, key: string, again: boolean) => {
    const spot = await threads.open(address);
    const voice = await voiceFor(address, post, spot);
    if (!again) return { spot, voice, arrived: undefined };
    const { content, components } = bodyOf(post, voice === undefined);
    const through = voice && { webhookId: voice.hook.id, username: voice.identity.username };
    const arrived = await earlier.find(spot.channel, { key, content, components, answers: post.replyTo, ...through });
    return { spot, voice, arrived: arrived?.id };
  };

  const deliver = async (address: Address, post: Post, key: string, spot: Spot, voice: Voice | undefined) => {
    const spoken = voice && (await speak(address, spot, voice, post));
    const body = () => ({ ...bodyOf(post, true), ...onceOnly(key), ...reply(address, spot, post) });
    const message = spoken ?? (await api.send(spot.channel, body()));
    earlier.note(message.id, key);
    return message.id;
  };

  /** Tries the places a message may be in, and the voices it may have been said with. */
  const onMessage = async <T>(
    address: Address,
    messageId: string,
    asBot: (channel: string) => Promise<T>,
    asWebhook: (hook: Webhook, thread: string | undefined) => Promise<T>,
  ): Promise<T> => {
    const through = (hook: Webhook, channel: string) =>
      asWebhook(hook, channel === address.channel ? undefined : channel);
    let last: unknown;
    for (const channel of threads.whereabouts(address, messageId)) {
      try {
        const hook = spokenBy.get(messageId);
        return await threads.unarchived(channel, () => (hook ? through(hook, channel) : asBot(channel)));
      } catch (error) {
        last = error;
        if (hasCode(error, code.notTheAuthor, code.missingPermissions)) {
          // Said through a webhook, before a restart.
          const hook = await webhooks.get(address.channel).catch(() => undefined);
          if (!hook) throw error;
          return await threads.unarchived(channel, () => through(hook, channel));
        }
        if (!hasCode(error, code.unknownChannel, code.unknownMessage, code.missingAccess)) throw error;
      }
    }
    throw last;
  };

  /** In a thread that was not made yet, or where we may not read, there is nothing to be found. */
  const findByButton = async (address: Address, test: (token: string) => boolean): Promise<string | undefined> => {
    for (const channel of threads.whereabouts(address, "")) {
      const found = await earlier.withButton(channel, test).catch((error: unknown) => {
        if (isUnauthorized(error) || !isRefusal(error)) throw error;
        return undefined;
      });
      if (found) return found.id;
    }
    return undefined;
  };

  const remove = (address: Address, messageId: string): Promise<string> =>
    onMessage<unknown>(
      address,
      messageId,
      (channel) => api.remove(channel, messageId),
      (hook, thread) => api.removeAs(hook, thread, messageId),
    ).then(() => messageId);

  /** To one person alone, as an answer to what they did; undefined in a direct message, where any message is. Where that is over, nobody else sees it instead. */
  const privately = async (
    { channel }: Address,
    post: Post,
    interaction: Interaction | undefined,
  ): Promise<Receipt | undefined> => {
    const shown = interaction
      ? await receipt(answers.show(interaction, bodyOf(post, true)).then((message) => message?.id ?? ""))
      : undefined;
    if (shown && (shown.outcome !== "delivered" || shown.messageId !== "")) return shown;
    const known = await directory.find(channel).catch(() => undefined);
    return known && isDm(known) ? undefined : failed("gone", "The time to answer this in private is over.");
  };

  return {
    receipt,
    onMessage,

    post: async (address: Address, post: Post, key: string, again = false): Promise<Receipt> => {
      const shown = post.onlyFor && (await privately(address, post, post.onlyFor.interaction));
      if (shown) return shown;
      try {
        const { spot, voice, arrived } = await prepare(address, post, key, again);
        if (arrived !== undefined) {
          earlier.note(arrived, key);
          return delivered(arrived);
        }
        return await receipt(deliver(address, post, key, spot, voice));
      } catch (error) {
        return nothingSent(toFailure(error, redact));
      }
    },

    edit: (address: Address, messageId: string, post: Post): Promise<Receipt> => {
      const change = async () => {
        const interaction = post.onlyFor?.interaction;
        const shown = interaction && (await answers.change(interaction, messageId, bodyOf(post, true)));
        if (shown) return messageId;
        const { flags: _, ...asBot } = bodyOf(post, true);
        const { flags: __, ...asWebhook } = bodyOf(post, false);
        await onMessage<unknown>(
          address,
          messageId,
          (channel) => api.edit(channel, messageId, asBot),
          (hook, thread) => api.editAs(hook, thread, messageId, asWebhook),
        );
        return messageId;
      };
      return receipt(change());
    },

    remove: (address: Address, messageId: string): Promise<Receipt> => receipt(remove(address, messageId)),

    removeByButton: (address: Address, test: (token: string) => boolean): Promise<Receipt> =>
      receipt(findByButton(address, test).then((id) => (id === undefined ? "" : remove(address, id)))),
  };
}

function bodyOf(post: Post, withName: boolean) {
  return {
    content: renderPost(post, withName),
    components: toComponents(post),
    allowed_mentions: nobody,
    flags: MessageFlags.SuppressEmbeds | (post.notify ? 0 : MessageFlags.SuppressNotifications),
  };
}

/** Discord keeps a second message with the same nonce from appearing, for some minutes. */
export function onceOnly(key: string): Pick<RESTPostAPIChannelMessageJSONBody, "nonce" | "enforce_nonce"> {
  return { nonce: key, enforce_nonce: true };
}

/** In its thread an answer needs no pointer to the question above; elsewhere a question that is gone keeps no answer away. */
export function reply(
  { thread }: Address,
  { inThread, answers }: Spot,
  { replyTo }: { readonly replyTo?: string | undefined },
): Pick<RESTPostAPIChannelMessageJSONBody, "message_reference"> {
  const target = inThread && replyTo === thread ? undefined : (replyTo ?? answers);
  if (target === undefined || !/^\d{15,20}$/u.test(target)) return {};
  return { message_reference: { message_id: target, fail_if_not_exists: false } };
}
