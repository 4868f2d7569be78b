import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PermissionFlagsBits } from "discord-api-types/v10";
import { expect, test } from "vitest";
import { z } from "zod";
import { neededPermissions } from "../../adapters/discord/permissions.ts";
import { settings } from "../../src/config.ts";
import { commandSpecs } from "../../src/inbox/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string) => readFileSync(`${root}${name}`, "utf8");
const page = read("docs/set-up.md");

/** The part of the page under a heading. */
function section(heading: string): string {
  const [, rest = ""] = page.split(`\n## ${heading}\n`);
  return rest.split("\n## ")[0] ?? "";
}

test("every permission that the Discord invitation asks for is explained, and no other", () => {
  const asked = Object.entries(PermissionFlagsBits)
    .filter(([, bit]) => (neededPermissions & bit) !== 0n)
    .map(([name]) => name.toLowerCase());
  const table = section("Discord").match(/^\| .* \|$/gmu) ?? [];
  const explained = table.slice(1).flatMap((row) => (row.split("|")[1] ?? "").split(",").map((name) => name.trim()));
  // The server's settings write the one in the plural, the API in the singular.
  const flags = explained.map((name) => name.replaceAll(" ", "").toLowerCase().replace("viewchannels", "viewchannel"));
  expect(flags.sort()).toEqual(asked.sort());
});

test("every scope that the Slack manifest asks for is explained, and no other", () => {
  const manifest = z
    .object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })
    .parse(JSON.parse(read("adapters/slack/manifest.json")));
  const table = section("Slack").match(/^\| .* \|$/gmu) ?? [];
  const explained = table.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([a-z_.:]+)`/gu)].map(([, scope = ""]) => scope),
  );
  expect(explained.filter((scope) => scope !== "connections:write").sort()).toEqual(
    [...manifest.oauth_config.scopes.bot].sort(),
  );
});

test("every setting and command that the manuals name exists", () => {
  for (const text of [page, read("README.md")]) {
    const named = [
      ...text.matchAll(/\b((?:SHIPMATE|TELEGRAM|DISCORD|SLACK|CODEX|OPENAI|DATABASE|REDIS|MAX)_[A-Z_]+)\b/gu),
    ];
    const unknown = named
      .map(([, name = ""]) => name.replace(/^((?:TELEGRAM|DISCORD|SLACK)_(?:BOT|APP)_TOKEN)_.+$/u, "$1"))
      .filter((name) => !(name in settings.shape));
    expect(unknown).toEqual([]);
    const commands = [...text.matchAll(/(?<=`)\/(?:shipmate )?([a-z]+)/gu)].map(([, name = ""]) => name);
    const known = [...commandSpecs().map(({ name }) => name), "newbot", "setprivacy", "setjoingroups", "shipmate"];
    expect(commands.filter((name) => !known.includes(name))).toEqual([]);
  }
});
