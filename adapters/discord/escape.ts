/** A text that Discord shows letter by letter: no formatting, no mention, no time, no command. */
export function escapeText(text: string): string {
  // An address is a link as it stands; a backslash in it would be part of it.
  return text
    .split(/(https?:\/\/[^\s<]+)/giu)
    .map((piece, index) => (index % 2 === 1 ? piece : escapePiece(piece)))
    .join("");
}

function escapePiece(text: string): string {
  return (
    text
      .replace(/[\\*`[\]]/gu, "\\$&")
      // Between letters an underscore is one; anywhere else it may begin italics.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
      .replace(/~(?=~)|(?<=~)~/gu, "\\~")
      .replace(/\|(?=\|)|(?<=\|)\|/gu, "\\|")
      .replace(/<(?=[@#:/\p{L}])/gu, "\\<")
  );
}

/** What at the start of a line would make it a heading, a quotation, a list or a dim line. */
export function escapeLineStart(line: string): string {
  return line.replace(/^(\s*)(#{1,3}\s|-#?\s|>(?:>>)?\s|\+\s)/u, "$1\\$2").replace(/^(\s*\d+)([.)])(?=\s)/u, "$1\\$2");
}

/** Code between backticks: as many as it takes, and never three, which would begin a block. */
export function inlineCode(value: string): string {
  if (value === "") return "";
  const code = value.replaceAll("\n", " ").replace(/`(?=`)/gu, "`\u200B");
  if (!code.includes("`")) return `\`${code}\``;
  const before = code.startsWith("`") ? " " : "";
  const behind = code.endsWith("`") ? " " : "";
  return `\`\`${before}${code}${behind}\`\``;
}

/** A block of code. Discord knows no longer fence than three, so what would close it is pulled apart without showing. */
export function codeBlock(value: string, lang?: string | null): string {
  const code = value.replace(/`(?=``)/gu, "`\u200B").replace(/^\n+|\s+$/gu, "");
  if (code.trim() === "") return "";
  const language = /^[a-z0-9_+\-.#]{1,32}$/u.exec((lang ?? "").toLowerCase())?.[0] ?? "";
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
