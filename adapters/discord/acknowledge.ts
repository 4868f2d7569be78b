import {
  type APIMessage,
  InteractionResponseType,
  MessageFlags,
  type RESTPostAPIInteractionCallbackJSONBody,
} from "discord.js";
import { createRecent } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { code, describe, hasCode, isPassing } from "./errors.ts";

export interface Given {
  readonly id: string;
  readonly token: string;
}

export interface AcknowledgeDeps {
  readonly api: Api;
  readonly applicationId: () => string;
  readonly warn: (message: string, detail: string) => void;
}

export const deferPrivately: RESTPostAPIInteractionCallbackJSONBody = {
  type: InteractionResponseType.DeferredChannelMessageWithSource,
  data: { flags: MessageFlags.Ephemeral },
};
export const deferUpdate: RESTPostAPIInteractionCallbackJSONBody = {
  type: InteractionResponseType.DeferredMessageUpdate,
};

/**
 * First answers, which Discord wants within three seconds. One that was lost on the way is given once more; one that comes
 * too late, or twice, is written down and nothing else: what the person did counts all the same.
 */
export function createAcknowledger({ api, applicationId, warn }: AcknowledgeDeps) {
  /** First answers on their way: what answers further must not overtake them. */
  const underway = new Map<string, Promise<unknown>>();

  const give = async ({ id, token }: Given, body: RESTPostAPIInteractionCallbackJSONBody, withMessage: boolean) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return (await api.callback(id, token, body, withMessage))?.resource?.message ?? undefined;
      } catch (error) {
        if (tries > 0 && hasCode(error, code.alreadyAnswered)) return undefined;
        if (tries === 0 && isPassing(error)) continue;
        warn("an interaction was not acknowledged", describe(error));
        return undefined;
      }
    }
  };

  const here = createRecent<true>(1000);
  const track = <T>(id: string, given: Promise<T>): Promise<T> => {
    here.set(id, true);
    underway.set(id, given);
    void given.finally(() => underway.delete(id));
    return given;
  };

  return {
    /** Never rejects. */
    acknowledge: (given: Given, body: RESTPostAPIInteractionCallbackJSONBody): Promise<unknown> =>
      track(given.id, give(given, body, false)),
    /** The same with a message that everybody sees; gives that message, undefined where there is none. */
    show: (given: Given, body: RESTPostAPIInteractionCallbackJSONBody): Promise<APIMessage | undefined> => {
      const original = () => api.original({ id: applicationId(), token: given.token }).catch(() => undefined);
      return track(
        given.id,
        give(given, body, true).then((message) => message ?? original()),
      );
    },
    /** Whether this process gave it; after a restart nobody remembers what became of it. */
    isOurs: (id: string): boolean => here.has(id),
    /** Resolves once the first answer was given. */
    settled: async (id: string): Promise<void> => void (await underway.get(id)),
  };
}

export type Acknowledger = ReturnType<typeof createAcknowledger>;
