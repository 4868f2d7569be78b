/**
 * The Markdown every renderer works on: mdast (same names and shapes), cut down to what a chat can show.
 * There are no images, raw HTML, references, footnotes or unsafe links in it, so a renderer is one exhaustive switch.
 */
export interface Document {
  readonly type: "root";
  readonly children: Block[];
}

export type Block = Paragraph | Heading | Code | Blockquote | List | Table | Rule;
export type Inline = Text | InlineCode | Break | Strong | Emphasis | Delete | Link;

export interface Paragraph {
  readonly type: "paragraph";
  readonly children: Inline[];
}
export interface Heading {
  readonly type: "heading";
  readonly depth: 1 | 2 | 3 | 4 | 5 | 6;
  readonly children: Inline[];
}
export interface Code {
  readonly type: "code";
  /** The first word after the fence, such as `ts`. */
  readonly lang?: string | null;
  readonly value: string;
}
export interface Blockquote {
  readonly type: "blockquote";
  readonly children: Block[];
}
export interface List {
  readonly type: "list";
  readonly ordered: boolean;
  /** The number of the first item, where ordered. */
  readonly start?: number | null;
  /** True where the items are apart from each other by a blank line. */
  readonly spread: boolean;
  readonly children: ListItem[];
}
export interface ListItem {
  readonly type: "listItem";
  /** The state of a task; absent for an ordinary item. */
  readonly checked?: boolean | null;
  readonly spread: boolean;
  readonly children: Block[];
}
export interface Table {
  readonly type: "table";
  readonly align: ("left" | "right" | "center" | null)[];
  /** The first row is the header; every row has the same number of cells. */
  readonly children: TableRow[];
}
export interface TableRow {
  readonly type: "tableRow";
  readonly children: TableCell[];
}
export interface TableCell {
  readonly type: "tableCell";
  readonly children: Inline[];
}
export interface Rule {
  readonly type: "thematicBreak";
}
export interface Text {
  readonly type: "text";
  /** A newline in it is a soft break. */
  readonly value: string;
}
export interface InlineCode {
  readonly type: "inlineCode";
  readonly value: string;
}
export interface Break {
  readonly type: "break";
}
export interface Strong {
  readonly type: "strong";
  readonly children: Inline[];
}
export interface Emphasis {
  readonly type: "emphasis";
  readonly children: Inline[];
}
export interface Delete {
  readonly type: "delete";
  readonly children: Inline[];
}
export interface Link {
  readonly type: "link";
  /** http, https, mailto or tel. */
  readonly url: string;
  readonly children: Inline[];
}
