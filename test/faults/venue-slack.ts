import type { SeenMessage, Slack } from "../fakes/slack/index.ts";
import { createSlackWorld, type SlackWorld } from "../support/slack-world.ts";
import type { Venue } from "./venue.ts";

const post = "chat.postMessage";
const sign = "reactions.add";

/** Slack, where Ada usually mentions the bot in a channel and is answered in the thread. It tells again what nobody acknowledged. */
export async function openSlack(): Promise<Venue<SlackWorld, SeenMessage, string>> {
  // Slack waits 3 s, then a minute, then five.
  const world = await createSlackWorld({ timing: { ackMs: 1_000, retryMs: [0, 3_000, 6_000] } });
  const { slack } = world;
  const { faults, ada } = slack;
  let first: "message" | "app_mention" = "message";

  function ask(question: string, place: string) {
    const inPrivate = place === slack.dm(ada);
    // A mention is two events, and now one, now the other comes first.
    first = first === "message" ? "app_mention" : "message";
    const asked = slack.say(ada, place, inPrivate ? question : `<@${slack.botUserId}> ${question}`, { first });
    const isAnswer = (message: SeenMessage) => message.threadTs === asked.ts && message.author.bot;
    return {
      said: () => slack.messages(place, { thread: asked.ts }).filter((message) => message.author.bot),
      hears: (test: (message: SeenMessage) => boolean, timeoutMs: number) =>
        slack.waitForMessage(place, (message) => isAnswer(message) && test(message), timeoutMs),
      press(message: SeenMessage, label: string) {
        const press = slack.press(ada, message, label);
        return { acknowledged: () => press.state() === "acked" };
      },
      signs: () => (slack.message(asked)?.reactions ?? []).map(({ name }) => name),
      leftovers() {
        const status = slack.status(place, asked.ts);
        return status === undefined ? [] : [`the status line "${status.text}"`];
      },
      posts: (words: string) => slack.calls(post).filter(({ payload }) => JSON.stringify(payload).includes(words)),
    };
  }

  return {
    world,
    signs: { done: "white_check_mark", failed: "x", stopped: "black_square_for_stop" },
    findsPosts: true,
    async claim() {
      await world.claim();
      await world.openChannel();
      await world.allPosted();
    },
    guest: async () => ({ person: ada, ask: (question, place = slack.general) => ask(question, String(place)) }),
    unheard: () => unacknowledged(slack.envelopes(), slack.lost()),
    faults: {
      clear: () => faults.clear(),
      holdPosts: () => faults.hold(post),
      slowPosts: () => faults.slow(post, { ms: 60_000 }),
      losePostResponses: (times = 1) => faults.loseResponseAfterEffect(post, { times }),
      failPosts: (times = 1) => faults.serverError(post, { times }),
      limitPosts: (retryAfter, times = 1) => faults.rateLimit(post, { retryAfter, times }),
      holdSigns: () => faults.hold(sign),
      loseSignResponses: (times = 1) => faults.loseResponseAfterEffect(sign, { times }),
      cutLine: async () => faults.dropSockets(),
      repeatEvent: () => faults.duplicate(undefined),
      signsWait: () => slack.calls(sign).some((call) => call.status === undefined),
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Events that no try of Slack got acknowledged, but for those it gave up. */
function unacknowledged(envelopes: ReturnType<Slack["envelopes"]>, lost: readonly string[]): readonly unknown[] {
  const acknowledged = envelopes.filter((one) => one.ackedAfterMs !== undefined).map((one) => one.eventId);
  const heard = new Set([...acknowledged, ...lost]);
  return envelopes
    .filter((one) => one.eventId !== undefined && !heard.has(one.eventId))
    .map(({ about, eventId }) => `${about} ${eventId}`);
}
