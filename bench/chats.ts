import { performance } from "node:perf_hooks";
import { createDiscord } from "../test/fakes/discord/index.ts";
import { createSlack } from "../test/fakes/slack/index.ts";
import { startTelegram } from "./telegram.ts";
import { answerText } from "./words.ts";

export const platforms = ["telegram", "discord", "slack"] as const;
export type Platform = (typeof platforms)[number];

/** Somebody with an account there. */
export interface Person {
  readonly id: string;
  readonly name: string;
  /** The private chat with the bot. */
  readonly channel: string;
}

/** How one question went, in milliseconds since it was sent. */
export interface Asked {
  /** When it was sent: milliseconds since 1970. */
  readonly at: number;
  /** The first typing sign, draft, status line or message. */
  readonly signMs: number;
  readonly answerMs: number;
}

/** The tests' stand-in for a platform, with people in private chats. */
export interface Chats extends AsyncDisposable {
  readonly platform: Platform;
  /** What the bot has to be told of it. */
  readonly env: Readonly<Record<string, string>>;
  person(name: string): Person;
  /** Says something in the private chat with the bot; resolves when the bot's message that includes `answer` was accepted. */
  ask(person: Person, text: string, answer?: string): Promise<Asked>;
}

const patienceMs = 60_000;

export function startChats(platform: Platform): Promise<Chats> {
  switch (platform) {
    case "telegram":
      return startTelegram(patienceMs);
    case "discord":
      return startDiscord();
    case "slack":
      return startSlack();
  }
}

async function startDiscord(): Promise<Chats> {
  const discord = await createDiscord({ recordCalls: false });
  return {
    platform: "discord",
    env: { DISCORD_BOT_TOKEN: discord.token, DISCORD_API_URL: discord.url },
    person: (name) => {
      const id = discord.person(name);
      return { id, name, channel: discord.dm(id) };
    },
    ask: (person, text, answer = answerText) =>
      watched(discord.waitFor, () => {
        const typed = discord.typing(person.channel);
        const { id } = discord.say(person.id, person.channel, text);
        const said = () =>
          discord.messages(person.channel).filter((each) => each.fromUs && BigInt(each.id) > BigInt(id));
        return {
          shows: () => discord.typing(person.channel) > typed || said().length > 0,
          answers: () => said().some((each) => each.text.includes(answer)),
        };
      }),
    [Symbol.asyncDispose]: discord.close,
  };
}

async function startSlack(): Promise<Chats> {
  const slack = await createSlack({ recordCalls: false });
  return {
    platform: "slack",
    env: { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.url },
    person: (name) => {
      const id = slack.person(name);
      return { id, name, channel: slack.dm(id) };
    },
    ask: ({ id, channel }, text, answer = answerText) =>
      watched(slack.waitFor, () => {
        const { ts } = slack.say(id, channel, text);
        // Every message of a private chat is the root of a thread.
        const said = () => slack.messages(channel, { thread: ts }).filter(({ author }) => author.bot);
        return {
          shows: () => slack.statuses(channel, ts).length > 0 || said().length > 0,
          answers: () => said().some((each) => each.text.includes(answer)),
        };
      }),
    [Symbol.asyncDispose]: slack.close,
  };
}

/** Says something, and looks at every change of the stand-in for what comes of it. */
async function watched(
  waitFor: (probe: () => boolean, timeoutMs: number) => Promise<unknown>,
  say: () => { shows(): boolean; answers(): boolean },
): Promise<Asked> {
  const at = performance.now();
  const { shows, answers } = say();
  let signMs: number | undefined;
  await waitFor(() => {
    if (signMs === undefined && shows()) signMs = performance.now() - at;
    return signMs !== undefined && answers();
  }, patienceMs);
  const answerMs = performance.now() - at;
  return { at: performance.timeOrigin + at, signMs: signMs ?? answerMs, answerMs };
}
