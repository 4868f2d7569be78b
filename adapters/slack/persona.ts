import type { Persona } from "../../src/chat/index.ts";
import { oneLine } from "./render.ts";

/** Slack shows up to 80 characters of a name. */
const nameLimit = 80;

/** How Slack is told who speaks. It takes emoji by name (`:ship:`) only, so that a bare one shows the app's own picture. */
export function authorship({ name, picture }: Persona): { username: string; icon_url?: string; icon_emoji?: string } {
  const username = oneLine(name).replace(/[<>]/gu, "").slice(0, nameLimit).toWellFormed() || "Shipmate";
  if (picture !== undefined && /^https:\/\/\S+$/iu.test(picture)) return { username, icon_url: picture };
  if (picture !== undefined && /^:[\w+'-]+:$/u.test(picture)) return { username, icon_emoji: picture };
  return { username };
}
