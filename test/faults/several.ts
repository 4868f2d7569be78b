import { createDiscord, type Discord } from "../fakes/discord/index.ts";
import { createSlack, type Slack } from "../fakes/slack/index.ts";
import { actingIn } from "../support/discord-world.ts";
import { createMachine, type Machine } from "../support/machine.ts";
import { actingInSlack, slackSettings } from "../support/slack-world.ts";

/** One Shipmate on Discord and Slack, whose owner wrote to it in Slack, and whose channels are open on both. */
export async function openBoth(): Promise<Machine & { readonly discord: Discord; readonly slack: Slack }> {
  const [discord, slack] = await Promise.all([createDiscord(), createSlack()]);
  const machine = await createMachine({
    ...slackSettings(slack),
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_URL: discord.url,
  });
  await machine.start();
  const [there, here] = [actingIn(discord), actingInSlack(slack)];
  await here.claim();
  await here.openChannel();
  slack.command(slack.ada, slack.dm(slack.ada), "/shipmate", "link");
  const code = await slack.waitFor(() =>
    slack
      .fromBot(slack.dm(slack.ada))
      .map((message) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(message.text)?.[0])
      .findLast((found) => found !== undefined),
  );
  discord.say(discord.ada, discord.dm(discord.ada), code);
  await discord.waitForMessage(discord.dm(discord.ada), () => true);
  await there.openChannel();
  await machine.allPosted();
  machine.model.reset();
  return {
    ...machine,
    discord,
    slack,
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]();
      await Promise.all([discord.close(), slack.close()]);
    },
  };
}
