import { createSlack, type Slack, type SlackOptions } from "../fakes/slack/index.ts";
import { createMachine, type Environment, type Machine, ownerCode } from "./machine.ts";

/** Slack around the shipped command. */
export interface SlackWorld extends Machine {
  readonly slack: Slack;
  /** Ada becomes the owner, and has seen the greeting. */
  claim(): Promise<void>;
  /** Ada opens a channel for everybody: she mentions the bot there and decides. */
  openChannel(channel?: string): Promise<string>;
  /** Somebody joins by Ada's invitation. */
  hire(name: string, role?: string): Promise<string>;
}

export async function createSlackWorld(options: SlackOptions = {}, env: Environment = {}): Promise<SlackWorld> {
  const slack = await createSlack(options);
  const machine = await createMachine({ ...slackSettings(slack), ...env });
  return {
    ...machine,
    ...actingInSlack(slack),
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]();
      await slack.close();
    },
  };
}

export function slackSettings(slack: Slack): Environment {
  return { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.url };
}

/** What Ada does in every story. */
export function actingInSlack(slack: Slack): Pick<SlackWorld, "slack" | "claim" | "openChannel" | "hire"> {
  const { ada } = slack;
  return {
    slack,
    async claim() {
      slack.say(ada, slack.dm(ada), ownerCode);
      await slack.waitForMessage(slack.dm(ada), (message) => message.text.includes("You own this Shipmate"));
    },
    async openChannel(channel = slack.general) {
      slack.say(ada, channel, `<@${slack.botUserId}>`);
      const card = await slack.waitForMessage(channel, (message) => message.text.includes("who may ask me here?"));
      slack.press(ada, card, "Everyone");
      await slack.waitForMessage(channel, (message) => message.text.includes("Everyone may ask me here"));
      return channel;
    },
    async hire(name, role = "member") {
      const person = slack.person(name);
      const known = slack.fromBot(slack.dm(ada)).length;
      slack.command(ada, slack.dm(ada), "/shipmate", `invite ${role}`);
      const code = await slack.waitFor(() =>
        slack
          .fromBot(slack.dm(ada))
          .slice(known)
          .map((message) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(message.text)?.[0])
          .findLast((found) => found !== undefined),
      );
      slack.say(person, slack.dm(person), code);
      await slack.waitForMessage(slack.dm(person), (message) => message.text.includes("Welcome"));
      return person;
    },
  };
}
