import { createTelegramAdapter } from "../../adapters/telegram/index.ts";
import type { AdapterDeps } from "../../src/chat/index.ts";
import { createTelegram, type PressedButton, type SayOptions, type SeenMessage } from "../fakes/telegram/index.ts";
import { adapterDeps } from "../support/adapter-deps.ts";
import { adapterContract, type Shown, type Stage } from "./adapter.contract.ts";

adapterContract("Telegram", {
  create: openStage,
  lacks: [
    "takeBack",
    "forms",
    "status",
    "threads",
    "history",
    "privatePosts",
    "removeByButton",
    "idempotentPosts",
    "home",
    "suggestions",
    "catchUp",
  ],
});

async function openStage(deps: Partial<AdapterDeps>): Promise<Stage> {
  const telegram = await createTelegram({ canReadAllGroupMessages: true });
  const { ada, faults } = telegram;
  const ben = telegram.person("Ben", { username: "ben_the_cook" });
  const group = telegram.createGroup();
  telegram.addToGroup(ada, group);
  const forum = telegram.createGroup({ title: "Topics", forum: true });
  telegram.addToGroup(ada, forum, "administrator");
  // That we were added was heard long ago.
  const offset = (telegram.pendingUpdates().at(-1)?.update_id ?? 0) + 1;
  await fetch(`${telegram.url}/bot${telegram.token}/getUpdates?offset=${offset}&limit=1&timeout=0`);
  const adapter = createTelegramAdapter(
    { token: telegram.token, apiRoot: telegram.url, timing: { retryMs: 5, retryMaxMs: 20 } },
    adapterDeps(deps),
  );
  await adapter.connect();
  telegram.openPrivateChat(ada);
  const presses: PressedButton[] = [];
  let said = "";

  const saidLast = () => {
    const message = telegram.chat(ada).messages.find(({ id }) => String(id) === said);
    if (!message) throw new Error("Ada said nothing yet");
    return message;
  };
  const say = async (text: string) => {
    said = String(telegram.say(ada, ada, text).id);
  };
  const sayThere = async (text: string, options: SayOptions = {}) => String(telegram.say(ada, group, text, options).id);
  const press = async (matches: (label: string) => boolean) => {
    const cards = [...telegram.chat(group).fromBot, ...telegram.chat(ada).fromBot];
    const found = cards.flatMap((card) => card.keyboard.flat().map(({ text }) => ({ card, text })));
    const button = found.filter(({ text }) => matches(text)).at(-1);
    if (!button) throw new Error("no message with this button");
    presses.push(telegram.press(ada, button.card, button.text));
  };
  return {
    adapter,
    place: { channel: String(ada.id) },
    ada: String(ada.id),
    limit: 4096,
    shown: async () => telegram.chat(ada).fromBot.map(toShown),
    say,
    command: (name, argument) => say(`/${name} ${argument}`),
    press: (label) => press((text) => text === label),
    choose: (option) => press((text) => text.replace(/^✓ /u, "") === option),
    answers: async () => presses.flatMap((press) => press.answer()?.text ?? []),
    change: async (text) => telegram.edit(ada, saidLast(), text),
    sendFile: async (name, bytes, caption) => {
      said = String(telegram.sendDocument(ada, ada, { name, bytes, caption }).id);
    },
    reactions: async () => saidLast().reactions,
    lastSaid: () => said,
    pings: async () => [...telegram.chat(ada).fromBot, ...telegram.chat(group).fromBot].flatMap(pingsOf),
    shared: {
      place: { channel: String(group) },
      kind: "group",
      ben: String(ben.id),
      shown: async () => telegram.chat(group).fromBot.map(toShown),
      say: sayThere,
      mention: (text) => sayThere(`@${telegram.bot.username} ${text}`),
      sayToBen: (text) => sayThere(`@${ben.username} ${text}`),
      reply: (text) => sayThere(text, { replyTo: telegram.chat(group).fromBot.at(-1)?.id }),
      command: async (name, argument) => void (await sayThere(`/${name} ${argument}`)),
    },
    ownThreads: {
      place: { channel: String(forum) },
      name: async (id) => telegram.topics(forum).find((topic) => String(topic.id) === id)?.name,
      shown: async (id) =>
        telegram
          .chat(forum)
          .fromBot.filter(({ thread, text }) => String(thread) === id && text !== "")
          .map(toShown),
      beside: async () =>
        telegram
          .chat(forum)
          .fromBot.filter(({ thread }) => thread === undefined)
          .map(toShown),
      say: async (id, text) => void telegram.say(ada, forum, text, { thread: Number(id) }),
      count: async () => telegram.topics(forum).length,
    },
    faults: {
      rateLimit: () => faults.rateLimit("sendMessage", { retryAfter: 3 }),
      serverError: () => faults.serverError("sendMessage"),
      loseResponse: () => faults.loseResponseAfterEffect("sendMessage"),
      gone: () => faults.reject("sendMessage", 400, "Bad Request: chat not found"),
      rejectFormatting: () => faults.reject("sendMessage", 400, "Bad Request: can't parse entities: no"),
      reject: () => faults.reject("sendMessage", 400, "Bad Request: message is too long", { times: 100 }),
    },
    [Symbol.asyncDispose]: telegram.close,
  };
}

function toShown({ id, text, keyboard, file }: SeenMessage): Shown {
  const buttons = keyboard.flat();
  return {
    id: String(id),
    text,
    buttons: buttons.filter(({ url }) => url === undefined).map((button) => button.text),
    links: buttons.flatMap(({ text: label, url }) => (url === undefined ? [] : [{ label, url }])),
    file,
  };
}

/** Telegram has no mass pings: a bot reaches people by links to their accounts only, whatever the text says. */
function pingsOf({ entities }: SeenMessage): string[] {
  return entities.flatMap((entity) => (entity.type === "text_mention" ? [String(entity.user.id)] : []));
}
