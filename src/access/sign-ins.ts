import { type CodexConnection, CodexError, type Notification } from "../codex/index.ts";
import type { Clock, Log } from "../shared/index.ts";
import { type Db, inTransaction, type Unit } from "../storage/index.ts";
import { markUsable, readAccounts } from "./accounts.store.ts";
import { isThere } from "./accounts.ts";
import * as store from "./sign-ins.store.ts";

/** Why a sign-in came to nothing; the catalog has a sentence for each. */
export type SignInProblem = "unreachable" | "refused" | "late" | "restarted" | "unanswered";

export interface SignInsDeps {
  readonly db: Db;
  readonly log: Log;
  readonly clock: Clock;
  readonly connection: Pick<CodexConnection, "request" | "onNotification" | "onState">;
  /** Shows where it stands now, in its own place. */
  readonly show: (unit: Unit, signIn: store.SignIn) => Promise<void>;
  /** The plan can be used: what waited for it goes on. */
  readonly onUsable: (unit: Unit) => Promise<void>;
  /** Looks who is signed in now. */
  readonly look: () => Promise<void>;
}

/** Signs Codex in and out where Codex is, for people who asked in a chat. Rows hold the state; a job only names one. */
export interface SignIns {
  /** Ends what an earlier process left, since Codex's side of it is gone, and listens. */
  start(): Promise<void>;
  stop(): void;
  /** Does what a row asks for: begins, or ends what was cancelled. */
  take(id: string): Promise<void>;
}

const codeMs = 30_000;

export function createSignIns(deps: SignInsDeps): SignIns {
  const { db, log, clock, connection } = deps;
  const stops: (() => void)[] = [];

  const inBackground = (work: Promise<void>) =>
    void work.catch((error: unknown) => log.error({ err: error }, "a sign-in could not be followed"));

  async function end(id: string, status: "done" | "failed", detail?: SignInProblem): Promise<void> {
    if (status === "done") await deps.look();
    await inTransaction(db, log, async (unit) => {
      const ended = await store.endSignIn(unit.db, id, { status, detail, now: clock.now() });
      if (ended === undefined) return;
      if (status === "done" && ended.task === "in") {
        // Another account may stand behind it: what was used up before says nothing any more.
        await markUsable(unit.db, "plan", clock.now());
        await deps.onUsable(unit);
      }
      await deps.show(unit, ended);
    });
  }

  async function begin(id: string): Promise<void> {
    const login = await connection.request("account/login/start", { type: "chatgptDeviceCode" }, { timeoutMs: codeMs });
    if (login.type !== "chatgptDeviceCode") return end(id, "failed", "refused");
    const waiting = await inTransaction(db, log, async (unit) => {
      const started = await store.startSignIn(unit.db, id, login);
      if (started !== undefined) await deps.show(unit, started);
      return started;
    });
    if (waiting === undefined) await cancel(login.loginId);
  }

  async function cancel(loginId: string): Promise<void> {
    try {
      await connection.request("account/login/cancel", { loginId });
    } catch (error) {
      // It ended by itself meanwhile.
      if (!(error instanceof CodexError && error.kind === "refused")) throw error;
    }
  }

  async function completed({ params }: Extract<Notification, { method: "account/login/completed" }>): Promise<void> {
    if (params.loginId === null) return;
    const found = await store.findSignIn(db, { loginId: params.loginId });
    if (found === undefined) return;
    const late = params.error !== null && /expired|timed out/i.test(params.error);
    if (params.success) return end(found.id, "done");
    return end(found.id, "failed", late ? "late" : "refused");
  }

  /** Whether the code was used while nobody listened. */
  async function isSignedIn(): Promise<boolean> {
    await deps.look();
    return isThere((await readAccounts(db)).plan);
  }

  async function settleOpen(): Promise<void> {
    for (const { id, status } of await store.openSignIns(db)) {
      if (status === "asked") await take(id);
      else if (await isSignedIn()) await end(id, "done");
      else await end(id, "failed", "restarted");
    }
  }

  /** Only the line was down, maybe: then Codex still waits for the code, and the deadline settles the rest. */
  async function lookAfterBreak(): Promise<void> {
    for (const { id, status } of await store.openSignIns(db)) {
      if (status === "waiting" && (await isSignedIn())) await end(id, "done");
    }
  }

  async function take(id: string): Promise<void> {
    const found = await store.findSignIn(db, { id });
    if (found === undefined) return;
    if (found.status === "cancelled" && found.loginId !== null) return cancel(found.loginId);
    if (found.status !== "asked") return;
    try {
      if (found.task === "in") return await begin(id);
      await connection.request("account/logout", undefined);
      return await end(id, "done");
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      log.warn({ err: error }, "Codex could not be signed in or out");
      return end(id, "failed", error.kind === "refused" ? "unreachable" : "unanswered");
    }
  }

  return {
    take,
    async start() {
      stops.push(
        connection.onNotification((notification) => {
          if (notification.method === "account/login/completed") inBackground(completed(notification));
        }),
        connection.onState(({ status }) => {
          if (status === "ready") inBackground(lookAfterBreak());
        }),
      );
      await settleOpen();
    },
    stop() {
      for (const each of stops.splice(0)) each();
    },
  };
}

/** No code lives longer; and somebody has to take what was asked for within this long. */
const longestWaitMs = 16 * 60_000;
const longestAskMs = 60_000;

/** Ends what nobody will end any more: a code that was not used, a job that got lost. Any process may do it. */
export async function endLateSignIns(unit: Unit, deps: Pick<SignInsDeps, "clock" | "show">): Promise<void> {
  const now = deps.clock.now();
  for (const { id, status, createdAt } of await store.openSignIns(unit.db)) {
    const age = now.getTime() - createdAt.getTime();
    if (age < (status === "asked" ? longestAskMs : longestWaitMs)) continue;
    const detail: SignInProblem = status === "asked" ? "unanswered" : "late";
    const ended = await store.endSignIn(unit.db, id, { status: "failed", detail, now });
    if (ended !== undefined) await deps.show(unit, ended);
  }
}
