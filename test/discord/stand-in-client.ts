import { DiscordAPIError, REST } from "discord.js";
import { expect } from "vitest";
import type { Discord } from "../fakes/discord/index.ts";

/** discord.js REST against the stand-in, which tells at once what went wrong instead of trying again. */
export const connectRest = (discord: Discord, token = discord.token): REST =>
  new REST({ api: discord.url, retries: 0, rejectOnRateLimit: () => true }).setToken(token);

/** How Discord refused a call; `raw` is its answer. */
export async function refusal(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DiscordAPIError);
  const { code, status, message, rawError } = error as DiscordAPIError;
  return { code, status, message, raw: JSON.stringify(rawError) };
}

export const row = (...components: object[]) => ({ type: 1, components });
export const button = (label: string, custom_id: string) => ({ type: 2, style: 1, label, custom_id });
export const text = (content: string) => ({ type: 10, content });
