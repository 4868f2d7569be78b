const longestName = 120;

/** A file name that is only a name: no folders, no control or bidirectional characters, not hidden, not endless. */
export function safeFileName(name: string, fallback: string): string {
  const base = name
    .toWellFormed()
    .split(/[/\\]/u)
    .at(-1)
    ?.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "")
    .replace(/[<>:"|?*;]/gu, "_")
    .replace(/^[.\s]+|[.\s]+$/gu, "");
  if (!base) return fallback;
  if (base.length <= longestName) return base;
  const extension = /\.[^.]{1,10}$/u.exec(base)?.[0] ?? "";
  return base.slice(0, longestName - extension.length).toWellFormed() + extension;
}
