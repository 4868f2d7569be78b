import { issueTokens, type NewTokens } from "../../attention/index.ts";
import type { Post } from "../../chat/index.ts";
import type { KeptDraft } from "../../routines/index.ts";
import type { PersonScene } from "../scene.ts";

const lifetimeMs = 7 * 24 * 60 * 60_000;

export type RoutinePost = Pick<Post, "text" | "buttons" | "selects">;

export interface Key {
  readonly label: string;
  readonly action: string;
  readonly payload: object;
  readonly opensForm?: boolean;
  readonly style?: "primary" | "danger";
}

/** Tokens for everything on a card, in one group: each press draws it anew. For whom it was made, and whoever else is named. */
export async function issue(
  { unit, deps, person }: PersonScene,
  keys: readonly Key[],
  who: Pick<NewTokens, "personId" | "minRole"> = { personId: person.id },
): Promise<(key: Key) => string> {
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs);
  const numbers = new Map(keys.map((key, index) => [key, String(index)]));
  const choices = keys.map((key, index) => ({ key: String(index), action: key.action, payload: key.payload }));
  const tokens: Readonly<Record<string, string>> =
    choices.length === 0 ? {} : await issueTokens(unit, { ...who, choices, expiresAt });
  return (key) => {
    const token = tokens[numbers.get(key) ?? ""];
    if (token === undefined) throw new Error(`no token was made for ${key.label}`);
    return token;
  };
}

/** The rows as buttons, for whoever looks; rows without any are left out. */
export async function buttonRows(
  scene: PersonScene,
  rows: readonly (readonly Key[])[],
): Promise<NonNullable<Post["buttons"]>> {
  const shown = rows.filter((row) => row.length > 0);
  const token = await issue(scene, shown.flat());
  return shown.map((row) => row.map((key) => toButton(key, token(key))));
}

export function toButton({ label, opensForm, style }: Key, token: string) {
  return { label, token, ...(opensForm === undefined ? {} : { opensForm }), ...(style === undefined ? {} : { style }) };
}

/** Whose draft it is, and managers. */
export function whoMay({ personId }: KeptDraft) {
  return { personId: personId ?? undefined, minRole: "manager" } as const;
}
