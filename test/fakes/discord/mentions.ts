import type { APIAllowedMentions, APIMessageTopLevelComponent, APIUser } from "discord-api-types/v10";
import { type Problem, refuse } from "./failure.ts";
import type { GuildRecord, World } from "./world.ts";

export interface Mentions {
  readonly users: readonly APIUser[];
  readonly roles: readonly string[];
  readonly everyone: boolean;
  /** Whom it notifies: user ids, role ids, `everyone`. */
  readonly pings: readonly string[];
}

interface Allowed {
  readonly users: (id: string) => boolean;
  readonly roles: (id: string) => boolean;
  readonly everyone: boolean;
  readonly repliedUser: boolean;
}

/** What a text mentions, as far as its sender allows. Code does not mention. */
export function findMentions(
  world: World,
  guild: GuildRecord | undefined,
  text: string,
  repliedTo: APIUser | undefined,
  allowed: Allowed,
): Mentions {
  const plain = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, "");
  const named = [...plain.matchAll(/<@!?(\d+)>/g)].map((match) => match[1] ?? "").filter(allowed.users);
  const replied = repliedTo && allowed.repliedUser ? [repliedTo.id] : [];
  const users = [...new Set([...named, ...replied])].flatMap((id) => world.users.get(id) ?? []);
  const roles = [...new Set([...plain.matchAll(/<@&(\d+)>/g)].map((match) => match[1] ?? ""))]
    .filter((id) => guild?.roles.some((role) => role.id === id))
    .filter(allowed.roles);
  const everyone = guild !== undefined && allowed.everyone && /@(everyone|here)\b/.test(plain);
  const pings = [...users.map((user) => user.id), ...roles, ...(everyone ? ["everyone"] : [])];
  return { users, roles, everyone, pings };
}

/** A person's message mentions whom it names. */
export const allowedForPeople = (replyPings: boolean): Allowed => ({
  users: () => true,
  roles: () => true,
  everyone: true,
  repliedUser: replyPings,
});

/** `allowed_mentions`: without it everything pings, the author of the replied message too. */
export function readAllowed(given: APIAllowedMentions | null | undefined): Allowed {
  if (!given) return allowedForPeople(true);
  const problems: Problem[] = [];
  for (const kind of ["users", "roles"] as const) {
    if (given.parse?.some((one) => one === kind) && (given[kind]?.length ?? 0) > 0) {
      const message = `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`;
      problems.push({ path: "allowed_mentions", code: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message });
    }
    if ((given[kind]?.length ?? 0) > 100) {
      const message = "Must be 100 or fewer in length.";
      problems.push({ path: `allowed_mentions.${kind}`, code: "BASE_TYPE_MAX_LENGTH", message });
    }
  }
  refuse(problems);
  const parses = (kind: string) => given.parse?.some((one) => one === kind) ?? false;
  return {
    users: (id) => parses("users") || (given.users?.includes(id) ?? false),
    roles: (id) => parses("roles") || (given.roles?.includes(id) ?? false),
    everyone: parses("everyone"),
    repliedUser: given.replied_user ?? false,
  };
}

/** Every text of a message that can mention: its content and its text displays. */
export function mentioningText(content: string, components: readonly APIMessageTopLevelComponent[]): string {
  return [content, ...textDisplays(components)].filter((text) => text !== "").join("\n");
}

/** Text displays of Components V2 in the order people read them. */
export function textDisplays(components: readonly { readonly type: number }[]): string[] {
  return components.flatMap((component) => {
    const inner = "components" in component ? (component.components as { type: number }[]) : [];
    const own = component.type === 10 && "content" in component ? [`${component.content}`] : [];
    return [...own, ...textDisplays(inner)];
  });
}
