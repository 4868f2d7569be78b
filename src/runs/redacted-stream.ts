import { redact } from "../shared/index.ts";

/** Text that arrives in pieces and leaves redacted, although a secret may be cut in two by the pieces. */
export interface RedactedStream {
  push(piece: string): void;
  /** What can be said by now and was not said yet; the word in the making is held back. */
  take(): string;
}

const longestHeldBack = 512;
const settleAbove = 4_096;

export function createRedactedStream(): RedactedStream {
  // The end of the text, raw, and how much of its redacted form was already given out.
  let raw = "";
  let given = "";

  const settle = (redacted: string) => {
    const cut = raw.lastIndexOf("\n", raw.length - longestHeldBack) + 1;
    if (raw.length < settleAbove || cut === 0) return;
    const head = redact(raw.slice(0, cut));
    const tail = redact(raw.slice(cut));
    // Inside a private key the halves do not add up: then the whole is kept until it ends.
    if (head + tail !== redacted || !given.startsWith(head)) return;
    raw = raw.slice(cut);
    given = given.slice(head.length);
  };

  return {
    push(piece) {
      raw += piece;
    },
    take() {
      const redacted = redact(raw);
      const safe = redacted.slice(0, endOfWords(redacted));
      // A pattern may match further back once more is known (the first words of a private key's frame were said already).
      // Then the part that changed is passed over.
      const fresh = safe.startsWith(given) ? safe.slice(given.length) : "";
      given = safe;
      settle(redacted);
      return fresh;
    },
  };
}

/** Where the last finished word ends: what follows may be half a secret. */
export function endOfWords(text: string): number {
  const end = text.search(/\S*$/u);
  if (text.length - end <= longestHeldBack) return end;
  const cut = text.length - longestHeldBack;
  return /[\uD800-\uDBFF]/u.test(text.charAt(cut - 1)) ? cut - 1 : cut;
}
