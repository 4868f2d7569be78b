import { issueTokens, type NewTokens } from "../../attention/index.ts";
import type { Post } from "../../chat/index.ts";
import type { Unit } from "../../storage/index.ts";
import type { Words } from "../../words/index.ts";
import type { InboxDeps } from "../deps.ts";

export type McpPost = Pick<Post, "text" | "buttons" | "selects" | "links">;

/** What cards are drawn with, in an event or long after it. */
export interface View {
  readonly unit: Unit;
  readonly deps: Pick<InboxDeps, "mcp" | "teammates" | "clock">;
  readonly words: Words;
}

const lifetimeMs = 7 * 24 * 60 * 60_000;

/** One group for the whole card: each change draws it anew. For the owner and admins. */
export async function issue({ unit, deps }: View, choices: NewTokens["choices"]): Promise<(key: string) => string> {
  const expiresAt = new Date(deps.clock.now().getTime() + lifetimeMs);
  const tokens = await issueTokens(unit, { choices, minRole: "admin", expiresAt });
  return (key) => {
    const token = tokens[key];
    if (token === undefined) throw new Error(`no token was made for ${key}`);
    return token;
  };
}

/** Names by id; of those who are away, too. */
export async function teammateNames({ unit, deps }: View): Promise<ReadonlyMap<string, string>> {
  return new Map((await deps.teammates.everyone(unit.db)).map((each) => [each.id, each.name]));
}
