import { type APIMessage, MessageFlags, type RESTPostAPIWebhookWithTokenJSONBody } from "discord.js";
import { createRecent, type Interaction } from "../../src/chat/index.ts";
import type { Acknowledger } from "./acknowledge.ts";
import type { Api, Webhook } from "./api.ts";
import { sentAtOf } from "./catch-up.ts";
import { code, describe, hasCode } from "./errors.ts";
import { escapeText } from "./escape.ts";
import { interactionMs, textLimit } from "./limits.ts";

/**
 * How an interaction was acknowledged: with a private "thinking" that is to be filled or taken away, or with something
 * that needs no more (the card it was on, a message everybody sees).
 */
export type Acknowledged = "thinking" | "done";

/** What the core hands back later, perhaps after a restart. */
export function toInteraction(id: string, token: string, acknowledged: Acknowledged): Interaction {
  return { id, payload: `${acknowledged}:${token}` };
}

interface Known {
  readonly acknowledged: Acknowledged;
  readonly token: string;
}

function read({ payload = "" }: Interaction): Known | undefined {
  const [acknowledged, token] = [payload.slice(0, payload.indexOf(":")), payload.slice(payload.indexOf(":") + 1)];
  if (token === "" || (acknowledged !== "thinking" && acknowledged !== "done")) return undefined;
  return { acknowledged, token };
}

export interface AnswersDeps {
  readonly api: Api;
  readonly applicationId: () => string;
  readonly acknowledger: Pick<Acknowledger, "settled" | "isOurs">;
  readonly warn: (message: string, detail: string) => void;
}

/** The interaction is too old, or Discord forgot it: a private answer is not possible any more. */
const expired = [code.unknownWebhook, code.webhookTokenInvalid, code.unknownInteraction, code.unknownMessage] as const;

/** Private answers to interactions. They go through the interaction's own token, good for fifteen minutes. */
export function createAnswers({ api, applicationId, acknowledger, warn }: AnswersDeps) {
  /** Interactions whose "thinking" is filled or gone. */
  const settled = createRecent<true>(1000);
  const hookOf = (token: string): Webhook => ({ id: applicationId(), token });
  /** Whether there is a "thinking" to fill or take away. */
  const isPending = async ({ id }: Interaction, { acknowledged, token }: Known): Promise<boolean> => {
    await acknowledger.settled(id);
    if (acknowledged !== "thinking" || settled.has(id)) return false;
    if (acknowledger.isOurs(id)) return true;
    const message = await api.original(hookOf(token)).catch(() => undefined);
    return message === undefined || ((message.flags ?? 0) & MessageFlags.Loading) !== 0;
  };
  const isFresh = ({ id }: Interaction) => Date.now() - sentAtOf(id).getTime() < interactionMs;

  return {
    /** Shows something to the presser alone; undefined where it is too late for that. Rejects with what Discord answered. */
    show: async (
      interaction: Interaction,
      body: RESTPostAPIWebhookWithTokenJSONBody,
    ): Promise<APIMessage | undefined> => {
      const known = read(interaction);
      if (!known || !isFresh(interaction)) return undefined;
      const fills = await isPending(interaction, known);
      try {
        const { flags: _, ...content } = body;
        const message = fills
          ? await api.editAs(hookOf(known.token), undefined, "@original", content)
          : await api.sendAs(hookOf(known.token), undefined, {
              ...body,
              flags: MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds,
            });
        settled.set(interaction.id, true);
        return message;
      } catch (error) {
        if (hasCode(error, ...expired)) return undefined;
        throw error;
      }
    },

    /** Changes what was shown so; undefined where it is too late. To a press, the message it was on is the original. */
    change: async (interaction: Interaction, messageId: string, body: RESTPostAPIWebhookWithTokenJSONBody) => {
      const known = read(interaction);
      if (!known || !isFresh(interaction)) return undefined;
      await acknowledger.settled(interaction.id);
      try {
        const { flags: _, ...content } = body;
        const target = known.acknowledged === "done" ? "@original" : messageId;
        return await api.editAs(hookOf(known.token), undefined, target, content);
      } catch (error) {
        if (hasCode(error, ...expired)) return undefined;
        throw error;
      }
    },

    /** Takes the "thinking" away, or says something instead of it. A moment that is missed is no failure. */
    answer: async (interaction: Interaction, text: string | undefined): Promise<void> => {
      const known = read(interaction);
      if (!known || !isFresh(interaction)) return;
      const pending = await isPending(interaction, known);
      if (text === undefined && !pending) return;
      const hook = hookOf(known.token);
      const body = { content: escapeText(text ?? "").slice(0, textLimit), allowed_mentions: { parse: [] } };
      const done =
        text === undefined
          ? api.removeAs(hook, undefined, "@original")
          : pending
            ? api.editAs(hook, undefined, "@original", body)
            : api.sendAs(hook, undefined, { ...body, flags: MessageFlags.Ephemeral });
      settled.set(interaction.id, true);
      await done.catch((error: unknown) => warn("an interaction was not answered", describe(error)));
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;
