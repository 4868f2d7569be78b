/**
 * Holds the Discord stand-in against Discord's own description of its API:
 * `node scripts/check-discord-spec.ts discord-openapi.json`. Every kind of call we use is made once through discord.js;
 * what was sent, what came back and the messages and channels of the gateway must fit. What the description lacks is only named.
 */
import { existsSync, readFileSync } from "node:fs";
import { Client, Events, GatewayIntentBits, Partials, REST } from "discord.js";
import { createDiscord } from "../test/fakes/discord/index.ts";
import { createChecker, type Seen, specification } from "./discord-spec/checker.ts";
import { exercise } from "./discord-spec/exercise.ts";
import { tooLenient } from "./discord-spec/refusals.ts";

async function main(path: string | undefined): Promise<void> {
  if (path === undefined || !existsSync(path)) {
    console.log("Skipped: give the path of Discord's OpenAPI description; none is part of this project.");
    return;
  }
  const spec = specification.loose().parse(JSON.parse(readFileSync(path, "utf8")));
  await using discord = await createDiscord();
  const seen: Seen[] = [];
  const intents = [
    GatewayIntentBits.Guilds,
    GatewayIntentBits.GuildMessages,
    GatewayIntentBits.DirectMessages,
    GatewayIntentBits.MessageContent,
  ];
  const client = new Client({ intents, partials: [Partials.Channel], rest: { api: discord.url } });
  client.on(
    Events.Raw,
    (packet: { t?: string; d?: unknown }) => void seen.push({ event: `${packet.t}`, data: packet.d }),
  );
  await client.login(discord.token);
  await discord.waitFor(() => client.isReady());
  const checker = createChecker(spec);
  const rest = new REST({ api: discord.url }).setToken(discord.token);
  if (client.isReady()) await exercise(discord, client, rest);
  for (const text of await tooLenient(discord, rest, checker.refuses)) checker.wrong.add(text);
  await client.destroy();
  for (const call of discord.calls()) checker.call(call);
  for (const event of seen) checker.event(event);
  const routes = new Set(discord.calls().map((call) => call.route)).size;
  console.log(
    `OpenAPI ${spec.openapi}: ${discord.calls().length} calls of ${routes} routes, ${seen.length} events, ${checker.checked.size} kinds checked, ${checker.wrong.size} wrong.`,
  );
  for (const text of checker.unknown) console.log(`  not in the description: ${text}`);
  for (const text of checker.wrong) console.log(`  wrong: ${text}`);
  if (checker.wrong.size > 0) process.exitCode = 1;
}

await main(process.argv[2] ?? process.env.DISCORD_OPENAPI);
