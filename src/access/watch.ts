import { type CodexConnection, CodexError, type Model, type RateLimitSnapshot } from "../codex/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import type { Db } from "../storage/index.ts";
import type { AccessSettings, CodexFacts } from "./access.ts";
import { saveKeySource, saveSignedIn, saveWindows, windowsOf } from "./accounts.store.ts";
import type { Payer } from "./accounts.ts";
import { type ListedModel, listModels, replaceModels } from "./models.store.ts";
import { fullUntil, mergeWindows, noWindows, type PlanWindows } from "./windows.ts";

export interface WatchDeps {
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly connection: Pick<CodexConnection, "request" | "ready" | "onNotification" | "onState" | "state">;
  readonly settings: AccessSettings;
}

/** Keeps what Codex says of its account, its limits and its models, in this process and for others in the database. */
export interface AccountWatch extends CodexFacts {
  /** Looks who is signed in. */
  look(): Promise<void>;
  /** Resolves once it is known who can pay, or Codex does not say. */
  start(): Promise<void>;
  /** Resolves when all that was reported is stored. */
  stop(): Promise<void>;
}

const askMs = 5_000;
/** Codex reports after every model response; people look at the bars now and then. */
const saveEveryMs = 5_000;
/** A look on behalf of somebody who has no account, however many ask. */
const lookEveryMs = 3_000;
const mostPages = 20;

export function createAccountWatch(deps: WatchDeps): AccountWatch {
  const { db, log, clock, connection, settings } = deps;
  const measured: Payer = settings.endpoint === undefined ? "plan" : "api_key";
  const stops: (() => void)[] = [];
  let windows: PlanWindows = noWindows;
  let models: readonly ListedModel[] = [];
  let usual: { model: string; effort: string | undefined } | undefined;
  let saving: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let lookedAt = 0;

  const inBackground = (what: string, work: Promise<void>) =>
    void work.catch((error: unknown) => log.warn({ err: error }, what));

  function report(snapshot: RateLimitSnapshot): void {
    const merged = mergeWindows(windows, snapshot);
    if (JSON.stringify(merged) === JSON.stringify(windows)) return;
    windows = merged;
    saving ??= setTimeout(() => inBackground("what is used up could not be stored", save()), saveEveryMs);
  }

  async function save(): Promise<void> {
    clearTimeout(saving);
    saving = undefined;
    await saveWindows(db, measured, windows);
  }

  /** Whoever is signed in, as Codex itself sees it: where its provider takes no sign-in, it needs none. */
  async function lookAtAccount(): Promise<void> {
    if (settings.endpoint !== undefined) return;
    await connection.ready({ timeoutMs: askMs });
    const found = await known(connection.request("account/read", {}, { timeoutMs: askMs }));
    // One that cannot be asked who is signed in may well be: its turns tell.
    if (found === undefined) return saveSignedIn(db, true, null, clock.now());
    const { account, requiresOpenaiAuth } = found;
    const label = account?.type === "chatgpt" ? account.planType : (account?.type ?? null);
    await saveSignedIn(db, account !== null || !requiresOpenaiAuth, label, clock.now());
    if (account?.type === "chatgpt") inBackground("the plan's limits could not be read", lookAtLimits());
  }

  async function lookAtLimits(): Promise<void> {
    report((await connection.request("account/rateLimits/read", {})).rateLimits);
  }

  async function lookAtModels(): Promise<void> {
    const listed = (await known(allModels(connection))) ?? [];
    const config = (await known(connection.request("config/read", {})))?.config;
    const first = listed.find(({ isDefault }) => isDefault) ?? listed[0];
    const model = settings.model ?? config?.model ?? first?.id;
    models = withUsual(listed, model);
    const effort = config?.model_reasoning_effort ?? models.find(({ id }) => id === model)?.defaultEffort;
    usual = model === undefined ? undefined : { model, effort: effort ?? undefined };
    await replaceModels(db, models, clock.now());
  }

  function look(): Promise<void> {
    looking ??= lookAtAccount()
      .catch((error: unknown) => {
        if (!(error instanceof CodexError)) throw error;
        log.warn({ err: error }, "Codex does not say whether it is signed in");
      })
      .finally(() => {
        looking = undefined;
        lookedAt = clock.now().getTime();
      });
    return looking;
  }

  function connected(): void {
    inBackground("it is not known whether Codex is signed in", look());
    inBackground("the models could not be listed", lookAtModels());
  }

  return {
    look,
    usual: () => usual,
    effortOf: (model) => models.find(({ id }) => id === model)?.defaultEffort ?? undefined,
    async limitResetsAt(payer) {
      return payer === measured ? fullUntil(windows, clock.now()) : undefined;
    },
    async lookAgain() {
      if (clock.now().getTime() - lookedAt >= lookEveryMs) await look();
    },
    async start() {
      const given = settings.endpoint !== undefined ? "endpoint" : settings.apiKey !== undefined ? "environment" : null;
      await saveKeySource(db, given, clock.now());
      windows = await windowsOf(db, measured);
      models = await listModels(db);
      stops.push(
        connection.onNotification((notification) => {
          if (notification.method === "account/rateLimits/updated") report(notification.params.rateLimits);
          if (notification.method === "account/updated") connected();
        }),
        connection.onState(({ status }) => {
          if (status === "ready") connected();
        }),
      );
      if (connection.state.status !== "ready") return;
      inBackground("the models could not be listed", lookAtModels());
      await look();
    },
    async stop() {
      for (const each of stops.splice(0)) each();
      if (saving !== undefined) await save();
      await looking;
    },
  };
}

/** The answer; undefined from a Codex on another machine that is too old for the question. */
async function known<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof CodexError && error.kind === "refused" && error.message.includes("unknown variant")) return;
    throw error;
  }
}

/** The usual one is among them, also where Codex lists it to nobody. */
function withUsual(listed: readonly ListedModel[], usual: string | undefined): ListedModel[] {
  const models = listed.map((each) => ({ ...each, isDefault: each.id === usual }));
  if (usual === undefined || models.some(({ isDefault }) => isDefault)) return models;
  return [{ id: usual, name: usual, description: "", efforts: [], defaultEffort: null, isDefault: true }, ...models];
}

async function allModels(connection: Pick<CodexConnection, "request">): Promise<ListedModel[]> {
  const found: Model[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < mostPages; page++) {
    const { data, nextCursor } = (await connection.request("model/list", { cursor })) as Awaited<
      ReturnType<typeof connection.request<"model/list">>
    >;
    found.push(...data);
    cursor = nextCursor;
    if (cursor === null) break;
  }
  return found
    .filter(({ hidden }) => !hidden)
    .map((each) => ({
      id: each.model,
      name: each.displayName,
      description: each.description,
      efforts: each.supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort),
      defaultEffort: each.defaultReasoningEffort,
      isDefault: each.isDefault,
    }));
}
