/** More pairs of lines than this are not compared one by one: what differs is then shown whole. */
const mostPairs = 1_000_000;

/** What changed between two texts, line by line, as a diff: lines gone with `-`, lines new with `+`, gaps with `…`. */
export function differenceOf(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let same = 0;
  const shorter = Math.min(old.length, fresh.length) - start;
  while (same < shorter && old.at(-1 - same) === fresh.at(-1 - same)) same += 1;
  const middle = compare(old.slice(start, old.length - same), fresh.slice(start, fresh.length - same));
  return [...(start > 0 ? ["…"] : []), ...middle, ...(same > 0 ? ["…"] : [])].join("\n");
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function compare(old: readonly string[], fresh: readonly string[]): readonly string[] {
  if (old.length * fresh.length > mostPairs)
    return [...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)];
  const common = commonLengths(old, fresh);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [one, other] = [old[i], fresh[j]];
    if (one !== undefined && one === other) {
      if (lines.at(-1) !== "…") lines.push("…");
      i += 1;
      j += 1;
    } else if (one !== undefined && (other === undefined || at(common, i + 1, j) >= at(common, i, j + 1))) {
      lines.push(`- ${one}`);
      i += 1;
    } else {
      lines.push(`+ ${other}`);
      j += 1;
    }
  }
  return lines;
}

/** How many lines the rests of both have in common, from each pair of places. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = table[i] ?? [];
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      row[j] = old[i] === fresh[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
