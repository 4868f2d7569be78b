import { type Author, cleanText, type InboundEvent, type InboundFile, oneLine, type Quote } from "../chat/index.ts";

/** The longest text of a message we keep, in UTF-16 units. */
export const longestText = 100_000;
const longestName = 200;
const longestQuote = 10_000;

/**
 * The event without what a database or a prompt chokes on. A NUL or half a surrogate pair would make storing fail
 * for ever, and the adapter would offer the same event again and again.
 */
export function cleanEvent(event: InboundEvent): InboundEvent {
  const place = event.place.title === undefined ? event.place : { ...event.place, title: cleanName(event.place.title) };
  switch (event.kind) {
    case "message":
      return {
        ...event,
        place,
        author: cleanAuthor(event.author),
        text: cleanText(event.text),
        quote: event.quote && cleanQuote(event.quote),
        forwardedFrom: event.forwardedFrom === undefined ? undefined : cleanName(event.forwardedFrom),
        files: event.files.map(cleanFile),
      };
    case "command":
      return {
        ...event,
        place,
        author: cleanAuthor(event.author),
        argument: cut(cleanText(event.argument)).text,
        quote: event.quote && cleanQuote(event.quote),
        files: event.files?.map(cleanFile),
      };
    case "edit":
      return { ...event, place, author: cleanAuthor(event.author), text: cut(cleanText(event.text)).text };
    case "form":
      return { ...event, place, author: cleanAuthor(event.author), value: cut(cleanText(event.value)).text };
    case "button":
    case "home":
    case "stop":
    case "membership":
      return { ...event, place, author: cleanAuthor(event.author) };
    case "deletion":
      return { ...event, place };
  }
}

/** A name on one line, short enough to be shown. */
export function cleanName(name: string): string {
  return oneLine(cleanText(name)).slice(0, longestName).toWellFormed();
}

/** At most `limit` units of a text, never half a character. */
export function cut(text: string, limit = longestText): { readonly text: string; readonly wasCut: boolean } {
  if (text.length <= limit) return { text, wasCut: false };
  const end = /[\uD800-\uDBFF]/u.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return { text: text.slice(0, end), wasCut: true };
}

function cleanAuthor(author: Author): Author {
  const name = cleanName(author.name);
  return { ...author, name: name === "" ? author.id : name };
}

function cleanQuote(quote: Quote): Quote {
  return {
    ...quote,
    text: quote.text === undefined ? undefined : cut(cleanText(quote.text), longestQuote).text,
    authorName: quote.authorName === undefined ? undefined : cleanName(quote.authorName),
  };
}

function cleanFile(file: InboundFile): InboundFile {
  return {
    ...file,
    name: cleanName(file.name),
    mime: file.mime === undefined ? undefined : cleanName(file.mime),
  };
}
