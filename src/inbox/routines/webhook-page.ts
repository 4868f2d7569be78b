import { z } from "zod";
import type { People } from "../../people/index.ts";
import { keepsSecret, type Routines, type Webhooks } from "../../routines/index.ts";
import type { WebFormHandler } from "../../web-forms/index.ts";
import { wordsFor } from "../../words/index.ts";

export const webhookPagePayload = z.object({ routineId: z.uuid(), renewedAt: z.iso.datetime() });

export interface WebhookPageDeps {
  readonly routines: Pick<Routines, "get">;
  readonly webhooks: Pick<Webhooks, "reveal">;
  readonly people: Pick<People, "get">;
}

/** Shows a secret, once, to somebody who still may see it, and only while there is no later one. */
export function createWebhookPage({ routines, webhooks, people }: WebhookPageDeps): WebFormHandler {
  return async ({ db }, { payload, personId }) => {
    const { routineId, renewedAt } = webhookPagePayload.parse(payload);
    const person = await people.get(db, personId);
    const routine = await routines.get(db, routineId);
    if (person === undefined || routine === undefined || !keepsSecret(person, routine)) return { kind: "over" };
    const shown = await webhooks.reveal(db, { routineId, renewedAt: new Date(renewedAt) });
    if (shown === undefined) return { kind: "over" };
    const { page } = wordsFor(person.locale).outside.webhook;
    const { url, secret, opensAnywhere } = shown;
    return {
      kind: "done",
      text: page.text(opensAnywhere),
      shown: {
        title: page.title(routine.name),
        texts: [
          { label: page.address, text: url },
          { label: page.secret, text: secret },
          { label: page.try, text: page.script(url, secret) },
        ],
      },
    };
  };
}
