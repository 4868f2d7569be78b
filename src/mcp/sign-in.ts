import { type CodexConnection, CodexError, type JsonValue } from "../codex/index.ts";
import type { Log } from "../shared/index.ts";
import { openProbe, type Probe } from "./probe.ts";

export interface SignInOptions {
  readonly serverId: string;
  readonly name: string;
  readonly config: JsonValue;
  readonly folder: string;
  /** Called once, when the person was let in or was not; not where nobody came. */
  onEnd(success: boolean): void;
}

/** Signing in to servers: a page of theirs asks the person, and sends the browser back to Codex. */
export interface SignIns {
  /** Gives the address for the person's browser; null where Codex cannot begin one. The one before of the same server ends. */
  begin(options: SignInOptions): Promise<string | null>;
  /**
   * Takes the address a browser was sent back to, where that browser is on another machine than Codex and found nobody. False where it
   * is not the one that is waited for.
   */
  returned(serverId: string, address: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiting {
  readonly probe: Probe;
  readonly back: URL;
  readonly timer: NodeJS.Timeout;
}

const lifetimeMs = 10 * 60_000;
const returnMs = 15_000;

export function createSignIns(codex: Pick<CodexConnection, "request" | "attach">, log: Log): SignIns {
  const waiting = new Map<string, Waiting>();

  async function end(serverId: string): Promise<void> {
    const found = waiting.get(serverId);
    if (found === undefined) return;
    waiting.delete(serverId);
    clearTimeout(found.timer);
    await found.probe.close();
  }

  const endSoon = (serverId: string) =>
    void end(serverId).catch((error: unknown) => log.error({ err: error }, "a sign-in could not be ended"));

  async function beginWith(probe: Probe, { serverId, name }: SignInOptions): Promise<string> {
    const params = { name, threadId: probe.threadId, timeoutSecs: seconds(lifetimeMs) };
    const { authorizationUrl } = await codex.request("mcpServer/oauth/login", params);
    const back = new URL(new URL(authorizationUrl).searchParams.get("redirect_uri") ?? "");
    const timer = setTimeout(() => endSoon(serverId), lifetimeMs);
    timer.unref();
    waiting.set(serverId, { probe, back, timer });
    return authorizationUrl;
  }

  return {
    async begin(options) {
      await end(options.serverId);
      const { name, config, folder } = options;
      const onSignedIn = (success: boolean) => {
        endSoon(options.serverId);
        options.onEnd(success);
      };
      const probe = await openProbe(codex, { name, config, folder, onSignedIn });
      try {
        return await beginWith(probe, options);
      } catch (error) {
        await probe.close();
        if (!(error instanceof CodexError) || error.kind !== "refused") throw error;
        log.warn({ err: error, server: name }, "Codex cannot begin to sign in to an MCP server");
        return null;
      }
    },
    async returned(serverId, address) {
      const found = waiting.get(serverId);
      if (found === undefined || !URL.canParse(address)) return false;
      const given = new URL(address);
      // Nobody is called but the one Codex named: this address comes out of a chat.
      if (given.origin !== found.back.origin || given.pathname !== found.back.pathname) return false;
      try {
        const answer = await fetch(given, { redirect: "manual", signal: AbortSignal.timeout(returnMs) });
        return answer.ok;
      } catch (error) {
        log.warn({ reason: String(error) }, "Codex could not be given what a sign-in came back with");
        return false;
      }
    },
    async close() {
      await Promise.all([...waiting.keys()].map(end));
    },
  };
}

/** Codex's protocol has 64-bit numbers here; what goes over the line is a plain one. */
function seconds(ms: number): bigint {
  return (ms / 1000) as unknown as bigint;
}
