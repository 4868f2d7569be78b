/** Writes `.env.example` from the settings, so that the two never disagree: `npm run generate:env`. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { settings } from "../src/config.ts";

const head = `# Shipmate's settings. Copy this file to .env and set what you need; nothing is required for a first look
# (npm run demo), and one bot token for everyday use (npm start). The environment wins over .env.
`;

/** The text of `.env.example`: every setting with its meaning, commented out, showing its default. */
export function envExample(): string {
  const defaults: Readonly<Record<string, unknown>> = settings.parse({});
  const entries = Object.entries(settings.shape).map(
    ([name, setting]) => `# ${setting.description}\n# ${name}=${shown(defaults[name])}\n`,
  );
  return [head, ...entries].join("\n");
}

function shown(value: unknown): string {
  return z.coerce.string().parse(value ?? "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(new URL("../.env.example", import.meta.url), envExample());
}
