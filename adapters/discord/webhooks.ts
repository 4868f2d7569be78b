import type { Persona } from "../../src/chat/index.ts";
import type { Api, Webhook } from "./api.ts";
import { describe, isRefusal } from "./errors.ts";
import { webhookNameLimit } from "./limits.ts";
import { namedWithEmoji } from "./message.ts";

export interface WebhooksDeps {
  readonly api: Api;
  readonly applicationId: () => string;
  readonly warn: (message: string, detail: string) => void;
  /** How long a channel that let us have no webhook is left alone, in milliseconds. */
  readonly pauseMs: number;
}

/** One webhook a channel, made by us and found again after a restart: through it each teammate has a name and a picture of its own. */
export function createWebhooks({ api, applicationId, warn, pauseMs }: WebhooksDeps) {
  const found = new Map<string, Promise<Webhook | undefined>>();
  const refusedAt = new Map<string, number>();

  const lookUp = async (channel: string): Promise<Webhook | undefined> => {
    try {
      const existing = (await api.webhooks(channel)).find(
        (hook) => hook.application_id === applicationId() && hook.token,
      );
      const { id, token } = existing ?? (await api.makeWebhook(channel, "Shipmate"));
      return token ? { id, token } : undefined;
    } catch (error) {
      if (isRefusal(error)) {
        warn(`no webhook in channel ${channel}; names stand in the text there`, describe(error));
        refusedAt.set(channel, Date.now());
      }
      found.delete(channel);
      if (isRefusal(error)) return undefined;
      throw error;
    }
  };

  return {
    /** The webhook of a channel (of a thread's parent); undefined where we may have none. Rejects where Discord could not be asked. */
    get: (channel: string): Promise<Webhook | undefined> => {
      const refused = refusedAt.get(channel);
      if (refused !== undefined && Date.now() - refused < pauseMs) return Promise.resolve(undefined);
      refusedAt.delete(channel);
      const hook = found.get(channel) ?? lookUp(channel);
      found.set(channel, hook);
      return hook;
    },
    /** Somebody deleted it. */
    forget: (channel: string): void => void found.delete(channel),
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** How a persona is called on a webhook; undefined where Discord would not take the name. */
export function webhookIdentity(persona: Persona): { username: string; avatar_url?: string } | undefined {
  const username = namedWithEmoji(persona)
    // Discord refuses these words in names of webhooks, and these characters in any name.
    .replace(
      /(d)(iscord)|(c)(lyde)/giu,
      (_, d = "", iscord = "", c = "", lyde = "") => `${d}${c}\u00B7${iscord}${lyde}`,
    )
    .replace(/[@#:]|```/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
  if (username === "" || /^(?:everyone|here)$/iu.test(username)) return undefined;
  const fitting = username.slice(0, webhookNameLimit).toWellFormed().replaceAll("\uFFFD", "").trim();
  const { picture } = persona;
  return { username: fitting, ...(picture && /^https:\/\//iu.test(picture) ? { avatar_url: picture } : {}) };
}
