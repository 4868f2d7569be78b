import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscord, type Discord } from "../fakes/discord/index.ts";
import { say } from "../fakes/model/index.ts";
import { createSlack, type Slack } from "../fakes/slack/index.ts";
import { createTelegram, type Telegram } from "../fakes/telegram/index.ts";
import { actingIn } from "../support/discord-world.ts";
import { createMachine, type Machine, ownerCode } from "../support/machine.ts";
import { actingInSlack, slackSettings } from "../support/slack-world.ts";

let telegram: Telegram;
let discord: Discord;
let slack: Slack;
let machine: Machine;

beforeEach(async () => {
  [telegram, discord, slack] = await Promise.all([createTelegram(), createDiscord(), createSlack()]);
  machine = await createMachine({
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.url,
    DISCORD_BOT_TOKEN: discord.token,
    DISCORD_API_URL: discord.url,
    ...slackSettings(slack),
  });
});
afterEach(async () => {
  await machine[Symbol.asyncDispose]();
  await Promise.all([telegram.close(), discord.close(), slack.close()]);
});

const codeIn = (text: string) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text)?.[0];

/** What `/link` gives Ada in Telegram. */
async function linkCode(): Promise<string> {
  const { ada } = telegram;
  const known = telegram.chat(ada).fromBot.length;
  telegram.say(ada, ada, "/link");
  return telegram.waitFor(() =>
    telegram
      .chat(ada)
      .fromBot.slice(known)
      .map((message) => codeIn(message.text))
      .find((found) => found !== undefined),
  );
}

/** Ada owns it in Telegram, and says in Discord and Slack who she is. */
async function beOne(): Promise<void> {
  const { ada } = telegram;
  telegram.say(ada, ada, `/start ${ownerCode}`);
  await telegram.waitForMessage(ada, (message) => message.text.includes("You own this Shipmate"));
  discord.say(discord.ada, discord.dm(discord.ada), await linkCode());
  await discord.waitForMessage(discord.dm(discord.ada), () => true);
  slack.say(slack.ada, slack.dm(slack.ada), await linkCode());
  await slack.waitForMessage(slack.dm(slack.ada), () => true);
}

describe("one team on three platforms", () => {
  it("knows a person everywhere once they said so, with the same rights", async () => {
    await machine.start();
    await beOne();
    const people = await machine.query("select role from people where disabled_at is null");
    expect(people).toEqual([{ role: "owner" }]);
    await actingIn(discord).openChannel();
    await actingInSlack(slack).openChannel();
    machine.model.enqueue([say("Hello from Discord.")], [say("Hello from Slack.")]);
    const said = discord.say(discord.ada, discord.general, `${discord.mention()} hello`);
    await discord.waitForMessage(said.id, (message) => message.text.includes("Hello from Discord."));
    slack.say(slack.ada, slack.general, `<@${slack.botUserId}> hello`);
    await slack.waitForMessage(slack.general, (message) => message.text.includes("Hello from Slack."));
  });

  it("F-59 goes on elsewhere when one platform refuses its token, and says what to do there", async () => {
    slack.faults.invalidAuth();
    const shipmate = machine.launch();
    await shipmate.says(/Shipmate is ready/);
    await shipmate.says(/Slack doesn't accept this bot token/);
    machine.model.enqueue([say("Telegram works.")]);
    telegram.say(telegram.ada, telegram.ada, `/start ${ownerCode}`);
    await telegram.waitForMessage(telegram.ada, (message) => message.text.includes("You own this Shipmate"));
    telegram.say(telegram.ada, telegram.ada, "hello");
    await telegram.waitForMessage(telegram.ada, (message) => message.text.includes("Telegram works."));
  });
});

describe("a team of several teammates", () => {
  it("is hired from a sentence; both answer when both are named", async () => {
    await machine.start();
    await hirePenny();
    slack.say(slack.ada, slack.dm(slack.ada), await linkCode());
    await slack.waitForMessage(slack.dm(slack.ada), () => true);
    await actingInSlack(slack).openChannel();
    machine.model.enqueue([say("One view.")], [say("Another view.")]);
    const said = slack.say(slack.ada, slack.general, `<@${slack.botUserId}> Milo and Penny, what do you think?`);
    await slack.waitForMessage(slack.general, (message) => message.text.includes("One view."));
    await slack.waitForMessage(slack.general, (message) => message.text.includes("Another view."));
    const names = slack
      .messages(slack.general, { thread: said.ts })
      .filter((message) => message.text.includes("view."))
      .map((message) => message.author.name);
    expect(names.sort()).toEqual(["Milo", "Penny"]);
  });

  it("can have bots of their own beside everybody's: what reaches Penny's is hers, whoever is named", async () => {
    const pennys = await createTelegram({ token: "222222222:AAtoken_of_pennys_own_bot_which_is_not_real" });
    const both = await serveBoth(telegram, pennys);
    try {
      await machine.start({ TELEGRAM_API_ROOT: both.url, TELEGRAM_BOT_TOKEN_PENNY: pennys.token });
      await hirePenny();
      pennys.say(pennys.ada, pennys.ada, await linkCode());
      await pennys.waitForMessage(pennys.ada, () => true);

      machine.model.enqueue([say("Milo here.")]);
      telegram.say(telegram.ada, telegram.ada, "who are you?");
      const his = await telegram.waitForMessage(telegram.ada, (message) => message.text.includes("Milo here."));
      expect(his.text).toContain("Milo ·");
      machine.model.enqueue([say("Penny here.")]);
      pennys.say(pennys.ada, pennys.ada, "Milo, who are you?");
      const hers = await pennys.waitForMessage(pennys.ada, (message) => message.text.includes("Penny here."));
      expect(hers.text).toContain("Penny ·");
      expect(telegram.chat(telegram.ada).fromBot.some((message) => message.text.includes("Penny here."))).toBe(false);
    } finally {
      await both.close();
      await pennys.close();
    }
  });
});

/** Ada owns it in Telegram and hires Penny there. */
async function hirePenny(): Promise<void> {
  const { ada } = telegram;
  telegram.say(ada, ada, `/start ${ownerCode}`);
  await telegram.waitForMessage(ada, (message) => message.text.includes("You own this Shipmate"));
  telegram.say(ada, ada, "/team add Penny, a bookkeeper who checks invoices");
  const draft = await telegram.waitForMessage(ada, (message) => message.text.includes("Bookkeeper"));
  // A model is asked for a better draft: it has none, and is out of the way of what follows.
  await machine.model.nextRequest((request) => request.text.includes("checks invoices"));
  machine.model.reset();
  telegram.press(ada, draft, "Create");
  await telegram.waitForMessage(ada, (message) => message.text.includes("Penny joined"));
}

/** Two bots behind one address, as at Telegram: the token in the path tells them apart. */
async function serveBoth(...bots: readonly Telegram[]) {
  const server = createServer((request, response) => {
    const bot = bots.find((each) => request.url?.includes(each.token));
    const forwarded = httpRequest(
      `${bot?.url}${request.url}`,
      { method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on("error", () => response.destroy());
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
