/**
 * A command as the words a program gets, or null where a shell would do more than run one program: pipes, lists, redirections,
 * substitutions, variables, patterns, comments. A rule about a prefix is safe only for the former.
 */
export function commandWords(command: string): readonly string[] | null {
  return plainWords(withoutShell(command));
}

/** What `bash -lc '…'` runs, when that is all the command says; else the command itself. */
export function withoutShell(command: string): string {
  const words = plainWords(command);
  if (words?.length !== 3) return command;
  const [shell = "", flag = "", inner = ""] = words;
  return shells.test(shell) && /^-l?c$/.test(flag) ? inner : command;
}

const shells = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh$/;
/** Inside double quotes a shell still expands these. */
const expandedInQuotes = /[$`\\!]/;
const special = /[\s;&|<>()$`\\"'*?[\]{}~#!=^%]/;

function plainWords(command: string): readonly string[] | null {
  const words: string[] = [];
  let at = 0;
  while (at < command.length) {
    if (command[at] === " " || command[at] === "\t") {
      at += 1;
      continue;
    }
    const word = wordAt(command, at);
    if (word === null) return null;
    words.push(word.text);
    at = word.end;
  }
  return words.length === 0 ? null : words;
}

function wordAt(command: string, start: number): { text: string; end: number } | null {
  let text = "";
  let at = start;
  while (at < command.length) {
    const letter = command[at] ?? "";
    if (letter === " " || letter === "\t") break;
    if (letter === "'" || letter === '"') {
      const end = command.indexOf(letter, at + 1);
      const inside = command.slice(at + 1, end);
      if (end < 0 || (letter === '"' && expandedInQuotes.test(inside))) return null;
      text += inside;
      at = end + 1;
    } else if (special.test(letter) && !isHarmless(command, at)) {
      return null;
    } else {
      text += letter;
      at += 1;
    }
  }
  return { text, end: at };
}

/** `--port=80` is a plain word, `PORT=80 server` is not; `50%` and `HEAD^` are as they stand. */
function isHarmless(command: string, at: number): boolean {
  const letter = command[at];
  if (letter === "%" || letter === "^") return true;
  if (letter !== "=") return false;
  const wordStart = Math.max(command.lastIndexOf(" ", at), command.lastIndexOf("\t", at)) + 1;
  return command[wordStart] === "-";
}

/** Programs that run another one with other rights, elsewhere, or over and over: never allowed for good. */
const wrappers = new Set(
  (
    "sudo doas su env nohup time timeout nice ionice setsid stdbuf xargs parallel watch exec eval command builtin source . " +
    "ssh docker podman kubectl chroot unshare nsenter bwrap busybox find cmd powershell pwsh osascript"
  ).split(" "),
);
/** Programs that run what they are given: allowed for good only with what they run. */
const interpreters = new Set(
  (
    "sh bash dash zsh ksh fish csh tcsh python pypy node nodejs deno bun ruby perl php lua tclsh awk gawk mawk sed irb " +
    "npx bunx pnpx uvx pipx make ninja just"
  ).split(" "),
);
/** The next word is what runs: a piece of code or a module. */
const takesCode = /^-(?:l?c|m|e|p|r)$/;

/** Whether "always" may be offered for a prefix: it names what is run, not only what runs it. */
export function isSafePrefix(prefix: readonly string[]): boolean {
  const [program = "", first, second] = prefix;
  const name =
    program
      .split(/[\\/]/)
      .at(-1)
      ?.toLowerCase()
      .replace(/\.exe$/, "") ?? "";
  const family = name.replace(/[\d.]+$/, "");
  if (name === "" || wrappers.has(name)) return false;
  if (!interpreters.has(name) && !interpreters.has(family)) return true;
  if (first === undefined || first === "") return false;
  return first.startsWith("-") ? takesCode.test(first) && second !== undefined && isSafeCode(second) : true;
}

/** `bash -lc 'bash'` is a shell again. */
function isSafeCode(code: string): boolean {
  return isSafePrefix(code.trim().split(/\s+/));
}

export function startsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length > 0 && prefix.length <= words.length && prefix.every((word, index) => word === words[index]);
}
