import { expect, onTestFinished, test } from "vitest";
import { say } from "../fakes/model/index.ts";
import { createDiscordWorld } from "../support/discord-world.ts";
import { createSlackWorld } from "../support/slack-world.ts";

/** A place in which Ada asks, and the calls that looked something up since the bot was started, as text. */
interface Chat {
  /** Asks, and resolves once all that comes of it was posted. */
  ask(answer: string): Promise<void>;
  readonly lookUps: () => readonly string[];
}

async function discordChats() {
  const world = await createDiscordWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { discord, model } = world;
  await world.start();
  await world.claim();
  await world.openChannel();
  const shown = (channel: string, text: string) =>
    discord.waitForMessage(channel, (message) => message.text.includes(text));
  const chat = (answered: (answer: string) => Promise<unknown>): Chat => ({
    ask: async (answer) => {
      model.enqueue([say(answer)]);
      await answered(answer);
      await world.allPosted();
    },
    lookUps: () =>
      discord
        .calls()
        .map(({ route }) => route)
        .filter((route) => route.startsWith("GET ") || route === "POST /channels/:channel/webhooks"),
  });
  return {
    alone: chat((answer) => {
      const dm = discord.dm(discord.ada);
      discord.say(discord.ada, dm, "how is it going?");
      return shown(dm, answer);
    }),
    channel: chat(async (answer) => {
      const said = discord.say(discord.ada, discord.general, `${discord.mention()} how is it going?`);
      return shown(await discord.waitFor(() => discord.thread(said.id)?.id), answer);
    }),
  };
}

async function slackChats() {
  const world = await createSlackWorld();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { slack, model } = world;
  await world.start();
  await world.claim();
  await world.openChannel();
  const chat = (channel: string, text: string): Chat => ({
    ask: async (answer) => {
      model.enqueue([say(answer)]);
      slack.say(slack.ada, channel, text);
      await slack.waitForMessage(channel, (message) => message.text.includes(answer));
      await world.allPosted();
    },
    lookUps: () =>
      slack
        .calls()
        .map(({ method }) => method)
        .filter((method) => /\.(?:info|list|history|replies|open|test)$/.test(method)),
  });
  return {
    alone: chat(slack.dm(slack.ada), "how is it going?"),
    channel: chat(slack.general, `<@${slack.botUserId}> how is it going?`),
  };
}

test.each([
  ["Discord", discordChats],
  ["Slack", slackChats],
] as const)("on %s people, channels and webhooks are looked up once, not with every turn", async (_name, chats) => {
  const { alone, channel } = await chats();
  await alone.ask("Well, thank you.");
  await channel.ask("As well as ever.");
  const before = channel.lookUps();
  expect(before).not.toEqual([]);
  await alone.ask("Better than before.");
  await channel.ask("Still going strong.");
  expect(channel.lookUps().slice(before.length)).toEqual([]);
});
