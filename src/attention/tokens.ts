import { hashToken, newId, newToken } from "../shared/index.ts";
import type { Role, Unit } from "../storage/index.ts";
import { insertTokens } from "./tokens.store.ts";

export interface TokenChoice<Key extends string = string> {
  readonly key: Key;
  /** What the inbox does when it is pressed; `decide` is attention's own. */
  readonly action: string;
  readonly payload: object;
  /** Where this choice takes more than the others of its group. */
  readonly minRole?: Role | undefined;
}

/**
 * Who may press: `personId`, or anyone of at least `minRole`; with both, either suffices; with neither, any known person.
 * Strangers never.
 */
export interface NewTokens<Key extends string = string> {
  readonly choices: readonly TokenChoice<Key>[];
  readonly attentionId?: string | undefined;
  readonly runId?: string | undefined;
  readonly personId?: string | undefined;
  readonly minRole?: Role | undefined;
  readonly expiresAt?: Date | undefined;
}

/** Makes one single-use token per choice; using one uses up all of them. Only hashes are stored. */
export async function issueTokens<Key extends string>(
  unit: Unit,
  { choices, ...common }: NewTokens<Key>,
): Promise<Readonly<Record<Key, string>>> {
  const groupId = newId();
  const made = choices.map((choice) => ({ ...choice, token: newToken() }));
  await insertTokens(
    unit.db,
    made.map(({ action, payload, minRole, token }) => ({
      ...common,
      action,
      payload,
      minRole: minRole ?? common.minRole,
      groupId,
      hash: hashToken(token),
    })),
  );
  return Object.fromEntries(made.map(({ key, token }) => [key, token])) as Record<Key, string>;
}
