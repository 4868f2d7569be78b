const hours = { h: 1, d: 24, w: 7 * 24 } as const;

/** A moment in the past as people and teammates write it: 24h, 7d, 2w, a date (its beginning in UTC), or an ISO time. Undefined for anything else. */
export function momentOf(text: string, now: Date): Date | undefined {
  const written = text.trim();
  const [, count, unit] = /^(\d{1,4})\s?([hdw])$/iu.exec(written) ?? [];
  const length = hours[unit?.toLowerCase() as keyof typeof hours];
  if (count !== undefined && length !== undefined) return new Date(now.getTime() - Number(count) * length * 3_600_000);
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/iu.test(written))
    return undefined;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/iu.test(written) || written.length === 10;
  const at = new Date(hasZone ? written : `${written}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
