import type { z } from "zod";

/**
 * A bot that the settings name. `name` is what stands behind the setting, in lower case: the handle of the teammate whose
 * own bot it is (`TELEGRAM_BOT_TOKEN_PENNY`), or any word where it is one more workspace of everybody's.
 */
export type Bot = { readonly name: string | undefined } & (
  | { readonly platform: "telegram" | "discord"; readonly tokens: readonly [bot: string] }
  | { readonly platform: "slack"; readonly tokens: readonly [bot: string, app: string] }
);

type TokenName = "TELEGRAM_BOT_TOKEN" | "DISCORD_BOT_TOKEN" | "SLACK_BOT_TOKEN" | "SLACK_APP_TOKEN";
type Given = Readonly<Record<string, string | undefined>>;

const tokenNames = /^(TELEGRAM_BOT_TOKEN|DISCORD_BOT_TOKEN|SLACK_BOT_TOKEN|SLACK_APP_TOKEN)(?:_(\w+))?$/u;

/** Every bot in the settings, and what is wrong with the tokens that have a name behind them; `shape` checks one token. */
export function readBots(
  given: Given,
  shape: Readonly<Record<TokenName, z.ZodType>>,
): { readonly bots: readonly Bot[]; readonly problems: readonly string[] } {
  const bots: Bot[] = [];
  const problems: string[] = twice(given);
  for (const [setting, token] of Object.entries(given)) {
    const [, kind, suffix] = tokenNames.exec(setting) ?? [];
    if (kind === undefined || token === undefined) continue;
    if (suffix !== undefined) problems.push(...problemsOf(setting, shape[kind as TokenName].safeParse(token)));
    const name = suffix?.toLowerCase().replaceAll("_", "-");
    const end = suffix === undefined ? "" : `_${suffix}`;
    if (kind === "TELEGRAM_BOT_TOKEN") bots.push({ platform: "telegram", name, tokens: [token] });
    if (kind === "DISCORD_BOT_TOKEN") bots.push({ platform: "discord", name, tokens: [token] });
    const other = kind === "SLACK_BOT_TOKEN" ? `SLACK_APP_TOKEN${end}` : `SLACK_BOT_TOKEN${end}`;
    const otherToken = given[other];
    if (!kind.startsWith("SLACK")) continue;
    if (otherToken === undefined) problems.push(`${setting} and ${other} belong together: set both, or neither.`);
    else if (kind === "SLACK_BOT_TOKEN") bots.push({ platform: "slack", name, tokens: [token, otherToken] });
  }
  return { bots, problems };
}

function problemsOf(setting: string, checked: z.ZodSafeParseResult<unknown>): string[] {
  return checked.success ? [] : checked.error.issues.map((issue) => `${setting} ${issue.message}.`);
}

/** One bot under two names would be polled twice, and each message be taken by either. */
function twice(given: Given): string[] {
  const settings = Object.keys(given).filter((setting) => tokenNames.test(setting));
  return settings.flatMap((setting, index) => {
    const first = settings.findIndex((each) => given[each] === given[setting]);
    return first < index ? [`${setting} has the same token as ${settings[first]}: each bot needs one of its own.`] : [];
  });
}
