import type { Person, SeenMessage } from "../fakes/telegram/index.ts";
import { createWorld, type World } from "../support/world.ts";
import type { Venue } from "./venue.ts";

/** Telegram, where people usually ask in private. A post has no key there: what may have arrived is repeated with a label. */
export async function openTelegram(): Promise<Venue<World, SeenMessage, Person>> {
  const world = await createWorld();
  const { telegram } = world;
  const { faults } = telegram;

  function ask(person: Person, question: string, chat: number) {
    const asked = telegram.say(person, chat, chat === person.id ? question : `@shipmate_bot ${question}`);
    const now = () => telegram.chat(asked.chat);
    return {
      said: () => now().fromBot.filter((message) => message.id > asked.id),
      hears: (test: (message: SeenMessage) => boolean, timeoutMs: number) =>
        telegram.waitForMessage(asked.chat, (message) => message.id > asked.id && test(message), timeoutMs),
      press(message: SeenMessage, label: string) {
        const press = telegram.press(person, message, label);
        return { acknowledged: () => press.answer() !== undefined };
      },
      signs: () => now().messages.find((message) => message.id === asked.id)?.reactions ?? [],
      leftovers() {
        const outgoing = telegram.calls().filter((call) => call.payload.chat_id === asked.chat);
        const lastDraft = outgoing.findLastIndex((call) => call.method === "sendMessageDraft");
        const lastMessage = outgoing.findLastIndex((call) => call.method === "sendMessage");
        return lastDraft > lastMessage ? ["a draft that nothing replaces"] : [];
      },
      posts: (words: string) =>
        telegram
          .calls("sendMessage")
          .filter(({ payload }) => String(payload.text).includes(words) && payload.chat_id === asked.chat),
    };
  }

  return {
    world,
    signs: { done: "👌", failed: "💔", stopped: "🫡" },
    findsPosts: false,
    claim: world.claim,
    async guest(name) {
      const person = await world.hire(name);
      return { person, ask: (question, place = person.id) => ask(person, question, Number(place)) };
    },
    unheard: () => telegram.pendingUpdates(),
    faults: {
      clear: () => faults.clear(),
      holdPosts: () => faults.hold("sendMessage"),
      slowPosts: () => faults.slow("sendMessage", { ms: 60_000 }),
      losePostResponses: (times = 1) => faults.loseResponseAfterEffect("sendMessage", { times }),
      failPosts: (times = 1) => faults.serverError("sendMessage", { times }),
      limitPosts: (retryAfter, times = 1) => faults.rateLimit("sendMessage", { retryAfter, times }),
      holdSigns: () => faults.hold("setMessageReaction"),
      loseSignResponses: (times = 1) => faults.loseResponseAfterEffect("setMessageReaction", { times }),
      async cutLine() {
        await faults.refuseConnections();
        await faults.acceptConnections();
      },
      // What was not confirmed is told again after each cut.
      repeatEvent: () => faults.loseResponseAfterEffect("getUpdates"),
      signsWait: () => telegram.calls("setMessageReaction").some((call) => call.status === undefined),
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
