import { createHash } from "node:crypto";
import { type Clock, registerSecret, type Seal } from "../shared/index.ts";
import { audit, type Unit } from "../storage/index.ts";
import { forgetSecret, saveSecret } from "./accounts.store.ts";
import type { Account } from "./accounts.ts";

export type KeyProblem = "not_a_key";

/** The key that pays, where people set it: sealed in the database, and never said. */
export interface Keys {
  /** Takes a key; a problem where it cannot be one. Whether the provider takes it shows with the next run. */
  set(unit: Unit, written: string, personId: string): Promise<KeyProblem | null>;
  /** False where no key was set here. */
  forget(unit: Unit, personId: string): Promise<boolean>;
  /** The key that was set here; undefined where there is none, or it was sealed on another data folder. */
  read(account: Pick<Account, "secret">): string | undefined;
}

/** OpenAI's keys begin so; a longer text is something else that was pasted. */
const keyShape = /^sk-[\x21-\x7e]{16,400}$/;

export function createKeys({ seal, clock }: { readonly seal: Seal; readonly clock: Clock }): Keys {
  return {
    async set(unit, written, personId) {
      const key = written.trim();
      registerSecret(key);
      if (!keyShape.test(key)) return "not_a_key";
      await saveSecret(unit.db, seal.close(key), clock.now());
      await audit(unit.db, { personId, action: "api_key_set", data: { fingerprint: fingerprint(key) } });
      return null;
    },
    async forget(unit, personId) {
      const forgotten = await forgetSecret(unit.db, clock.now());
      if (forgotten) await audit(unit.db, { personId, action: "api_key_forgotten" });
      return forgotten;
    },
    read({ secret }) {
      if (secret === null) return undefined;
      try {
        const key = seal.open(secret);
        registerSecret(key);
        return key;
      } catch {
        return undefined;
      }
    },
  };
}

/** Tells keys apart without telling anything of them. */
export function fingerprint(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 12);
}
