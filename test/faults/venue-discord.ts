import type { SeenMessage } from "../fakes/discord/index.ts";
import { createDiscordWorld, type DiscordWorld } from "../support/discord-world.ts";
import type { Venue } from "./venue.ts";

const postRoutes = ["POST /channels/:channel/messages", "POST /webhooks/:webhook/:token"];
const signRoute = "PUT /channels/:channel/messages/:message/reactions/:emoji/@me";

/** Discord, where Ada usually mentions the bot in a channel: that opens a thread, in which the teammate speaks through a webhook. */
export async function openDiscord(): Promise<Venue<DiscordWorld, SeenMessage, string>> {
  const world = await createDiscordWorld();
  const { discord } = world;
  const { faults, ada } = discord;
  const forPosts = (set: (route: string) => void) => {
    for (const route of postRoutes) set(route);
  };

  function ask(question: string, place: string) {
    const inPrivate = place === discord.dm(ada);
    const asked = discord.say(ada, place, inPrivate ? question : `${discord.mention()} ${question}`);
    const answeredIn = inPrivate ? place : asked.id;
    const isLater = (message: SeenMessage) => message.fromUs && BigInt(message.id) > BigInt(asked.id);
    return {
      said: () => discord.messages(answeredIn).filter(isLater),
      hears: (test: (message: SeenMessage) => boolean, timeoutMs: number) =>
        discord.waitForMessage(answeredIn, (message) => isLater(message) && test(message), timeoutMs),
      press(message: SeenMessage, label: string) {
        const press = discord.press(ada, message, label);
        return { acknowledged: () => press.answer !== undefined };
      },
      signs: () => discord.message(asked.id)?.reactions ?? [],
      // What shows progress there are messages, which are among what is said.
      leftovers: () => [],
      posts: (words: string) =>
        discord.calls().filter((call) => postRoutes.includes(call.route) && JSON.stringify(call.body).includes(words)),
    };
  }

  return {
    world,
    signs: { done: "✅", failed: "❌", stopped: "⏹️" },
    findsPosts: true,
    async claim() {
      await world.claim();
      await world.openChannel();
      await world.allPosted();
    },
    guest: async () => ({ person: ada, ask: (question, place = discord.general) => ask(question, String(place)) }),
    unheard: () => [],
    faults: {
      clear: () => faults.clear(),
      holdPosts() {
        const releases = postRoutes.map((route) => faults.hold(route));
        return () => {
          for (const release of releases) release();
        };
      },
      slowPosts: () => forPosts((route) => faults.slow(route, 60_000)),
      losePostResponses: (times = 1) => forPosts((route) => faults.loseResponseAfterEffect(route, { times })),
      failPosts: (times = 1) => forPosts((route) => faults.serverError(route, { times })),
      limitPosts: (retryAfter, times = 1) => forPosts((route) => faults.rateLimit(route, { retryAfter, times })),
      holdSigns: () => faults.hold(signRoute),
      loseSignResponses: (times = 1) => faults.loseResponseAfterEffect(signRoute, { times }),
      cutLine: async () => faults.dropGateway(),
      repeatEvent: () => faults.duplicate("MESSAGE_CREATE"),
      signsWait: () => discord.calls(signRoute).some((call) => call.status === undefined),
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}
