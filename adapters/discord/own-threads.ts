import {
  type Address,
  clip,
  delivered,
  failed,
  nothingSent,
  oneLine,
  type Post,
  plainDocument,
  type Receipt,
  toMarkdown,
} from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import { type Directory, hasThreads, isForum, type KnownChannel } from "./directory.ts";
import { code, hasCode, toFailure } from "./errors.ts";
import { threadNameLimit } from "./limits.ts";
import { nobody } from "./send.ts";
import { words } from "./words.ts";

export interface OwnThreadsDeps {
  readonly api: Api;
  readonly directory: Directory;
  readonly botId: () => string;
  readonly redact: (text: string) => string;
  readonly post: (address: Address, post: Post, key: string, again: boolean) => Promise<Receipt>;
}

/** The server does not let us have a thread there: what was to stand in it goes beside it. */
const noThreads = [code.missingPermissions, code.wrongChannelType, code.tooManyThreads] as const;

/** Threads that hang on nobody's question: on a message of ours in a channel, as a post of their own in a forum. */
export function createOwnThreads({ api, directory, botId, redact, post }: OwnThreadsDeps) {
  const receipt = (made: Promise<string>): Promise<Receipt> =>
    made.then(delivered, (error: unknown) =>
      hasCode(error, ...noThreads) ? failed("rejected", words.noThreads) : toFailure(error, redact),
    );

  const inForum = async (forum: KnownChannel, name: string, again: boolean): Promise<string> => {
    const earlier = again && forum.guild !== undefined ? (await api.activeThreads(forum.guild)).threads : [];
    const ours = earlier.find(
      (one) => "owner_id" in one && one.owner_id === botId() && one.parent_id === forum.id && one.name === name,
    );
    if (ours) return ours.id;
    const made = await api.startPost(forum.id, name, { content: titleOf(name), allowed_mentions: nobody });
    directory.see(made);
    return made.id;
  };

  const onMessage = async (channel: KnownChannel, name: string, key: string, again: boolean): Promise<Receipt> => {
    const root = await post({ channel: channel.id }, { text: titleOf(name), notify: false }, key, again);
    if (root.outcome !== "delivered") return root;
    const made = await receipt(start(channel.id, root.messageId, name));
    // A title that nothing comes beneath would stand there with every report.
    if (made.outcome === "failed" && made.error.kind === "rejected") {
      await api.remove(channel.id, root.messageId).catch(() => undefined);
    }
    return made;
  };

  const start = async (channel: string, root: string, name: string): Promise<string> => {
    try {
      directory.see(await api.startThread(channel, root, name));
    } catch (error) {
      // An earlier try made it, and its response was lost.
      if (!hasCode(error, code.threadExists)) throw error;
    }
    return root;
  };

  return async ({ channel, thread }: Address, title: string, key: string, again = false): Promise<Receipt> => {
    const name = clip(oneLine(title), threadNameLimit) || words.threadName;
    if (thread !== undefined) return receipt(api.renameThread(thread, name).then(() => thread));
    const known = await directory.find(channel).catch((error: unknown) => nothingSent(toFailure(error, redact)));
    if (known !== undefined && "outcome" in known) return known;
    if (known === undefined) return failed("gone", "Discord doesn't show me this channel");
    if (isForum(known)) return receipt(inForum(known, name, again));
    return hasThreads(known) ? onMessage(known, name, key, again) : failed("rejected", words.noThreads);
  };
}

function titleOf(name: string): string {
  return `🗓 **${toMarkdown(plainDocument(name)).trim()}**`;
}
