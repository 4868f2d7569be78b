import { createDiscord, type Discord, type DiscordOptions } from "../fakes/discord/index.ts";
import { createMachine, type Environment, type Machine, ownerCode } from "./machine.ts";

/** Discord around the shipped command. */
export interface DiscordWorld extends Machine {
  readonly discord: Discord;
  /** Ada becomes the owner, and has seen the greeting. */
  claim(): Promise<void>;
  /** Ada opens a channel for everybody: she mentions the bot there and decides. */
  openChannel(channel?: string): Promise<string>;
  /** Somebody joins by Ada's invitation. */
  hire(name: string, role?: string): Promise<string>;
}

export async function createDiscordWorld(options: DiscordOptions = {}, env: Environment = {}): Promise<DiscordWorld> {
  const discord = await createDiscord(options);
  const machine = await createMachine({ DISCORD_BOT_TOKEN: discord.token, DISCORD_API_URL: discord.url, ...env });
  return {
    ...machine,
    ...actingIn(discord),
    async [Symbol.asyncDispose]() {
      await machine[Symbol.asyncDispose]();
      await discord.close();
    },
  };
}

/** What Ada does in every story. */
export function actingIn(discord: Discord): Pick<DiscordWorld, "discord" | "claim" | "openChannel" | "hire"> {
  const { ada } = discord;
  return {
    discord,
    async claim() {
      discord.say(ada, discord.dm(ada), ownerCode);
      await discord.waitForMessage(discord.dm(ada), (message) => message.text.includes("You own this Shipmate"));
    },
    async openChannel(channel = discord.general) {
      const said = discord.say(ada, channel, discord.mention());
      const threadId = await discord.waitFor(() => discord.thread(said.id)?.id);
      const card = await discord.waitForMessage(threadId, (message) => message.text.includes("who may ask me here?"));
      discord.press(ada, card, "Everyone");
      await discord.waitForMessage(threadId, (message) => message.text.includes("Everyone may ask me here"));
      return channel;
    },
    async hire(name, role = "member") {
      const person = discord.person(name);
      const known = discord.messages(discord.dm(ada)).length;
      discord.command(ada, discord.dm(ada), "invite", { role });
      const code = await discord.waitFor(() =>
        discord
          .messages(discord.dm(ada))
          .slice(known)
          .map((message) => /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(message.fromUs ? message.text : "")?.[0])
          .findLast((found) => found !== undefined),
      );
      discord.say(person, discord.dm(person), code);
      await discord.waitForMessage(discord.dm(person), (message) => message.text.includes("Welcome"));
      return person;
    },
  };
}
