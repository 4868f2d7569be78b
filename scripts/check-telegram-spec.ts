/**
 * Holds the Telegram stand-in and the adapter against a description of the Bot API that others wrote
 * (the JSON form of core.telegram.org/bots/api): `node scripts/check-telegram-spec.ts telegram-bot-api.json`.
 * Wrong types and missing fields fail; what is newer than the description is only named.
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createTelegramAdapter } from "../adapters/telegram/index.ts";
import type { Adapter } from "../src/chat/index.ts";
import { type Call, createTelegram, type Telegram } from "../test/fakes/telegram/index.ts";

const field = z.object({ name: z.string(), types: z.array(z.string()), required: z.boolean() });
const specification = z.object({
  version: z.string(),
  methods: z.record(z.string(), z.object({ returns: z.array(z.string()), fields: z.array(field).default([]) })),
  types: z.record(
    z.string(),
    z.object({ fields: z.array(field).default([]), subtypes: z.array(z.string()).default([]) }),
  ),
});
type Specification = z.infer<typeof specification>;
type Field = z.infer<typeof field>;

interface Findings {
  readonly wrong: Set<string>;
  readonly newer: Set<string>;
}

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  Integer: Number.isInteger,
  Float: (value) => typeof value === "number",
  String: (value) => typeof value === "string",
  Boolean: (value) => typeof value === "boolean",
  True: (value) => value === true,
  // Uploads are named in the request and travel beside it.
  InputFile: (value) => typeof value === "string",
};

function createChecker(spec: Specification) {
  const findings: Findings = { wrong: new Set(), newer: new Set() };

  function value(given: unknown, types: readonly string[], where: string, found: Findings): void {
    const attempts = types.map((type) => {
      const attempt: Findings = { wrong: new Set(), newer: new Set() };
      one(given, type, where, attempt);
      return attempt;
    });
    const fitting = attempts.sort((a, b) => a.wrong.size - b.wrong.size || a.newer.size - b.newer.size)[0];
    for (const text of fitting?.wrong ?? []) found.wrong.add(text);
    for (const text of fitting?.newer ?? []) found.newer.add(text);
  }

  function one(given: unknown, type: string, where: string, found: Findings): void {
    const items = /^Array of (.+)$/.exec(type)?.[1];
    const scalar = scalars[type];
    const known = spec.types[type];
    if (items !== undefined) {
      if (!Array.isArray(given)) found.wrong.add(`${where} should be an array`);
      else for (const item of given) value(item, [items], `${where}[]`, found);
    } else if (scalar) {
      if (!scalar(given)) found.wrong.add(`${where} should be ${type}, is ${JSON.stringify(given)}`);
    } else if (!known) {
      found.newer.add(`type ${type}`);
    } else if (known.subtypes.length > 0) {
      value(given, known.subtypes, where, found);
    } else if (typeof given === "object" && given !== null) {
      object(given, known.fields, where, found);
    } else {
      found.wrong.add(`${where} should be ${type}`);
    }
  }

  function object(given: object, fields: readonly Field[], where: string, found: Findings): void {
    const entries = new Map(Object.entries(given));
    for (const { name, required, types } of fields) {
      if (entries.has(name)) value(entries.get(name), types, `${where}.${name}`, found);
      else if (required) found.wrong.add(`${where}.${name} is missing`);
    }
    for (const name of entries.keys()) {
      if (!fields.some((one) => one.name === name)) found.newer.add(`${where}.${name}`);
    }
  }

  return {
    findings,
    call: ({ method, payload, status, result }: Call): void => {
      const known = spec.methods[method];
      if (!known) findings.newer.add(`method ${method}`);
      else object(payload, known.fields, method, findings);
      if (known && status === 200) value(result, known.returns, `${method} →`, findings);
    },
  };
}

const dm = { channel: "7" };

/** Every kind of call and update this project uses, once. */
async function exercise(telegram: Telegram, adapter: Adapter, folder: string): Promise<void> {
  const { ada } = telegram;
  const group = telegram.createGroup({ forum: true });
  telegram.addToGroup(ada, group, "administrator");
  const topic = telegram.createTopic(ada, group, "Plans");
  const said = telegram.say(ada, ada, "hello https://example.com");
  telegram.say(ada, group, "/status@shipmate_bot now", { thread: topic });
  telegram.say(ada, ada, "not mine", { forwardedFrom: telegram.person("Ben") });
  telegram.sendPhotoAlbum(ada, ada, [{ bytes: Buffer.from("a"), caption: "two" }, { bytes: Buffer.from("b") }]);
  telegram.sendVoice(ada, ada, { bytes: Buffer.from("v") });
  telegram.sendDocument(ada, ada, { name: "a.txt", mime: "text/plain", bytes: Buffer.from("d") });
  telegram.edit(ada, said, "hello again");
  telegram.migrate(ada, telegram.createGroup({ type: "group" }));

  const buttons = [[{ label: "Go", token: "t", style: "primary" as const }]];
  await adapter.post(
    dm,
    { text: "**a** `b`\n\n> c", persona: { name: "Milo" }, footer: "f", replyTo: `${said.id}`, buttons, notify: true },
    "k",
  );
  const [card] = telegram.chat(ada).fromBot;
  if (!card) throw new Error("nothing was posted");
  telegram.say(ada, ada, "to that", { replyTo: card.id, quote: "a" });
  const press = telegram.press(ada, card, "Go");
  await adapter.answer?.({ id: press.id }, "done");
  await adapter.edit?.(dm, `${card.id}`, { text: "edited", notify: false });
  await adapter.react?.(dm, `${said.id}`, "received");
  await adapter.typing?.({ channel: `${group}`, thread: `${topic}` });
  await adapter.draft?.(dm, 3, "in the making");
  telegram.stopDraft(ada);
  const path = join(folder, "p.png");
  await writeFile(path, Buffer.from("89504e470d0a1a0a", "hex"));
  for (const name of ["p.png", "p.bin"]) await adapter.upload?.(dm, { path, name, caption: "see" }, "k");
  const file = telegram.pendingUpdates().find((update) => update.message?.document)?.message?.document;
  await adapter.download?.({ id: file?.file_id ?? "" }, AbortSignal.timeout(5000));
  await adapter.remove?.(dm, `${card.id}`);

  await adapter.start(async () => undefined);
  await telegram.waitFor(() => telegram.pendingUpdates().length === 0 && telegram.commands());
  await adapter.stop();
}

async function main(path: string | undefined): Promise<void> {
  if (path === undefined || !existsSync(path)) {
    console.log("Skipped: give the path of a Bot API description in JSON; none is part of this project.");
    return;
  }
  const spec = specification.parse(JSON.parse(readFileSync(path, "utf8")));
  const folder = await mkdtemp(join(tmpdir(), "shipmate-spec-"));
  await using telegram = await createTelegram();
  const kept = new Map<string, string>();
  const adapter = createTelegramAdapter(
    { token: telegram.token, apiRoot: telegram.url },
    {
      commands: [{ name: "help", description: "What I can do", menu: true, fields: [] }],
      onState: () => undefined,
      known: async () => [],
      form: async () => undefined,
      complete: async () => [],
      mayAsk: async () => true,
      state: { load: async (key) => kept.get(key), save: async (key, value) => void kept.set(key, value) },
    },
  );
  await adapter.connect();
  await exercise(telegram, adapter, folder).finally(() => rm(folder, { recursive: true }));
  const checker = createChecker(spec);
  for (const call of telegram.calls()) checker.call(call);
  const { wrong, newer } = checker.findings;
  const count = `${telegram.calls().length} calls of ${new Set(telegram.calls().map((call) => call.method)).size} methods`;
  console.log(`${spec.version}: ${count}, ${wrong.size} wrong.`);
  for (const text of newer) console.log(`  newer than the description: ${text}`);
  for (const text of wrong) console.log(`  wrong: ${text}`);
  if (wrong.size > 0) process.exitCode = 1;
}

await main(process.argv[2]);
