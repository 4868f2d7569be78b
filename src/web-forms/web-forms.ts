import { type Clock, hashToken, type Log, newToken } from "../shared/index.ts";
import { type Db, inTransaction, type Unit } from "../storage/index.ts";
import type { IssuedForm, NewWebForm, OpenForm, Submitted, WebFormHandlers, WebFormValues } from "./types.ts";
import { findForm, insertForm, useForm } from "./web-forms.store.ts";

export interface WebFormsDeps {
  /** Where pages are found from outside, without a slash at its end, and whether other machines reach it. */
  readonly address: () => { readonly base: string; readonly opensAnywhere: boolean };
  readonly clock: Clock;
  readonly log: Log;
}

/** Pages that are filled in once, for what must never stand in a chat. */
export interface WebForms {
  /** Makes a page and gives its address, of which only a hash is kept here. */
  issue(unit: Unit, form: NewWebForm): Promise<IssuedForm>;
  /** The page as it is shown; null where it is used up, run out, unknown, or its person has left. Uses nothing up. */
  open(db: Db, token: string): Promise<OpenForm | null>;
  /** Takes what was written, once: two who send at the same time wait for each other. */
  submit(db: Db, token: string, values: WebFormValues, handlers: WebFormHandlers): Promise<Submitted>;
}

const mostCharacters = 20_000;

export function createWebForms({ address, clock, log }: WebFormsDeps): WebForms {
  return {
    async issue(unit, form) {
      const token = newToken();
      await insertForm(unit.db, hashToken(token), form, clock.now());
      const { base, opensAnywhere } = address();
      return { url: `${base}/f/${token}`, opensAnywhere };
    },
    async open(db, token) {
      return (await findForm(db, hashToken(token), clock.now(), false))?.page ?? null;
    },
    submit: (db, token, values, handlers) =>
      inTransaction(db, log, async (unit) => {
        const hash = hashToken(token);
        const form = await findForm(unit.db, hash, clock.now(), true);
        if (form === null) return { kind: "over" };
        const { page, payload, personId, purpose } = form;
        const written = only(page, values);
        const problem = problemOf(page, written);
        if (problem !== null) return { kind: "invalid", problem, form: page };
        const handler = handlers[purpose];
        if (handler === undefined) throw new Error(`nobody takes what is written into a page for ${purpose}`);
        const outcome = await handler(unit, { payload, personId, values: written });
        if (outcome.kind === "invalid") return { ...outcome, form: page };
        await useForm(unit.db, hash, clock.now());
        return outcome;
      }),
  };
}

/** What the page asked for, and nothing else. */
function only({ fields }: OpenForm, values: WebFormValues): WebFormValues {
  return Object.fromEntries(fields.map(({ name }) => [name, (values[name] ?? "").trim()]));
}

function problemOf({ fields }: OpenForm, values: WebFormValues): "empty" | "too_long" | null {
  const lengths = fields.map(({ name }) => values[name]?.length ?? 0);
  if (lengths.some((length) => length === 0)) return "empty";
  return lengths.some((length) => length > mostCharacters) ? "too_long" : null;
}
