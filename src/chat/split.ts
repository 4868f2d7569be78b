export interface SplitOptions {
  /** The most one part may measure. */
  readonly limit: number;
  /** The size of a Markdown text in the platform's unit, as rendered. */
  readonly measure: (markdown: string) => number;
}

/** Cuts a Markdown text into Markdown texts that each measure at most `limit` when rendered, at the best places there are. */
export function splitMarkdown(text: string, { limit, measure }: SplitOptions): string[] {
  if (measure(text) <= limit) return [text];
  throw new Error("not yet");
}
