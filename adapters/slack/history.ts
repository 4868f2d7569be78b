import type { WebClient } from "@slack/web-api";
import { z } from "zod";
import type { Address, PastMessage } from "../../src/chat/index.ts";
import { postEvent } from "./names.ts";
import { isOwn, type Reader, textOf, toDate, wasWritten } from "./read.ts";
import { messageShape, type SlackMessage } from "./shapes.ts";

const pageSize = 200;
const mostPages = 5;

export interface Page {
  readonly messages: readonly SlackMessage[];
  readonly cursor: string | undefined;
}

interface Range {
  readonly oldest?: string | undefined;
  readonly latest?: string | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One page of what was said in a channel, newest first. */
export async function channelPage(client: WebClient, channel: string, range: Range): Promise<Page> {
  const { limit = pageSize, ...rest } = range;
  return toPage(await client.conversations.history({ channel, limit, include_all_metadata: true, ...defined(rest) }));
}

/** One page of a thread, oldest first; its root is always the first message of the first page. */
export async function threadPage(client: WebClient, channel: string, thread: string, range: Range): Promise<Page> {
  const { limit = pageSize, ...rest } = range;
  return toPage(
    await client.conversations.replies({ channel, ts: thread, limit, include_all_metadata: true, ...defined(rest) }),
  );
}

/** At most `limit` messages before that one, oldest first. */
export async function history(
  client: WebClient,
  reader: Reader,
  { channel, thread }: Address,
  before: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly PastMessage[]> {
  const said: SlackMessage[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    signal.throwIfAborted();
    const range = { latest: before, cursor };
    const found = await (thread === undefined
      ? channelPage(client, channel, { ...range, limit: Math.min(pageSize, limit + 10) })
      : threadPage(client, channel, thread, range));
    said.push(...found.messages.filter((message) => wasWritten(message) && Number(message.ts) < Number(before)));
    cursor = found.cursor;
    // A channel is told newest first, so that the first page has what is asked for; a thread from its root on.
    if (cursor === undefined || (thread === undefined && said.length >= limit)) break;
  }
  const newest = said.toSorted((a, b) => Number(a.ts) - Number(b.ts)).slice(-limit);
  signal.throwIfAborted();
  return Promise.all(newest.map((message) => toPast(message, reader)));
}

async function toPast(message: SlackMessage, reader: Reader): Promise<PastMessage> {
  const { self, directory } = reader;
  const authorKind = isOwn(message, self) ? "us" : message.bot_id !== undefined ? "bot" : "person";
  const named = message.username ?? (authorKind === "us" ? self.name : undefined);
  return {
    messageId: message.ts,
    authorName: named ?? (message.user === undefined ? (message.bot_id ?? "") : await directory.nameOf(message.user)),
    authorKind,
    text: await textOf(message, reader),
    sentAt: toDate(message.ts),
  };
}

type MessageTest = (message: SlackMessage) => boolean;

/** Tells the post we sent with this key: Slack has no idempotency keys, but keeps what we note on a post. */
export function hasKey(key: string): MessageTest {
  return ({ metadata }) => metadata?.event_type === postEvent && metadata.event_payload?.key === key;
}

const buttonShape = z.object({ type: z.literal("button"), value: z.string() });

export function hasButton(test: (token: string) => boolean): MessageTest {
  const isIt = (element: unknown) => {
    const button = buttonShape.safeParse(element).data;
    return button !== undefined && test(button.value);
  };
  return ({ blocks }) => blocks?.some(({ elements }) => elements?.some(isIt)) ?? false;
}

/** The id of the message that passes the test, if it arrived. */
export async function findPost(
  client: WebClient,
  { channel, thread }: Address,
  test: MessageTest,
): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const found = await (thread === undefined
      ? channelPage(client, channel, { cursor })
      : threadPage(client, channel, thread, { cursor }));
    const ours = found.messages.find(test);
    if (ours) return ours.ts;
    cursor = found.cursor;
    if (cursor === undefined) return undefined;
  }
  return undefined;
}

const pageShape = z.object({
  messages: z.array(z.unknown()).optional().default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

function toPage(answer: unknown): Page {
  const { messages, response_metadata: more } = pageShape.parse(answer);
  return {
    messages: messages.flatMap((message) => messageShape.safeParse(message).data ?? []),
    cursor: more?.next_cursor || undefined,
  };
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
