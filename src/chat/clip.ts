const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The start of a text that is too long, in whole characters and with a sign that it goes on; at most `limit` as `measure` counts. */
export function clip(text: string, limit: number, measure = (part: string): number => part.length): string {
  if (measure(text) <= limit) return text;
  let start = "";
  let length = 1;
  // Nothing measures less than its length, so that no more has to be looked at.
  for (const { segment } of graphemes.segment(text.slice(0, limit))) {
    length += measure(segment);
    if (length > limit) break;
    start += segment;
  }
  return `${start.trimEnd()}…`;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
