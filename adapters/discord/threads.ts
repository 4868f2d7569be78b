import { type Address, createRecent } from "../../src/chat/index.ts";
import type { Api } from "./api.ts";
import type { Directory } from "./directory.ts";
import { code, hasCode } from "./errors.ts";
import { words } from "./words.ts";

/** Where an address really is at this moment. */
export interface Spot {
  /** The channel or thread to speak in. */
  readonly channel: string;
  readonly inThread: boolean;
  /** Where no thread could be made: the message to answer in the channel instead. */
  readonly answers?: string | undefined;
}

export interface ThreadsDeps {
  readonly api: Api;
  readonly directory: Directory;
  readonly warn: (message: string, detail: string) => void;
}

/** The server does not let us have a thread here; we then answer in the channel. */
const noThreads = [code.missingPermissions, code.wrongChannelType, code.tooManyThreads] as const;

/** Threads come into being with the first thing we show in them, named after the question they hang on. */
export function createThreads({ api, directory, warn }: ThreadsDeps) {
  /** Messages of which nobody made a thread yet, as far as we know, with their words. */
  const roots = createRecent<string>(500);
  const threadless = createRecent<true>(1000);
  /** Threads that somebody deleted: none is made anew in their place, and speaking there fails as it should. */
  const deleted = createRecent<true>(1000);
  const opening = new Map<string, Promise<Spot>>();

  const spotIn = (thread: string): Spot => ({ channel: thread, inThread: true });

  const exists = async (thread: string): Promise<boolean> =>
    directory.channel(thread) !== undefined || (!roots.has(thread) && (await directory.find(thread)) !== undefined);

  const nameFor = async (channel: string, root: string): Promise<string> => {
    const said = roots.get(root);
    if (said !== undefined) return threadName(said);
    const message = await api.message(channel, root).catch(() => undefined);
    return threadName(message?.content ?? "");
  };

  const join = (thread: string) =>
    api.joinThread(thread).catch((error: unknown) => warn(`thread ${thread} could not be joined`, String(error)));

  const open = async (channel: string, thread: string): Promise<Spot> => {
    if (deleted.has(thread) || (await exists(thread))) return spotIn(thread);
    try {
      const made = await api.startThread(channel, thread, await nameFor(channel, thread));
      directory.see(made);
      return spotIn(thread);
    } catch (error) {
      if (hasCode(error, code.threadExists)) {
        // Another bot that was mentioned in the same message was faster.
        await join(thread);
        await directory.find(thread);
        return spotIn(thread);
      }
      if (!hasCode(error, ...noThreads)) throw error;
      threadless.set(thread, true);
      return { channel, inThread: false, answers: thread };
    }
  };

  return {
    noteRoot: (messageId: string, text: string): void => roots.set(messageId, text),
    noteDeleted: (thread: string): void => deleted.set(thread, true),
    join,

    /** Where to speak; makes the thread where there is none yet. Rejects with what Discord answered. */
    open: ({ channel, thread }: Address): Promise<Spot> => {
      if (thread === undefined || thread === channel) return Promise.resolve({ channel, inThread: false });
      if (threadless.has(thread)) return Promise.resolve({ channel, inThread: false, answers: thread });
      const started = opening.get(thread) ?? open(channel, thread).finally(() => opening.delete(thread));
      opening.set(thread, started);
      return started;
    },

    /** Channels in which a message of an address may be, the likeliest first: the message a thread hangs on is beside it. */
    whereabouts: ({ channel, thread }: Address, messageId: string): readonly string[] => {
      if (thread === undefined || messageId === thread) {
        // The first message of a forum's post is inside it, and the post is the thread.
        return thread === undefined || !directory.channel(thread) ? [channel] : [channel, thread];
      }
      return threadless.has(thread) ? [channel] : [thread, channel];
    },

    /** Repeats once what an archived thread refused, after opening it again. */
    unarchived: async <T>(thread: string, call: () => Promise<T>): Promise<T> => {
      try {
        return await call();
      } catch (error) {
        if (!hasCode(error, code.threadArchived)) throw error;
        await api.unarchive(thread);
        return await call();
      }
    },
  };
}

export type Threads = ReturnType<typeof createThreads>;

/** Discord takes 100 characters, and shows fewer. */
const wanted = 60;

/** The first words of a question, as a name. */
export function threadName(question: string): string {
  const line = question
    .replace(/<[@#]?[!&:]?[^<>]*>/gu, " ")
    .replace(/```[\s\S]*?(?:```|$)/gu, " ")
    .replace(/[*_~`|>#\\[\]]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  if (line === "") return words.threadName;
  if (line.length <= wanted) return line;
  const start = line.slice(0, wanted);
  const space = start.lastIndexOf(" ");
  return `${space > wanted / 2 ? start.slice(0, space) : start.toWellFormed().replace(/\uFFFD$/u, "")}…`;
}
