import { describe, expect, it } from "vitest";
import { type Account, type Payer, whoPays } from "../../src/access/accounts.ts";

const now = new Date("2026-01-05T12:00:00Z");
const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

function account(kind: Payer, more: Partial<Account> = {}): Account {
  const source = kind === "plan" ? null : ("environment" as const);
  return {
    kind,
    label: null,
    secret: null,
    source,
    state: "ready",
    stateAt: now,
    limitResetsAt: null,
    covered: false,
    preferred: false,
    ...more,
  };
}

const plan = (more: Partial<Account> = {}) => account("plan", more);
const key = (more: Partial<Account> = {}) => account("api_key", more);
const used = { state: "limited", limitResetsAt: at(60) } as const;

/** In a word: who pays, or why nobody does. */
function pays(accounts: readonly Account[], how: { wish?: Payer; again?: boolean } = {}): string {
  const paying = whoPays(
    {
      plan: accounts.find(({ kind }) => kind === "plan"),
      key: accounts.find(({ kind }) => kind === "api_key"),
    },
    { ...how, now },
  );
  return paying.kind === "pays" ? paying.account.kind : paying.kind === "blocked" ? paying.why : "nobody";
}

describe("who pays", () => {
  it.each([
    ["nobody, without an account", [], "nobody"],
    ["nobody, signed out and without a key", [plan({ state: "signed_out" }), key({ source: null })], "nobody"],
    ["the key, alone", [key()], "api_key"],
    ["the plan, alone", [plan()], "plan"],
    ["the plan of the two, which is cheaper", [plan(), key()], "plan"],
    ["the key, chosen", [plan(), key({ preferred: true })], "api_key"],
    ["the plan, where the chosen key is gone", [plan(), key({ preferred: true, state: "signed_out" })], "plan"],
    ["nobody while the plan is used up", [plan(used), key()], "plan_limit"],
    ["the key while the plan is used up, once somebody said so", [plan({ ...used, covered: true }), key()], "api_key"],
    ["the plan again when it resets", [plan({ ...used, limitResetsAt: at(-1), covered: true }), key()], "plan"],
    ["nobody while the key was turned away a moment ago", [key({ state: "invalid", stateAt: at(-9) })], "key_rejected"],
    ["the key again after a while", [key({ state: "invalid", stateAt: at(-11) })], "api_key"],
    ["nobody where a limit without a time was met a moment ago", [plan({ state: "limited" })], "plan_limit"],
    [
      "the key on and on where no time was named and somebody said so",
      [plan({ state: "limited", stateAt: at(-600), covered: true }), key()],
      "api_key",
    ],
    [
      "nobody where the other one cannot either",
      [plan({ ...used, covered: true }), key({ state: "invalid" })],
      "plan_limit",
    ],
    ["an endpoint, whatever else there is", [plan({ preferred: true }), key({ source: "endpoint" })], "api_key"],
    [
      "an endpoint that turned us away, since its owner mends it unseen",
      [key({ source: "endpoint", state: "invalid" })],
      "api_key",
    ],
    ["no endpoint before its limit resets", [key({ ...used, source: "endpoint" })], "plan_limit"],
  ])("%s", (_name, accounts, expected) => {
    expect(pays(accounts)).toBe(expected);
  });

  it("tries again what failed without a time when a person asks to, and waits for a time that is known", () => {
    expect(pays([key({ state: "invalid" })], { again: true })).toBe("api_key");
    expect(pays([plan({ state: "limited" })], { again: true })).toBe("plan");
    expect(pays([plan(used)], { again: true })).toBe("plan_limit");
  });

  it("is the one a backup names, and no other", () => {
    expect(pays([plan(), key()], { wish: "api_key" })).toBe("api_key");
    expect(pays([plan()], { wish: "api_key" })).toBe("nobody");
    expect(pays([plan({ ...used, covered: true }), key()], { wish: "plan" })).toBe("plan_limit");
  });
});
