import {
  type Block,
  type Document,
  type Inline,
  type List,
  listMarker,
  phoneColumns,
  type Table,
  toGrid,
  toRecords,
} from "../../src/chat/index.ts";

/** Telegram's HTML for a document. Only tags Telegram knows; everything else is escaped text. */
export function renderHtml(document: Document): string {
  return blocks(document.children, top).trim();
}

interface Place {
  /** What a new line inside this block begins with. */
  readonly indent: string;
  /** Telegram does not nest quotations. */
  readonly inQuote: boolean;
  readonly bold: boolean;
}

const top: Place = { indent: "", inQuote: false, bold: false };

function blocks(children: readonly Block[], place: Place, gap = "\n\n"): string {
  return children
    .map((child) => block(child, place))
    .filter((html) => html !== "")
    .map((html, index) => (index === 0 ? html : `${gap}${standsAlone(html) ? "" : place.indent}${html}`))
    .join("");
}

/** Telegram gives these a box of their own: spaces before it would be an empty line. */
function standsAlone(html: string): boolean {
  return html.startsWith("<pre>") || html.startsWith("<blockquote");
}

function block(node: Block, place: Place): string {
  switch (node.type) {
    case "paragraph":
      return inlines(node.children, place);
    case "heading": {
      const text = inlines(node.children, { ...place, bold: true });
      return text === "" ? "" : `<b>${text}</b>`;
    }
    case "code":
      return code(node.value, node.lang);
    case "blockquote":
      return quote(node.children, place);
    case "list":
      return list(node, place);
    case "table":
      return table(node, place);
    case "thematicBreak":
      return "———";
  }
}

function code(whole: string, lang: string | null | undefined): string {
  // Empty lines at its edges come from cutting, or from a careless writer.
  const value = whole.replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  if (value === "") return "";
  const language = /^[\w+#.-]{1,32}$/.exec(lang ?? "")?.[0];
  const text = escapeHtml(value);
  return language ? `<pre><code class="language-${language}">${text}</code></pre>` : `<pre>${text}</pre>`;
}

/** Longer quotations fold, so that the answer beneath stays on the screen. */
const foldFrom = { characters: 500, lines: 8 };

function quote(children: readonly Block[], place: Place): string {
  if (place.inQuote) {
    const inner = blocks(children, { ...place, indent: `${place.indent}│ ` });
    return inner === "" ? "" : `│ ${inner}`;
  }
  const html = blocks(children, { ...top, inQuote: true });
  if (html === "") return "";
  const text = visibleText(html);
  const long = text.length > foldFrom.characters || text.split("\n").length > foldFrom.lines;
  return `<blockquote${long ? " expandable" : ""}>${html}</blockquote>`;
}

function list(node: List, place: Place): string {
  const items = node.children.map((item, index) => {
    const marker = listMarker(node, index);
    const inside = { ...place, indent: `${place.indent}${" ".repeat(Math.min(4, marker.length))}` };
    return `${marker}${blocks(item.children, inside, item.spread ? "\n\n" : "\n")}`;
  });
  return items.join(`${node.spread ? "\n\n" : "\n"}${place.indent}`);
}

/** Aligned where it fits a phone, else one paragraph a row, its first cell in bold. */
function table(node: Table, place: Place): string {
  const grid = toGrid(node, phoneColumns);
  if (grid) return `<pre>${escapeHtml([grid.header, grid.rule, ...grid.rows].join("\n"))}</pre>`;
  const records = toRecords(node, {
    cell: (children) => inlines(children, place),
    title: (children) => wrap("b", inlines(children, { ...place, bold: true })),
  });
  return records.map((lines) => lines.join(`\n${place.indent}`)).join(`\n\n${place.indent}`);
}

function inlines(children: readonly Inline[], place: Place): string {
  return children.map((child) => inline(child, place)).join("");
}

function inline(node: Inline, place: Place): string {
  switch (node.type) {
    case "text":
      return escapeHtml(node.value).replaceAll("\n", `\n${place.indent}`);
    case "break":
      return `\n${place.indent}`;
    case "inlineCode":
      return node.value === "" ? "" : `<code>${escapeHtml(node.value)}</code>`;
    case "strong":
      return place.bold ? inlines(node.children, place) : wrap("b", inlines(node.children, { ...place, bold: true }));
    case "emphasis":
      return wrap("i", inlines(node.children, place));
    case "delete":
      return wrap("s", inlines(node.children, place));
    case "link":
      return link(node.url, node.children, place);
  }
}

function wrap(tag: string, html: string): string {
  return html === "" ? "" : `<${tag}>${html}</${tag}>`;
}

/** Telegram makes a bare address a link by itself. A number or a mail address cannot stand behind a label: then both are shown. */
function link(url: string, children: readonly Inline[], place: Place): string {
  const label = inlines(children, place);
  if (visibleText(label).trim() === url) return escapeHtml(url);
  if (/^(?:tel|mailto):/i.test(url)) {
    const bare = url.replace(/^\w+:|\?.*$/g, "");
    return visibleText(label).includes(bare) ? label : `${label} (${escapeHtml(bare)})`;
  }
  return `<a href="${escapeHtml(url)}">${label}</a>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** What remains of our own HTML after Telegram parsed it; its length is what Telegram counts. */
export function visibleText(html: string): string {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
