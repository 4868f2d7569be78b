import { randomUUID } from "node:crypto";
import type { Model, PlanType, Result } from "../../../src/codex/index.ts";
import type { Handlers, World } from "./answers.ts";
import { notification } from "./shapes.ts";

/** The account of the stand-in, and the one sign-in that may be under way. */
export interface FakeAccount {
  /** The kind of plan somebody is signed in with. */
  plan: PlanType | undefined;
  /** The sign-in that waits for its code to be used. */
  loginId: string | undefined;
  /** What a sign-in is refused with, where it is. */
  refusal: string | undefined;
  readonly models: Model[];
}

export function makeAccount(): FakeAccount {
  return { plan: undefined, loginId: undefined, refusal: undefined, models: [] };
}

export const accountAnswers: Handlers = {
  "account/read": (_params, { account: { plan } }) => ({
    account:
      plan === undefined ? null : { type: "chatgpt", email: "ada@example.com", planType: plan, workspaceName: null },
    userId: null,
    requiresOpenaiAuth: true,
    workspaceRouting: null,
  }),
  "account/login/start": (_params, { account }) => {
    if (account.refusal !== undefined) return { refuse: account.refusal, code: -32603 };
    account.loginId = randomUUID();
    return {
      type: "chatgptDeviceCode",
      loginId: account.loginId,
      verificationUrl: "https://auth.example.com/device",
      userCode: "WXYZ-1234",
    };
  },
  "account/login/cancel": ({ loginId }, world) => {
    if (world.account.loginId !== loginId) return { refuse: `invalid login id: ${loginId}` };
    return { reply: { status: "canceled" }, after: () => completeLogin(world, { error: "Login was canceled" }) };
  },
  "account/logout": (_params, { account }) => {
    account.plan = undefined;
    return {};
  },
  "account/rateLimits/read": () => ({ refuse: "codex account authentication required to read rate limits" }),
  "model/list": (_params, { account }) => ({ data: account.models, nextCursor: null }),
  // Nothing is set: of the many fields, clients look at those that say otherwise.
  "config/read": () => ({ config: {} as Result<"config/read">["config"], origins: {}, layers: null }),
};

/** Ends the sign-in that is under way, as the service would. */
export function completeLogin(
  { account, outlet }: Pick<World, "account" | "outlet">,
  outcome: { readonly plan: string } | { readonly error: string },
): void {
  const { loginId } = account;
  if (loginId === undefined) throw new Error("no sign-in is under way");
  account.loginId = undefined;
  const success = "plan" in outcome;
  if (success) account.plan = outcome.plan as PlanType;
  const error = success ? null : outcome.error;
  outlet.send(notification("account/login/completed", { loginId, success, error, onboardingEntrypoint: null }));
}
