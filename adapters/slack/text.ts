import { isSafeUrl } from "../../src/chat/index.ts";

/** Names of what a text mentions, as far as they are known. */
export interface Names {
  readonly self: string;
  readonly users: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

export interface Mentions {
  readonly users: readonly string[];
  readonly channels: readonly string[];
}

const token = /<([^<>\n]+)>/gu;

/** Whom and what a text in Slack's mark-up mentions. */
export function mentionsIn(text: string): Mentions {
  const targets = [...text.matchAll(token)].map(([, inner = ""]) => inner.split("|", 1)[0] ?? "");
  const ids = (mark: string) => [...new Set(targets.filter((one) => one.startsWith(mark)).map((one) => one.slice(1)))];
  return { users: ids("@"), channels: ids("#") };
}

/**
 * Slack's mark-up as plain Markdown: names instead of ids, our own name gone, links with labels, characters instead of
 * escapes. Bold and the like stay as they were typed.
 */
export function decodeText(text: string, names: Names): string {
  let result = "";
  let at = 0;
  for (const match of text.matchAll(token)) {
    result += unescapeText(text.slice(at, match.index));
    at = match.index + match[0].length;
    const shown = decodeToken(match[1] ?? "", names) ?? match[0];
    // The name goes together with one of the spaces around it.
    if (shown === "" && /(?:^|\s)$/u.test(result) && /^[ \t]/u.test(text.slice(at))) at += 1;
    else if (shown === "" && /^[,.!?;:]/u.test(text.slice(at))) result = result.replace(/[ \t]$/u, "");
    result += shown;
  }
  return (result + unescapeText(text.slice(at))).trim();
}

function decodeToken(inner: string, names: Names): string | undefined {
  const bar = inner.indexOf("|");
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? undefined : unescapeText(inner.slice(bar + 1)) || undefined;
  const id = target.slice(1);
  switch (target[0]) {
    case "@":
      return id === names.self ? "" : `@${names.users.get(id) ?? label?.replace(/^@/u, "") ?? id}`;
    case "#":
      return `#${label ?? names.channels.get(id) ?? id}`;
    case "!":
      return special(id, label);
    default:
      return markdownLink(unescapeText(target), label);
  }
}

function special(name: string, label: string | undefined): string {
  if (/^(?:here|channel|everyone)$/u.test(name)) return `@${name}`;
  // `<!subteam^S1|@ops>` and `<!date^1790000000^{date}|12 May>` say what they show.
  return label ?? `@${name.split("^", 1)[0] ?? name}`;
}

/** A link as Markdown; one whose label says nothing else, or could not be written as a label, as its bare address. */
export function markdownLink(url: string, label: string | undefined): string | undefined {
  if (!isSafeUrl(url)) return label === undefined ? undefined : label;
  const bare = url.replace(/^mailto:/u, "");
  if (label === undefined || label === url || label === bare || /[[\]\n]/u.test(label)) {
    return label === undefined || label === url || label === bare ? bare : `${label} (${url})`;
  }
  return /[()<>]/u.test(url) ? `[${label}](<${url}>)` : `[${label}](${url})`;
}

export function unescapeText(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
