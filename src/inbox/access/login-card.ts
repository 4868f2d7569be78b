import {
  type Account,
  type Accounts,
  blockOf,
  isThere,
  type Payer,
  planWindows,
  readAccounts,
  whoPays,
} from "../../access/index.ts";
import { issueTokens } from "../../attention/index.ts";
import type { Button, Post, Select } from "../../chat/index.ts";
import { clockTime } from "../../shared/index.ts";
import type { PersonScene } from "../scene.ts";

const lifetimeMs = 24 * 60 * 60_000;

/** Who pays for the model, and how to change it. */
export async function loginCard(scene: PersonScene): Promise<Pick<Post, "text" | "buttons" | "selects">> {
  const { unit } = scene;
  const words = scene.words.access;
  const accounts = await readAccounts(unit.db);
  if (accounts.key?.source === "endpoint") return { text: `${words.title}\n\n${words.endpoint}` };
  const lines = [await planLine(scene, accounts.plan), keyLine(scene, accounts.key)];
  return {
    text: [words.title, lines.join("\n"), stateLine(scene, accounts)].join("\n\n"),
    ...(await controls(scene, accounts)),
  };
}

/** A moment in the reader's clock. */
export function timeFor({ deps, person }: PersonScene, at: Date): string {
  return clockTime(at, deps.clock.now(), person.timezone, person.locale);
}

async function planLine(scene: PersonScene, plan: Account | undefined): Promise<string> {
  const { planLine: say, used } = scene.words.access;
  if (!isThere(plan)) return say.none;
  const now = scene.deps.clock.now();
  switch (blockOf(plan, now)) {
    case "plan_limit":
      return say.limited(plan.limitResetsAt === null ? null : timeFor(scene, plan.limitResetsAt));
    case "key_rejected":
      return say.invalid;
    case undefined: {
      const { primary, secondary } = await planWindows(scene.unit.db);
      const bars = [primary, secondary].flatMap((each) => (each === null ? [] : [each]));
      return say.ready(
        plan.label,
        bars.map((each) => used(each.usedPercent, each.windowMinutes)),
      );
    }
  }
}

function keyLine(scene: PersonScene, key: Account | undefined): string {
  const { keyLine: say } = scene.words.access;
  if (!isThere(key)) return say.none;
  switch (blockOf(key, scene.deps.clock.now())) {
    case "plan_limit":
      return say.limited;
    case "key_rejected":
      return say.invalid;
    case undefined:
      return key.source === "form" ? say.form : say.environment;
  }
}

function stateLine(scene: PersonScene, accounts: Accounts): string {
  const words = scene.words.access;
  const paying = whoPays(accounts, { now: scene.deps.clock.now() });
  switch (paying.kind) {
    case "nobody":
      return words.nobodyPays;
    case "blocked":
      return words.paysNot(paying.account.kind);
    case "pays":
      return paying.insteadOf === undefined
        ? words.paysNow(paying.account.kind, paying.account.preferred)
        : words.paysInstead(paying.account.kind, paying.insteadOf.kind);
  }
}

interface Offer {
  readonly key: string;
  readonly action: string;
  readonly payload: object;
  readonly label: string;
  readonly style?: Button["style"];
}

async function controls(scene: PersonScene, accounts: Accounts): Promise<Pick<Post, "buttons" | "selects">> {
  const { unit, deps } = scene;
  const rows = offers(scene, accounts);
  const choices = choicesOf(accounts);
  const tokens = await issueTokens(unit, {
    choices: [
      ...rows.flat().map(({ key, action, payload }) => ({ key, action, payload })),
      ...choices.map((payer) => ({ key: `prefer:${payer}`, action: "access_prefer", payload: { payer } })),
    ],
    minRole: "admin",
    expiresAt: new Date(deps.clock.now().getTime() + lifetimeMs),
  });
  const token = (key: string): string => {
    const found = tokens[key];
    if (found === undefined) throw new Error(`no token was made for ${key}`);
    return found;
  };
  const buttons = rows.map((row) => row.map(({ key, label, style }) => ({ label, style, token: token(key) })));
  return { buttons, selects: choices.length === 0 ? undefined : [payerSelect(scene, accounts, token)] };
}

function offers(scene: PersonScene, { plan, key }: Accounts): readonly (readonly Offer[])[] {
  const words = scene.words.access;
  const offer = (action: string, label: string, style?: Button["style"]): Offer => ({
    key: action,
    action,
    payload: {},
    label,
    style,
  });
  const now = scene.deps.clock.now();
  const planWorks = isThere(plan) && blockOf(plan, now) !== "key_rejected";
  const signIn = offer("access_sign_in", words.signIn, planWorks ? undefined : "primary");
  const planRow = !isThere(plan) ? [signIn] : planWorks ? [] : [signIn];
  const signOut = isThere(plan) ? [offer("access_sign_out", words.signOut)] : [];
  const setKey = offer("access_set_key", isThere(key) ? words.anotherKey : words.setKey);
  const forget = key?.source === "form" ? [offer("access_forget_key", words.forgetKey)] : [];
  const instead = isThere(plan) && isThere(key) && blockOf(plan, now) !== undefined && !plan.covered;
  const cover = instead ? [[offer("access_use_key", words.useKey, "primary")]] : [];
  return [...cover, [...planRow, ...signOut], [setKey, ...forget]].filter((row) => row.length > 0);
}

/** Who can be chosen: a choice between one is none. */
function choicesOf({ plan, key }: Accounts): readonly (Payer | null)[] {
  return isThere(plan) && isThere(key) ? [null, "plan", "api_key"] : [];
}

function payerSelect(scene: PersonScene, accounts: Accounts, token: (key: string) => string): Select {
  const words = scene.words.access;
  const chosen = [accounts.plan, accounts.key].find((each) => each?.preferred)?.kind ?? null;
  return {
    label: words.whoPays,
    options: choicesOf(accounts).map((payer) => ({
      label: payer === null ? words.automatic : words.onlyPayer[payer],
      token: token(`prefer:${payer}`),
      current: payer === chosen,
    })),
  };
}
