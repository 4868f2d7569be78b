/**
 * What people read of a message in Discord: its Markdown as the client shows it, without the markers. A small reader of
 * its own, by the rules of Discord's parser (the first rule that matches at a place wins), so that it can find us out.
 */
export function visible(content: string): string {
  return blocks(content);
}

/** What Discord would turn into a name, a time or an emoji. None of it may come from our texts. */
export const live: string[] = [];

const fence = /^```(?:([a-z0-9_+\-.#]+)\n)?\n*([^\n][\s\S]*?)\n*```/iu;

function blocks(text: string): string {
  let shown = "";
  let rest = text;
  let atStart = true;
  while (rest !== "") {
    const code = fence.exec(rest);
    if (code) {
      shown += code[2];
      rest = rest.slice(code[0].length);
      atStart = false;
      continue;
    }
    if (atStart) {
      const quote = /^(?:> [^\n]*(?:\n|$))+/u.exec(rest);
      if (quote) {
        shown += blocks(quote[0].replace(/^> /gmu, ""));
        rest = rest.slice(quote[0].length);
        continue;
      }
      const marker = /^(?:-# |#{1,3} +|[ ]*[-*] |[ ]*\d+\. )/u.exec(rest);
      if (marker) {
        shown +=
          /[-*\d]/u.test(marker[0].trim().slice(0, 1)) && !marker[0].startsWith("-#") ? marker[0].trimStart() : "";
        rest = rest.slice(marker[0].length);
      }
    }
    const end = rest.search(/\n|```/u);
    const at = end === -1 ? rest.length : Math.max(end, rest.startsWith("```") ? 3 : end);
    // Emphasis may go on over a line's end.
    const span = inlineSpan(rest, at);
    shown += inline(rest.slice(0, span), false);
    rest = rest.slice(span);
    atStart = rest.startsWith("\n") || shown.endsWith("\n");
    if (rest.startsWith("\n")) {
      shown += "\n";
      rest = rest.slice(1);
    }
  }
  return shown;
}

const emphasis: readonly RegExp[] = [
  /^\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/u,
  /^__((?:\\[\s\S]|[^\\])+?)__(?!_)/u,
  /^\b_((?:__|\\[\s\S]|[^\\_])+?)_\b/u,
  /^\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/u,
  /^~~((?:\\[\s\S]|[^\\])+?)~~/u,
  /^\|\|((?:\\[\s\S]|[^\\])+?)\|\|/u,
];

/** How far an emphasis that begins on this line reaches, at least to the line's end. */
function inlineSpan(text: string, lineEnd: number): number {
  for (let at = 0; at < lineEnd; at += 1) {
    if (text[at] === "\\") {
      at += 1;
      continue;
    }
    const rest = text.slice(at);
    const found = [...emphasis, inlineCode].map((rule) => matchAt(rule, text, at)).find((match) => match);
    if (found && at + found[0].length > lineEnd && !rest.startsWith("`")) return at + found[0].length;
    if (found) at += found[0].length - 1;
  }
  return lineEnd;
}

const inlineCode = /^(`+)([\s\S]*?[^`])\1(?!`)/u;

function matchAt(rule: RegExp, text: string, at: number): RegExpExecArray | null {
  // Only the word boundary before an underscore looks back.
  if (rule.source.startsWith("^\\b_") && at > 0 && /\w/u.test(text[at - 1] ?? "")) return null;
  return rule.exec(text.slice(at));
}

function inline(text: string, inLink: boolean): string {
  let shown = "";
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const escaped = /^\\([^0-9A-Za-z\s])/u.exec(rest);
    const code = inlineCode.exec(rest);
    const address = /^<(https?:\/\/[^\s<>]+)>/u.exec(rest) ?? /^(https?:\/\/[^\s<]+[^<.,:;"'\]\s])/u.exec(rest);
    const link = inLink ? null : /^\[((?:\\.|\[[^\]]*\]|[^\\[\]])+)\]\(<(https?:\/\/[^\s<>]+)>\)/u.exec(rest);
    const mention = /^(?:<@[!&]?\d+>|<#\d+>|<a?:\w+:\d+>|<t:-?\d+(?::\w)?>|<\/[\w -]+:\d+>|@everyone|@here)/u.exec(
      rest,
    );
    const styled = emphasis.map((rule) => matchAt(rule, text, at)).find((match) => match);
    if (escaped) {
      shown += escaped[1];
      at += escaped[0].length;
    } else if (code) {
      shown += (code[2] ?? "").replace(/^ (?= *`)|(?<=` *) $/gu, "");
      at += code[0].length;
    } else if (address) {
      shown += address[1];
      at += address[0].length;
    } else if (link) {
      shown += inline(link[1] ?? "", true);
      at += link[0].length;
    } else if (mention) {
      live.push(mention[0]);
      shown += mention[0];
      at += mention[0].length;
    } else if (styled) {
      shown += inline(styled[1] ?? "", inLink);
      at += styled[0].length;
    } else {
      shown += rest[0];
      at += 1;
    }
  }
  return shown;
}
