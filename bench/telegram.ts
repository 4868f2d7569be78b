import { performance } from "node:perf_hooks";
import { type Person as Account, createPeople } from "../test/fakes/telegram/people.ts";
import { serve } from "../test/fakes/telegram/server.ts";
import { type ChatRecord, createWorld } from "../test/fakes/telegram/world.ts";
import type { Asked, Chats } from "./chats.ts";
import { answerText } from "./words.ts";

interface Waiting {
  readonly at: number;
  readonly after: number;
  readonly answer: string;
  sign: number | undefined;
  readonly done: (asked: Asked) => void;
}

/** Of the first account. */
const firstId = 1001;
/** Messages a chat keeps: those that somebody may still react to. */
const kept = 50;

/** The tests' stand-in for Telegram, watched chat by chat: looking through all of them at every change would be most of the work. */
export async function startTelegram(patienceMs: number): Promise<Chats> {
  const token = "42:stand-in-token";
  const world = createWorld({
    id: 42,
    is_bot: true,
    first_name: "Shipmate",
    username: "shipmate_bot",
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_guest_queries: false,
    supports_inline_queries: false,
    can_connect_to_business: false,
    has_main_web_app: false,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  });
  const people = createPeople(world);
  const server = await serve(world, token, false);
  const waiting = new Map<number, Waiting>();
  const accounts = new Map<string, Account>();

  world.onChange((chat) => {
    const asked = chat === undefined ? undefined : waiting.get(chat);
    const record = chat === undefined ? undefined : world.chats.get(chat);
    if (asked === undefined || record === undefined) return;
    const said = newest(record, asked.after);
    if (asked.sign === undefined && (record.actions.length > 0 || record.drafts.length > 0 || said !== undefined)) {
      asked.sign = performance.now();
    }
    if (said === undefined || !said.includes(asked.answer)) return;
    waiting.delete(record.chat.id);
    forget(record);
    const from = asked.at;
    asked.done({
      at: performance.timeOrigin + from,
      signMs: (asked.sign ?? performance.now()) - from,
      answerMs: performance.now() - from,
    });
  });

  return {
    platform: "telegram",
    env: { TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: server.url },
    person: (name) => {
      const id = firstId + accounts.size;
      const account = { id, is_bot: false, first_name: name, username: `user${id}`, language_code: "en" };
      accounts.set(String(id), account);
      return { id: String(id), name, channel: String(id) };
    },
    ask: (person, text, answer = answerText) =>
      new Promise((resolve, reject) => {
        const account = accounts.get(person.id);
        if (account === undefined) throw new Error(`nobody has the id ${person.id}`);
        const timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
        const done = (asked: Asked) => {
          clearTimeout(timer);
          resolve(asked);
        };
        const record = world.chats.get(account.id);
        record?.actions.splice(0);
        record?.drafts.splice(0);
        const at = performance.now();
        const message = people.say(account, account.id, text);
        waiting.set(account.id, { at, after: message.message_id, answer, sign: undefined, done });
      }),
    [Symbol.asyncDispose]: server.close,
  };
}

/** What the bot said last, if that was after this message. */
function newest(record: ChatRecord, after: number): string | undefined {
  let text: string | undefined;
  for (const [id, { message }] of record.messages) if (id > after && message.from?.is_bot) text = message.text ?? "";
  return text;
}

function forget(record: ChatRecord): void {
  for (const id of record.messages.keys()) {
    if (record.messages.size <= kept) break;
    record.messages.delete(id);
  }
  record.deleted.splice(0);
}
