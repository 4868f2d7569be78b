import { z } from "zod";
import { registerSecret, type Seal } from "../shared/index.ts";
import type { Unit } from "../storage/index.ts";
import { settle } from "./attention.store.ts";
import { readSealed, saveSealed } from "./question.store.ts";

const values = z.record(z.string(), z.string());

/** Answers that nobody may read, by question. */
export type Secrets = Readonly<Record<string, string>>;

/** Keeps an answer until its turn takes it: sealed, and unspeakable for this process from now on. The item has to be locked. */
export async function keepSecret(
  unit: Unit,
  seal: Seal,
  secret: { readonly attentionId: string; readonly questionId: string; readonly value: string },
): Promise<void> {
  const { attentionId, questionId, value } = secret;
  registerSecret(value);
  const all = { ...(await unsealed(unit, seal, attentionId)), [questionId]: value };
  await saveSealed(unit.db, attentionId, seal.close(JSON.stringify(all)));
}

/** Takes the answers for the turn that waits, once: nothing of them is kept. Null where they were taken before. */
export async function takeSecrets(unit: Unit, seal: Seal, attentionId: string, now: Date): Promise<Secrets | null> {
  const secrets = await unsealed(unit, seal, attentionId);
  if (!(await settle(unit.db, attentionId, now))) return null;
  for (const secret of Object.values(secrets)) registerSecret(secret);
  return secrets;
}

async function unsealed(unit: Unit, seal: Seal, attentionId: string): Promise<Secrets> {
  const sealed = await readSealed(unit.db, attentionId);
  return sealed === null ? {} : values.parse(JSON.parse(seal.open(sealed)));
}
