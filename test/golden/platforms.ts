import * as discord from "../../adapters/discord/message.ts";
import * as slack from "../../adapters/slack/message.ts";
import * as telegram from "../../adapters/telegram/message.ts";
import * as terminal from "../../adapters/terminal/message.ts";
import { createPaint } from "../../adapters/terminal/style.ts";
import type { Post } from "../../src/chat/index.ts";

/** What each platform is really sent for an answer, message by message, as text that a person can read. */
export const platforms: Readonly<Record<string, (answer: Post) => readonly string[]>> = {
  telegram: (answer) => telegram.splitPost(answer).map((part) => telegram.renderPost(part).html),
  terminal: (answer) => [terminal.renderPost(answer, [], { width: 80, paint: createPaint(false) }).join("\n")],
  discord: (answer) => discord.splitPost(answer).map((part) => discord.renderPost(part)),
  slack: (answer) =>
    slack.splitPost(answer).map((part) => slack.renderPost(part, true).blocks.map(readable).join("\n")),
};

/** A block of Markdown as it is; of any other its kind and its JSON. */
function readable(block: { readonly type: string; readonly text?: unknown }): string {
  if (block.type === "markdown") return `[markdown]\n${block.text}`;
  const { type, ...rest } = block;
  return `[${type}] ${JSON.stringify(rest, null, 2)}`;
}
