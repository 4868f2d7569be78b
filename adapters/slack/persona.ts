import { emojiToName } from "gemoji";
import { oneLine, type Persona } from "../../src/chat/index.ts";

/** Slack shows up to 80 characters of a name. */
const nameLimit = 80;

/** How Slack is told who speaks. */
export function authorship({ name, picture }: Persona): { username: string; icon_url?: string; icon_emoji?: string } {
  const username = oneLine(name).replace(/[<>]/gu, "").slice(0, nameLimit).toWellFormed() || "Shipmate";
  if (picture === undefined) return { username };
  if (/^https:\/\/\S+$/iu.test(picture)) return { username, icon_url: picture };
  const emoji = /^:[\w+'-]+:$/u.test(picture) ? picture : emojiName(picture);
  return emoji === undefined ? { username } : { username, icon_emoji: emoji };
}

const textStyle = "\uFE0F";

/** Slack takes emoji by name only, and has names of its own for flags; undefined for what it would not know. */
function emojiName(emoji: string): string | undefined {
  const letters = [...emoji].map((sign) => (sign.codePointAt(0) ?? 0) - 0x1f1e6 + 0x61);
  if (letters.length === 2 && letters.every((letter) => letter >= 0x61 && letter <= 0x7a)) {
    return `:flag-${String.fromCodePoint(...letters)}:`;
  }
  // The same sign is written with and without the mark that asks for a picture.
  const bare = emoji.replaceAll(textStyle, "");
  const name = [emoji, bare, `${bare}${textStyle}`].map((each) => emojiToName[each]).find((each) => each !== undefined);
  return name === undefined ? undefined : `:${name}:`;
}
