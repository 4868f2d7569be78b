/** The command as a person thinks of it: Codex reports `/bin/bash -lc 'npm test'` for `npm test`. */
export function bareCommand(command: string): string {
  const line = command.trim();
  const script = /^(?:\/\S*\/)?(?:ba|z|da)?sh -l?c ([\s\S]+)$/u.exec(line)?.[1];
  if (script === undefined) return line;
  return unquoted(script) ?? script;
}

/** What a shell makes of a text that is one quoted word, or several quoted pieces of one (`'it'"'"'s'`). */
function unquoted(script: string): string | undefined {
  let result = "";
  let rest = script;
  while (rest !== "") {
    const single = /^'([^']*)'/u.exec(rest);
    const double = /^"((?:[^"\\]|\\[\s\S])*)"/u.exec(rest);
    const escaped = /^\\([\s\S])/u.exec(rest);
    const piece = single ?? double ?? escaped;
    if (piece === null) return undefined;
    const text = piece[1] ?? "";
    result += double === null ? text : text.replace(/\\(["\\$`])/gu, "$1");
    rest = rest.slice(piece[0].length);
  }
  return result;
}
