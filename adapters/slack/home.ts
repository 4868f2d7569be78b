import type { KnownBlock } from "@slack/types";
import type { WebClient } from "@slack/web-api";
import { type Address, delivered, type Post, type Receipt, type Suggestion } from "../../src/chat/index.ts";
import { errorCode, toFailure } from "./errors.ts";
import { blocksPerPage, promptsLimit, sectionLimit } from "./limits.ts";
import { extras, plain } from "./message.ts";
import { renderMrkdwn } from "./mrkdwn.ts";
import { nameOnly, plainPieces } from "./render.ts";

/** The page of a person (App Home), and what an empty conversation offers. */
export function createHome(client: WebClient, redact: (text: string) => string) {
  const publish = async (userId: string, blocks: KnownBlock[]): Promise<Receipt> => {
    const { view } = await client.views.publish({
      user_id: userId,
      view: { type: "home", blocks: blocks.slice(0, blocksPerPage) },
    });
    return delivered(view?.id ?? userId);
  };

  return {
    home: async (userId: string, page: readonly Post[]): Promise<Receipt> => {
      try {
        return await publish(userId, page.flatMap(pageBlocks)).catch((error: unknown) => {
          if (errorCode(error) !== "invalid_blocks" && errorCode(error) !== "invalid_arguments") throw error;
          return publish(userId, page.flatMap(plainPage));
        });
      } catch (error) {
        return toFailure(error, redact);
      }
    },

    suggest: async ({ channel, thread }: Address, suggestions: readonly Suggestion[]): Promise<Receipt> => {
      const prompts = suggestions.slice(0, promptsLimit).map(({ title, text }) => ({ title, message: text }));
      return client.assistant.threads
        .setSuggestedPrompts({ channel_id: channel, prompts, ...(thread === undefined ? {} : { thread_ts: thread }) })
        .then(
          () => delivered(thread ?? channel),
          (error: unknown) => toFailure(error, redact),
        );
    },
  };
}

/** A part of a page; what is too long for a section stands there without mark-up. */
function pageBlocks(post: Post): KnownBlock[] {
  const text = renderMrkdwn(post);
  if (text.length > sectionLimit) return plainPage(post);
  const name = nameOnly(post);
  const words: KnownBlock[] =
    text.trim() === "" ? [] : [{ type: "section", text: { type: "mrkdwn", text, verbatim: true } }];
  return [...name.map(section), ...words, ...extras(post)];
}

function plainPage(post: Post): KnownBlock[] {
  return [...nameOnly(post), ...plainPieces(post.text)].map(section).concat(extras(post));
}

function section(text: string): KnownBlock {
  return { type: "section", text: plain(text) };
}
