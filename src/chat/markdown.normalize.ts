import type * as mdast from "mdast";
import type { Block, Document, Inline, Link, List, ListItem, Paragraph, Table, TableRow } from "./markdown.document.ts";

/** What the walk carries down: where references point, and how deep it is. */
interface Scope {
  readonly definitions: ReadonlyMap<string, mdast.Definition>;
  readonly depth: number;
  readonly inLink: boolean;
}

/** Past this depth containers are flattened: nobody can read them, and renderers recurse. */
const maxDepth = 24;

/** Cuts a parsed tree down to what `Document` promises. */
export function normalize(root: mdast.Root): Document {
  const definitions = new Map<string, mdast.Definition>();
  collectDefinitions(root, definitions);
  return { type: "root", children: blocks(root.children, { definitions, depth: 0, inLink: false }) };
}

function collectDefinitions(parent: mdast.Parent, found: Map<string, mdast.Definition>): void {
  for (const child of parent.children) {
    // The first definition of a name wins, as in CommonMark.
    if (child.type === "definition" && !found.has(child.identifier)) found.set(child.identifier, child);
    if (child.type === "blockquote" || child.type === "list" || child.type === "listItem") {
      collectDefinitions(child, found);
    }
  }
}

function blocks(children: readonly mdast.RootContent[], scope: Scope): Block[] {
  return children.flatMap((child) => block(child, scope));
}

function block(node: mdast.RootContent, scope: Scope): Block[] {
  const inside = { ...scope, depth: scope.depth + 1 };
  switch (node.type) {
    case "paragraph":
      return paragraph(inlines(node.children, inside));
    case "heading": {
      const children = inlines(node.children, inside);
      return children.length === 0 ? [] : [{ type: "heading", depth: node.depth, children }];
    }
    case "code":
      return [{ type: "code", lang: node.lang ?? null, value: node.value }];
    case "thematicBreak":
      return [{ type: "thematicBreak" }];
    case "blockquote": {
      const children = blocks(node.children, inside);
      if (children.length === 0 || scope.depth >= maxDepth) return children;
      return [{ type: "blockquote", children }];
    }
    case "list":
      return list(node, inside);
    case "table":
      return [table(node, inside)];
    case "html":
      return htmlBlock(node.value);
    case "footnoteDefinition":
      return footnote(node, inside);
    case "definition":
    case "yaml":
      return [];
    default:
      // Phrasing content does not stand among blocks; should a parser put it there, it is kept.
      return paragraph(inlines([node as mdast.PhrasingContent], inside));
  }
}

function paragraph(children: Inline[]): Paragraph[] {
  return children.length === 0 ? [] : [{ type: "paragraph", children }];
}

function list(node: mdast.List, scope: Scope): Block[] {
  const items = node.children.map(
    (item): ListItem => ({
      type: "listItem",
      checked: item.checked ?? null,
      spread: item.spread ?? false,
      children: blocks(item.children, scope),
    }),
  );
  if (scope.depth > maxDepth) return items.flatMap((item) => item.children);
  const whole: List = {
    type: "list",
    ordered: node.ordered ?? false,
    start: node.ordered ? (node.start ?? 1) : null,
    spread: node.spread ?? false,
    children: items,
  };
  return [whole];
}

function table(node: mdast.Table, scope: Scope): Table {
  const width = Math.max(1, ...node.children.map((row) => row.children.length));
  const rows = node.children.map((row): TableRow => {
    const cells = Array.from({ length: width }, (_, column) => row.children[column]?.children ?? []);
    return {
      type: "tableRow",
      children: cells.map((cell) => ({ type: "tableCell", children: inlines(cell, scope) })),
    };
  });
  const align = Array.from({ length: width }, (_, column) => node.align?.[column] ?? null);
  return { type: "table", align, children: rows };
}

function htmlBlock(value: string): Block[] {
  const runs = value.split(/\n\s*\n/u).map((run) => run.replace(/^[ \t]+|[ \t]+$/gmu, "").trim());
  return runs.filter((run) => run !== "").flatMap((run) => paragraph([text(run)]));
}

function footnote(node: mdast.FootnoteDefinition, scope: Scope): Block[] {
  const children = blocks(node.children, scope);
  const label = text(`[${node.label ?? node.identifier}] `);
  const [first, ...rest] = children;
  if (first?.type !== "paragraph") return [{ type: "paragraph", children: [label] }, ...children];
  return [{ type: "paragraph", children: merge([label, ...first.children]) }, ...rest];
}

function inlines(children: readonly mdast.PhrasingContent[], scope: Scope): Inline[] {
  return merge(children.flatMap((child) => inline(child, { ...scope, depth: scope.depth + 1 })));
}

function inline(node: mdast.PhrasingContent, scope: Scope): Inline[] {
  switch (node.type) {
    case "text":
      return [text(node.value)];
    case "inlineCode":
      return [{ type: "inlineCode", value: node.value }];
    case "break":
      return [{ type: "break" }];
    case "strong":
    case "emphasis":
    case "delete": {
      const children = inlines(node.children, scope);
      return children.length === 0 || scope.depth > maxDepth ? children : [{ type: node.type, children }];
    }
    case "link":
      return link(node.url, inlines(node.children, { ...scope, inLink: true }), scope);
    case "linkReference": {
      const children = inlines(node.children, { ...scope, inLink: true });
      return link(scope.definitions.get(node.identifier)?.url ?? "", children, scope);
    }
    case "image":
      return link(node.url, node.alt ? [text(node.alt)] : [], scope);
    case "imageReference":
      return link(scope.definitions.get(node.identifier)?.url ?? "", node.alt ? [text(node.alt)] : [], scope);
    case "html":
      return /^<br\s*\/?>$/iu.test(node.value) ? [{ type: "break" }] : [text(node.value)];
    case "footnoteReference":
      return [text(`[${node.label ?? node.identifier}]`)];
  }
}

function link(url: string, label: Inline[], scope: Scope): Inline[] {
  if (scope.inLink || !isSafeUrl(url)) return label.length === 0 && url !== "" ? [text(url)] : label;
  const whole: Link = { type: "link", url, children: label.length === 0 ? [text(url)] : label };
  return [whole];
}

/** Only what opens a page, a mail or a call. Not `tg://user` (a mention), `javascript:`, or a path on our machine. */
export function isSafeUrl(url: string): boolean {
  return /^(?:https?:\/\/|mailto:|tel:)\S+$/iu.test(url);
}

function text(value: string): Inline {
  return { type: "text", value: withoutPings(value) };
}

/**
 * Keeps the words of a mass ping and takes its effect: a word joiner stands behind the at sign.
 * Covers `@everyone`, `@here`, `@channel`, and Slack's `<!channel>` and `<!subteam^S1|@ops>`.
 */
export function withoutPings(value: string): string {
  return value
    .replace(/<!(channel|here|everyone)(?:\|[^<>]*)?>/giu, "@\u2060$1")
    .replace(/<!subteam\^\w+(?:\|@?([^<>]*))?>/giu, (_, name: string | undefined) => `@\u2060${name ?? "group"}`)
    .replace(/(?<![\w@.])@(?=(?:everyone|here|channel)\b)/giu, "@\u2060");
}

/** Joins neighbouring texts, so that what was cut by the parser reads, measures and splits as one. */
function merge(nodes: Inline[]): Inline[] {
  const merged: Inline[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    if (node.type === "text" && last?.type === "break") {
      // Behind a `<br>` in the middle of a line a space would stand at the beginning of the next one.
      const value = node.value.trimStart();
      if (value !== "") merged.push({ type: "text", value });
    } else if (node.type === "text" && last?.type === "text") {
      merged[merged.length - 1] = { type: "text", value: last.value + node.value };
    } else if (node.type !== "text" || node.value !== "") {
      merged.push(node);
    }
  }
  return merged;
}
